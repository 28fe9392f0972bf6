package api

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// SuiteResult is the effective content of a file: with defaults filled in, and without what the
// runner drops.
type SuiteResult struct {
	Dialect string `json:"dialect"`
	Cases   []Case `json:"cases"`
	// Targets are the systems under test that the file names. Method `run` asks those that are built in;
	// of others it takes the answers that it is given.
	Targets []Target `json:"targets"`
}

// Target is a system under test.
type Target struct {
	Name    string `json:"name"`
	BuiltIn bool   `json:"built_in"`
}

// Case is a case as it will be graded.
type Case struct {
	ID              string      `json:"id"`
	ExpectedOutcome string      `json:"expected_outcome"`
	Question        string      `json:"question"`
	ReferenceAnswer string      `json:"reference_answer"`
	Rubrics         []Criterion `json:"rubrics"`
	Evaluators      []Evaluator `json:"evaluators"`
	Answer          *string     `json:"answer,omitempty"` // recorded in the file; a run grades it and asks no target
}

// Criterion is one criterion of a rubric. Required is the effective value. A minimum or ranges are
// present only if the criterion has them.
type Criterion struct {
	ID               string   `json:"id"`
	ExpectedOutcome  string   `json:"expected_outcome"`
	Weight           float64  `json:"weight"`
	Required         bool     `json:"required"`
	RequiredMinScore *float64 `json:"required_min_score,omitempty"`
	ScoreRanges      []Band   `json:"score_ranges,omitempty"`
}

// Band is one labelled score range, both ends inclusive.
type Band struct {
	ScoreRange      [2]float64 `json:"score_range"`
	ExpectedOutcome string     `json:"expected_outcome"`
}

// Evaluator is one grader of a case.
type Evaluator struct {
	Name       string      `json:"name"`
	Type       string      `json:"type"`
	Weight     float64     `json:"weight"`
	YesNo      bool        `json:"yes_no,omitempty"` // its score is 1 or 0
	Rubrics    []Criterion `json:"rubrics,omitempty"`
	Evaluators []Evaluator `json:"evaluators,omitempty"`
}

// suite returns all cases of a file, or the named one.
func suite(d document, p caseParams) (SuiteResult, error) {
	var selected []*rubric.Case
	if p.Case == "" {
		selected = d.runnableSuite().Cases
	} else {
		c, err := d.findCase(p.Case)
		if err != nil {
			return SuiteResult{}, err
		}
		selected = []*rubric.Case{c}
	}
	result := SuiteResult{Dialect: d.Dialect(), Cases: []Case{}, Targets: []Target{}}
	for _, name := range d.runnableSuite().Targets {
		result.Targets = append(result.Targets, Target{name, run.IsBuiltIn(name)})
	}
	for _, c := range selected {
		out := Case{ID: c.ID, ExpectedOutcome: c.ExpectedOutcome, Question: c.Question, ReferenceAnswer: c.ReferenceAnswer, Answer: c.Answer,
			Rubrics: []Criterion{}, Evaluators: toEvaluators(&rubric.Grader{Members: c.Graders})}
		if !d.ADK().IsMeasured() { // a case without evaluators has a default one
			out.Evaluators = toEvaluators(&rubric.Grader{Members: grade.GradersOf(c)})
		}
		if g := c.Rubric(); g != nil {
			out.Rubrics = toCriteria(g.Criteria)
		}
		result.Cases = append(result.Cases, out)
	}
	return result, nil
}

// CaseHead is a case id with the range of the case's heading. Error says why the case does not run.
type CaseHead struct {
	ID    string     `json:"id"`
	Title string     `json:"title,omitempty"` // what people call it; missing if that is the id
	Range text.Range `json:"range"`
	Error string     `json:"error,omitempty"`
}

func cases(d document, _ fileParams) ([]CaseHead, error) {
	all, why := []CaseHead{}, caseErrors(d.Analysis, d.runnableSuite)
	add := func(id, title string, span text.Span) {
		all = append(all, CaseHead{id, title, d.Source().SpanRange(span, text.UTF16), why(id)})
	}
	if d.ADK().IsMeasured() && d.ADK() != adk.Results {
		set := ide.Evalset(d.Analysis).Cases
		for i := range set {
			add(set[i].ID, "", adk.SelectionSpan(set[i].IDSpan, set[i].Span))
		}
		return all, nil
	}
	for _, c := range d.runnableSuite().Cases {
		add(c.ID, c.Title, c.SelectionSpan)
	}
	return all, nil
}

// toEvaluators converts the members of a grader.
func toEvaluators(set *rubric.Grader) []Evaluator {
	out := []Evaluator{}
	for _, g := range set.Members {
		e := Evaluator{Name: g.Name, Type: string(g.Kind), Weight: set.MemberWeight(g), YesNo: grade.IsYesNo(g)}
		if len(g.Criteria) > 0 {
			e.Rubrics = toCriteria(g.Criteria)
		}
		if len(g.Members) > 0 {
			e.Evaluators = toEvaluators(g)
		}
		out = append(out, e)
	}
	return out
}

func toCriteria(list []*rubric.Criterion) []Criterion {
	out := []Criterion{}
	for _, k := range list {
		c := Criterion{ID: k.ID, ExpectedOutcome: k.Text, Weight: k.Weight, Required: k.IsRequired(), RequiredMinScore: k.MinScore}
		for _, b := range k.Bands {
			c.ScoreRanges = append(c.ScoreRanges, Band{[2]float64{b.Lo, b.Hi}, b.Text})
		}
		out = append(out, c)
	}
	return out
}

// FormatsResult holds the format of a file, and all formats that there are.
type FormatsResult struct {
	Recognised bool     `json:"recognised"`     // by its content or name
	Name       string   `json:"name,omitempty"` // of the file's format, such as AgentV; absent if it is not recognised
	Formats    []Format `json:"formats"`
}

// Format is a dialect with its kinds of files.
type Format struct {
	Name  string   `json:"name"`
	Files []string `json:"files"` // titles, in the order of the reference
}

// formats takes the name of a dialect from the first word of its first title.
func formats(d document, _ fileParams) (FormatsResult, error) {
	result := FormatsResult{Recognised: d.Recognised()}
	last := ""
	for _, f := range dialect.Files() {
		if f.Dialect != last {
			name, _, _ := strings.Cut(f.Title, " ")
			result.Formats = append(result.Formats, Format{Name: name})
			last = f.Dialect
			if result.Recognised && last == d.Dialect() {
				result.Name = name
			}
		}
		group := &result.Formats[len(result.Formats)-1]
		group.Files = append(group.Files, f.Title)
	}
	return result, nil
}
