package api

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/text"
)

// draftParams are a case without a rubric, and a judge's reply to the question
// for criteria; without one they are the statements of the case's own outcome.
type draftParams struct {
	caseParams
	Reply json.RawMessage `json:"reply,omitempty"`
}

// DraftResult is the criteria as edits of the text, and the text with them.
// Problems say what could not be used: without edits the text is as it was.
type DraftResult struct {
	Edits    []TextEdit `json:"edits"`
	Text     string     `json:"text"`
	Problems []string   `json:"problems"`
}

func draftCriteria(p draftParams) (DraftResult, error) {
	a, err := p.analyse()
	if err != nil {
		return DraftResult{}, err
	}
	c, err := findCase(a, p.Case)
	if err != nil {
		return DraftResult{}, err
	}
	result := DraftResult{Edits: []TextEdit{}, Text: a.Slice(text.Span{End: a.Length()}), Problems: []string{}}
	reject := func(problems ...string) (DraftResult, error) {
		result.Problems = problems
		return result, nil
	}
	var drafted draft.Draft
	if len(p.Reply) == 0 {
		drafted, err = draft.FromOutcome(a, c)
	} else {
		criteria, fault := draft.DecodeReply(replyText(p.Reply))
		if fault != nil {
			return reject(fault.Error())
		}
		if faults := draft.Problems(criteria); len(faults) > 0 {
			return reject(faults...)
		}
		drafted, err = draft.Write(a, c, criteria)
	}
	if err != nil {
		return reject(err.Error())
	}
	body, err := text.Apply(result.Text, drafted.Edits)
	if err != nil {
		return reject(err.Error())
	}
	result.Edits, result.Text, result.Problems = textEdits(a, drafted.Edits), body, append(result.Problems, drafted.Notes...)
	return result, nil
}
