package api

import (
	"context"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
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
	answer := "{{ candidate_answer }}"
	if p.Answer != nil {
		answer = *p.Answer
	}
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
