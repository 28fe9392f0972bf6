package rubric

import "github.com/rubric-ls/rubric/core/text"

// Suite is one file's cases.
type Suite struct {
	Dialect     string // "agentv", "adk"
	Version     string // of the dialect, as it names it; "" for its oldest
	Name        string // the dataset's name; the file's base name by default
	Description string
	Target      string // the system under test that the file names, "" if none
	Cases       []*Case
	Skipped     []*Case // those that the runner skips, as far as they can be read; never run
	Losses      []Loss
}

// WithoutCases is the suite without its cases.
func (s *Suite) WithoutCases() *Suite {
	bare := *s
	bare.Cases, bare.Skipped, bare.Losses = nil, nil, nil
	return &bare
}

// Case finds a case by its id; of duplicates the first.
func (s *Suite) Case(id string) *Case {
	for _, c := range s.Cases {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// SelectCase is the case with an id, or, where none is named, the only one; else nil.
func (s *Suite) SelectCase(id string) *Case {
	if id == "" && len(s.Cases) == 1 {
		return s.Cases[0]
	}
	return s.Case(id)
}

// CaseIDs are those of the cases, in their order.
func (s *Suite) CaseIDs() []string {
	ids := make([]string, 0, len(s.Cases))
	for _, c := range s.Cases {
		ids = append(ids, c.ID)
	}
	return ids
}

// Case is one test: what is asked, what a good answer does, who grades it.
type Case struct {
	ID              string
	ExpectedOutcome string
	Question        string // the visible text of Input
	ReferenceAnswer string // the last expected message's text
	ConversationID  string
	Input           []Message
	Expected        []Message
	Files           []string `json:"-"` // the files that Input refers to, as absolute paths; filled in by the host
	Unreadable      string   `json:"-"` // why a file that it refers to may not be read, so that it cannot be run; filled in by the host
	Fallback        Kind     // how the case is graded when it names no graders: LLMJudge or CodeJudge
	Graders         []*Grader
	Threshold       *float64 `json:",omitempty"` // the score, 0–1, from which it passes; nil: the profile's
	Beyond          string   `json:",omitempty"` // a digest of what the case means and these fields have no words for; see [Digest]
	DialectData     any      `json:"-"`          // what its dialect keeps of it for itself; nil for nothing
	SourceFile      string   `json:"-"`          // the file it stands in, if that is not the suite's own; spans are then of what refers to it

	Span          text.Span `json:"-"`
	SelectionSpan text.Span `json:"-"` // the short span by which it is shown: its id, or its first key
	IDSpan        text.Span `json:"-"` // of the id's value; empty if none is written
	// OutcomeSpan covers the expected outcome's value.
	OutcomeSpan text.Span `json:"-"`
}

// Rubric is the case's first rubric grader, or nil.
func (c *Case) Rubric() *Grader {
	for _, g := range c.Graders {
		if len(g.Criteria) > 0 {
			return g
		}
	}
	return nil
}

// Message is one turn of a conversation. Content is a string, or any JSON value:
// a list of {type, value} parts, or structured data.
type Message struct {
	Role      string `json:"role"`
	Name      string `json:"name,omitempty"`
	Content   any    `json:"content,omitempty"`
	ToolCalls any    `json:"tool_calls,omitempty"`
}

// Loss is something that the runner drops, coerces or refuses. Rules word it.
type Loss struct {
	Kind   string // a dialect's name for it, e.g. "case_incomplete_skipped"
	Level  Level
	Span   text.Span `json:"-"`
	Detail string    // the offending key, value or name, if one says more
	Fatal  bool      // the runner gives up on the whole file
}

// Level is how loudly the runner says what it does about a loss.
type Level string

const (
	Silent  Level = ""
	Warns   Level = "warning"
	Refuses Level = "error"
)
