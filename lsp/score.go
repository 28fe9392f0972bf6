package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/grade"
)

// methodScore asks what grades that somebody types are worth; the command of the
// same name is for clients that know no methods of ours.
const methodScore = "rubric/score"

// scoreParams are the grades of a case, as a judge would give them.
type scoreParams struct {
	URI    uri.URI             `json:"uri"`
	Case   string              `json:"case"`
	Grades []grade.ManualGrade `json:"grades"`
}

// scoreResult is what the grades come to.
type scoreResult struct {
	grade.ManualResult
	Range protocol.Range `json:"range"` // of the case, as it is shown
}

// scoreTyped reckons what typed grades are worth. No judge is asked.
func scoreTyped(_ context.Context, s *snapshot, p *scoreParams) (*scoreResult, error) {
	d, err := s.loadDocument(p.URI)
	if err != nil {
		return nil, err
	}
	cases, err := d.selectCases(p.Case, true)
	if err != nil {
		return nil, err
	}
	result, err := grade.ScoreManually(cases[0], p.Grades)
	if err != nil {
		return nil, requestFailed(err)
	}
	return &scoreResult{result, s.client.toRange(d.Analysis, cases[0].SelectionSpan)}, nil
}
