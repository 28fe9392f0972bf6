// Package rubric is the domain model: the meaning of an eval file in any dialect.
//
// A [Suite] holds cases, a [Case] holds graders, a rubric [Grader] holds criteria, and a
// [Criterion] graded 0 to 10 holds bands. Each value keeps the span of its source text.
// Defaults are filled in. A dialect's reader drops what the reference runner drops and
// records it as a [Loss], so that the scored suite is the suite that editors show.
//
// The package does not depend on YAML, prompts, scores or files.
package rubric

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
)

// Suite holds the cases of one file.
type Suite struct {
	Dialect     string // "agentv", "adk"
	Version     string // the dialect's own name for it; "" for the oldest version
	Name        string // the dataset's name; default: the file's base name
	Description string
	Targets     []string // the systems under test that the file names; may be empty
	Cases       []*Case
	Skipped     []*Case // cases that the runner skips, as far as they can be read; never run
	Losses      []Loss
	Derived     []DerivedMetric // in the order of the file
}

// DerivedMetric is a metric of a run that a formula computes from the metrics of its graders.
type DerivedMetric struct{ Name, Formula string }

// WithoutCases returns a copy of the suite without cases and losses.
func (s *Suite) WithoutCases() *Suite {
	bare := *s
	bare.Cases, bare.Skipped, bare.Losses = nil, nil, nil
	return &bare
}

// Case returns the first case with the id, or nil.
func (s *Suite) Case(id string) *Case {
	for _, c := range s.Cases {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// SelectCase returns the case with the id, or the only case if id is empty. It returns nil if
// neither exists.
func (s *Suite) SelectCase(id string) *Case {
	if id == "" && len(s.Cases) == 1 {
		return s.Cases[0]
	}
	return s.Case(id)
}

// CaseIDs returns the ids of the cases, in order.
func (s *Suite) CaseIDs() []string {
	return generic.Map(s.Cases, func(c *Case) string { return c.ID })
}

// Case is one test: the input, the expected outcome and the graders.
type Case struct {
	ID              string
	Title           string `json:"-"` // what people call a case whose id is generated; may be ""
	ExpectedOutcome string
	Question        string // Input as one text; see [ConversationText]
	ReferenceAnswer string // the text of the last expected message
	ConversationID  string
	Input           []Message
	Expected        []Message
	Files           []string `json:"-"`          // absolute paths of the files that Input refers to; filled in by the host
	Target          string   `json:"-"`          // the system under test that the case itself names; may be ""
	Targets         []string `json:"-"`          // those of a run's several targets that answer the case; empty for all
	Answer          *string  `json:",omitempty"` // that the file itself has, so that no target is asked; nil if it has none
	Tags            []string `json:"-"`          // its own and the suite's, to select cases by
	DependsOn       []string `json:"-"`          // ids of the cases that must be run before
	// OnDependencyFailure is `run` for a case that is run although one of those could not be.
	OnDependencyFailure string         `json:"-"`
	Trials              *Trials        `json:",omitempty"` // nil for one run
	Preprocessors       []Preprocessor `json:",omitempty"` // of the judge of a case without graders
	Unreadable          string         `json:"-"`          // why the host may not read such a file, so that the case cannot run; filled in by the host
	Fallback            Kind           // grading for a case without graders: LLMJudge, CodeJudge or NoGrader
	Graders             []*Grader
	Conversation        *Conversation  `json:",omitempty"` // a case that the target answers turn by turn
	Threshold           *float64       `json:",omitempty"` // score, 0–1, from which the case passes; nil: the profile's
	SharedThreshold     bool           `json:"-"`          // Threshold is the suite's, which does not move AgentV 4's gates
	UnreadThreshold     *float64       `json:",omitempty"` // replaces Threshold; written where the reference does not read it
	Beyond              string         `json:",omitempty"` // a [Digest] of dialect data that affects results and has no field here; after a hyphen, one of recorded answers, or after two, of what an agent is asked with
	Metadata            map[string]any `json:",omitempty"` // that the case's programs read; nil if it has no programs
	DialectData         any            `json:"-"`          // private to the dialect; may be nil
	SourceFile          string         `json:"-"`          // the file that holds the case, if not the suite's own; spans then point at the reference to it

	Span          text.Span `json:"-"`
	SelectionSpan text.Span `json:"-"` // the short span that editors highlight: the id, or the first key
	IDSpan        text.Span `json:"-"` // the id's value; empty if not written
	// OutcomeSpan is the span of the expected outcome's value.
	OutcomeSpan text.Span `json:"-"`
}

// Trials say how often a case is run, and how the scores are combined.
type Trials struct {
	Count      int
	Strategy   string  // pass_at_k or pass_any: the highest; mean; confidence_interval: its lower end
	StopAtPass bool    `json:",omitempty"` // the first that passes is the last
	MaxCost    float64 `json:",omitempty"` // in US dollars, after which no more are run
}

// PassAt returns the score, 0–1, from which the case passes, or nil. asReference leaves out what the
// reference does not read.
func (c *Case) PassAt(asReference bool) *float64 {
	if c.UnreadThreshold != nil && !asReference {
		return c.UnreadThreshold
	}
	return c.Threshold
}

// AsReference returns the case without the graders that the reference skips.
func (c *Case) AsReference() *Case {
	copied := *c
	copied.Graders = readGraders(c.Graders)
	if len(copied.Graders) == 0 && len(c.Graders) > 0 {
		copied.Fallback = NoGrader
	}
	return &copied
}

func readGraders(graders []*Grader) (read []*Grader) {
	for _, g := range graders {
		if len(g.Members) > 0 {
			copied := *g
			copied.Members = readGraders(g.Members)
			g = &copied
			g.Unread = len(g.Members) == 0
		}
		if !g.Unread {
			read = append(read, g)
		}
	}
	return read
}

// Walk iterates over graders and their members. Each comes with the grader that it is a member of, or nil.
func Walk(graders []*Grader) iter.Seq2[*Grader, *Grader] {
	return func(yield func(g, parent *Grader) bool) {
		var walk func(graders []*Grader, parent *Grader) bool
		walk = func(graders []*Grader, parent *Grader) bool {
			for _, g := range graders {
				if !yield(g, parent) || !walk(g.Members, g) {
					return false
				}
			}
			return true
		}
		walk(graders, nil)
	}
}

// AllCases returns the cases, then those that the runner skips.
func (s *Suite) AllCases() []*Case { return slices.Concat(s.Cases, s.Skipped) }

// Graders iterates over the graders of all cases and their members. It yields those that cases share for each.
func (s *Suite) Graders() iter.Seq[*Grader] {
	return func(yield func(*Grader) bool) {
		for _, c := range s.AllCases() {
			for g := range Walk(c.Graders) {
				if !yield(g) {
					return
				}
			}
		}
	}
}

// Rubric returns the case's first grader with criteria, or nil.
func (c *Case) Rubric() *Grader {
	for _, g := range c.Graders {
		if len(g.Criteria) > 0 {
			return g
		}
	}
	return nil
}

// Loss is something that the reference runner drops, coerces or refuses. Lint rules report it.
type Loss struct {
	Kind   string // the dialect's name for it, such as "case_incomplete_skipped"
	Level  Level
	Span   text.Span `json:"-"`
	Detail string    // the key, value or name at fault, if any
	Fatal  bool      // the runner rejects the whole file
}

// IsCostly reports whether the runner skips a test, a grader or a criterion, so that a run passes
// without it.
func (l Loss) IsCostly() bool {
	return l.Level == Refuses || strings.HasSuffix(l.Kind, "_skipped") || strings.HasSuffix(l.Kind, "_dropped")
}

// LossSpan returns the span of the whole case if a loss is shown at the case's short span.
func (s *Suite) LossSpan(loss Loss) text.Span {
	for _, c := range s.AllCases() {
		if c.SelectionSpan == loss.Span {
			return c.Span
		}
	}
	return loss.Span
}

// Level is how the runner reports a loss.
type Level string

const (
	Silent  Level = ""
	Warns   Level = "warning"
	Refuses Level = "error"
)

// Label is a person's grade for one criterion of a case. Exactly one of Satisfied and Score
// is set.
type Label struct {
	Case, Criterion string   // their ids
	Turn            int      // of a recorded conversation, from 1; 0 for every turn, and for other cases
	Satisfied       *bool    // for a checklist criterion
	Score           *float64 // 0–10
	Note, By, At    string   // why, who and when
	Fingerprint     string   // of what was graded; see package calibrate. "" if unknown
	IsRecorded      bool     // Fingerprint is from the moment of grading, and not pinned later

	Span text.Span `json:"-"` // the grade's span
}

// Example is an answer that people know to be good or bad.
type Example struct {
	Case   string // its id
	Answer string
	IsGood bool
	Number int // among the case's good or bad ones, from 1
}

// Name identifies the example in its case: "good 1".
func (e Example) Name() string {
	if e.IsGood {
		return fmt.Sprintf("good %d", e.Number)
	}
	return fmt.Sprintf("bad %d", e.Number)
}
