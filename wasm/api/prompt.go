package api

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
)

// caseParams name a case of a file, which may be left out where there is only one.
type caseParams struct {
	fileParams
	Case string `json:"case,omitempty"`
}

func (p caseParams) findCase() (*rubric.Case, error) {
	a, err := p.analyse()
	if err != nil {
		return nil, err
	}
	return findCase(a, p.Case)
}

// promptParams names a case. Answer is what is to be judged; without it the
// prompt shows where it will stand.
type promptParams struct {
	caseParams
	Answer  *string       `json:"answer,omitempty"`
	Profile score.Profile `json:"profile,omitempty"`
}

// PromptResult is exactly what a judge is asked, and the JSON Schema of its reply.
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
	c, err := p.findCase()
	if err != nil {
		return PromptResult{}, err
	}
	answer := "{{ candidate_answer }}"
	if p.Answer != nil {
		answer = *p.Answer
	}
	q := grade.Question(profile, c, judgedGrader(c), grade.Submission{Answer: answer})
	return PromptResult{q.System, q.User, q.Schema}, nil
}

func parseProfile(name score.Profile) (score.Profile, error) {
	switch {
	case name == "":
		return score.Spec, nil
	case name.IsKnown():
		return name, nil
	}
	return "", failf(BadParams, "`profile` is %s, not `%s`", score.ProfileNames, name)
}

func findCase(a *analysis.Analysis, id string) (*rubric.Case, error) {
	if c := a.Case(id); c != nil {
		return c, nil
	}
	heads := a.CaseRefs()
	if id == "" && len(heads) == 1 {
		return a.Case(heads[0].ID), nil
	}
	ids := make([]string, len(heads))
	for i, h := range heads {
		ids[i] = h.ID
	}
	return nil, unknownCase(ids, id)
}

func findInSuite(suite *rubric.Suite, id string) (*rubric.Case, error) {
	if c := suite.SelectCase(id); c != nil {
		return c, nil
	}
	return nil, unknownCase(suite.CaseIDs(), id)
}

// unknownCase says that none of the cases with some ids is the one that is named.
func unknownCase(ids []string, id string) error {
	switch {
	case len(ids) == 0:
		return failf(UnknownCase, "there are no cases that the runner would load")
	case id == "":
		return failf(BadParams, "`case` says which of the %d cases", len(ids))
	}
	return failf(UnknownCase, "there is no case `%s` that the runner would load%s", id, spell.DidYouMean(id, ids))
}

// judgedGrader is the grader of a case that a judge is asked for: its rubric, else its
// first free-form judge, else one.
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
