package api

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// caseParams name a case of a file. Case is optional if there is only one.
type caseParams struct {
	fileParams
	Case string `json:"case,omitempty"`
}

func (p caseParams) findCase() (d document, c *rubric.Case, err error) {
	if d, err = p.findDocument(); err == nil {
		c, err = findInSuite(d.Suite(), p.Case)
	}
	return d, c, err
}

// findJudgedCase returns a case that is judged by one question. A conversation in turns is not.
func (p caseParams) findJudgedCase() (*rubric.Case, error) {
	_, c, err := p.findCase()
	if err == nil && c.Conversation != nil {
		return nil, failf(BadParams, "the case `%s` is a conversation in turns, which only `run` grades", c.ID)
	}
	return c, err
}

// promptParams name a case. Answer is the text to judge; without it, the prompt shows a
// placeholder.
type promptParams struct {
	caseParams
	Answer  *string       `json:"answer,omitempty"`
	Profile score.Profile `json:"profile,omitempty"`
}

// PromptResult is the exact question to a judge, and the JSON Schema of its reply.
type PromptResult struct {
	System string          `json:"system"`
	User   string          `json:"user"`
	Schema json.RawMessage `json:"schema"`
}

func prompt(p promptParams) (PromptResult, error) {
	profile, err := parseProfile(p.Profile)
	if err != nil {
		return PromptResult{}, err
	}
	c, err := p.findJudgedCase()
	if err != nil {
		return PromptResult{}, err
	}
	answer := *cmp.Or(p.Answer, new("{{ candidate_answer }}"))
	q := grade.Question(profile, c, judgedGrader(c), grade.Submission{Answer: answer})
	return PromptResult{q.System, q.User, q.Schema}, nil
}

func parseProfile(name score.Profile) (score.Profile, error) {
	s := run.DefaultSettings()
	if name == "" {
		return s.Profile, nil
	}
	return name, setOption(&s, "profile", string(name))
}

func findInSuite(suite *rubric.Suite, id string) (*rubric.Case, error) {
	if c := suite.SelectCase(id); c != nil {
		return c, nil
	}
	return nil, unknownCase(suite.CaseIDs(), id)
}

// unknownCase returns the error for a missing or unknown case id.
func unknownCase(ids []string, id string) error {
	switch {
	case len(ids) == 0:
		return failf(UnknownCase, "the file has no cases that the runner would load")
	case id == "":
		return failf(BadParams, "`case` is missing; name one of the %d cases", len(ids))
	}
	return failf(UnknownCase, "there is no case `%s` that the runner would load%s", id, spell.DidYouMean(id, ids))
}

// judgedGrader returns the grader of a case that asks a judge: its rubric, else its first free-form
// judge, else a new one.
func judgedGrader(c *rubric.Case) *rubric.Grader {
	if g := c.Rubric(); g != nil {
		return g
	}
	for _, g := range c.Graders {
		if g.Kind == rubric.LLMJudge {
			return g
		}
	}
	return &rubric.Grader{Name: string(rubric.LLMJudge), Kind: rubric.LLMJudge, Weight: 1}
}

// draftParams are a case without a rubric and a judge's reply with criteria. Without a reply, the
// criteria are derived from the case's expected outcome.
type draftParams struct {
	caseParams
	Reply json.RawMessage `json:"reply,omitempty"`
}

// DraftResult holds the criteria as edits, and the text with the edits applied. Problems say what
// could not be used; if it has no edits, the text is unchanged.
type DraftResult struct {
	Edits    []ide.TextEdit `json:"edits"`
	Text     string         `json:"text"`
	Problems []string       `json:"problems"`
}

func draftCriteria(d document, p draftParams) (DraftResult, error) {
	c, err := findInSuite(&rubric.Suite{Cases: draft.Cases(d.Analysis)}, p.Case)
	if err != nil {
		return DraftResult{}, err
	}
	result := DraftResult{Edits: []ide.TextEdit{}, Text: d.Body(), Problems: []string{}}
	reject := func(problems ...string) (DraftResult, error) {
		result.Problems = problems
		return result, nil
	}
	var drafted draft.Draft
	if len(p.Reply) == 0 {
		var cases []*rubric.Case
		if cases, err = draft.Draftable(d.Analysis, c.ID); err == nil {
			drafted, err = draft.NewForAll(context.Background(), nil, d.Analysis, cases)
		}
	} else {
		criteria, fault := draft.DecodeCriteria(run.JSONText(p.Reply))
		if fault != nil {
			return reject(fault.Error())
		}
		if faults := draft.Problems(criteria); len(faults) > 0 {
			return reject(faults...)
		}
		drafted, err = draft.Write(d.Analysis, c, criteria)
	}
	if err != nil {
		return reject(err.Error())
	}
	body, err := text.Apply(result.Text, drafted.Edits)
	if err != nil {
		return reject(err.Error())
	}
	result.Edits, result.Text, result.Problems = d.file(&ide.Browser).TextEdits(drafted.Edits), body, append(result.Problems, drafted.Notes...)
	return result, nil
}

// ScoreParams are criteria and a judge's reply to them. The criteria are given as in a file, or by
// a file and a case. The reply is the raw text or the JSON object.
type ScoreParams struct {
	Rubrics json.RawMessage `json:"rubrics,omitempty"`
	caseParams
	Reply   json.RawMessage `json:"reply"`
	Profile score.Profile   `json:"profile,omitempty"`
}

// ScoreResult is the score of a reply. Problems are the errors in the reply.
type ScoreResult struct {
	Score    *float64      `json:"score"` // 0–1; nil if the verdict is ungraded
	Verdict  score.Verdict `json:"verdict"`
	Gates    []score.Gate  `json:"gates"`
	Hits     []string      `json:"hits"`
	Misses   []string      `json:"misses"`
	Grades   []score.Grade `json:"grades"`
	Problems []string      `json:"problems"`
}

// Score returns the score of a judge's reply.
func Score(p ScoreParams) (ScoreResult, error) {
	profile, err := parseProfile(p.Profile)
	if err != nil {
		return ScoreResult{}, err
	}
	criteria, err := p.parseCriteria()
	if err != nil {
		return ScoreResult{}, err
	}
	if len(p.Reply) == 0 {
		return ScoreResult{}, failf(BadParams, "`reply` is missing; give the judge's answer as text or as an object")
	}
	d := grade.DecodeReply(profile, criteria, run.JSONText(p.Reply))
	result := ScoreResult{Problems: append([]string{}, d.Problems...)}
	r := d.Result(profile, criteria)
	result.Score, result.Verdict, result.Gates, result.Hits, result.Misses = r.Score, r.Verdict, r.Gates, r.Hits, r.Misses
	result.Grades = append([]score.Grade{}, r.Grades...)
	return result, nil
}

// parseCriteria returns the criteria. A case without a rubric has none; its reply is free-form.
func (p ScoreParams) parseCriteria() ([]*rubric.Criterion, error) {
	switch {
	case len(p.Rubrics) > 0 && (p.Text != nil || p.Document != ""):
		return nil, failf(BadParams, "give `rubrics`, or `text` and `case`, not both")
	case len(p.Rubrics) > 0:
		list := seed.ReadCriteria(yaml.Parse(text.New("", string(p.Rubrics))).Root())
		if len(list) == 0 {
			return nil, failf(BadParams, "`rubrics` has no criterion that the runner would grade")
		}
		return list, nil
	case p.Text == nil && p.Document == "":
		return nil, failf(BadParams, "give `rubrics`, or `text` and `case`")
	}
	c, err := p.findJudgedCase()
	if err != nil {
		return nil, err
	}
	return judgedGrader(c).Criteria, nil
}

// gradeParams are grades of a case that the user types.
type gradeParams struct {
	caseParams
	Grades []grade.ManualGrade `json:"grades"`
}

// GradeResult is the score of typed grades. Range is the case's heading.
type GradeResult struct {
	grade.ManualResult
	Range text.Range `json:"range"`
}

func gradeTyped(p gradeParams) (GradeResult, error) {
	d, c, err := p.findCase()
	if err != nil {
		return GradeResult{}, err
	}
	var result grade.ManualResult
	if d.ADK().IsMeasured() {
		var evaluation adk.Evaluation
		if evaluation, err = d.evalsetFiles().evaluation(d.Analysis); err != nil {
			return GradeResult{}, err
		}
		conversations := &run.Conversations{Profile: metric.Latest, Metrics: evaluation.Criteria, Measure: evaluation.MeasureSamples}
		result, err = conversations.ScoreManually(context.Background(), c, p.Grades)
	} else {
		result, err = grade.ScoreManually(c, p.Grades)
	}
	if err != nil {
		return GradeResult{}, failf(BadParams, "%s", err)
	}
	return GradeResult{result, d.Source().SpanRange(c.SelectionSpan, text.UTF16)}, nil
}

// FlipResult holds, for each typed grade, the nearest other grades that change the case's verdict,
// one for each reachable verdict.
type FlipResult struct {
	Flips []grade.VerdictFlip `json:"flips"`
}

func flip(p gradeParams) (FlipResult, error) {
	_, c, err := p.findCase()
	if err != nil {
		return FlipResult{}, err
	}
	flips, err := grade.FindFlips(c, p.Grades)
	if err != nil {
		return FlipResult{}, failf(BadParams, "%s", err)
	}
	return FlipResult{append([]grade.VerdictFlip{}, flips...)}, nil
}
