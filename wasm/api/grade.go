package api

import (
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// gradeParams are grades of a case that somebody types.
type gradeParams struct {
	caseParams
	Grades []grade.ManualGrade `json:"grades"`
}

// GradeResult is what typed grades come to. Range is where the case is shown.
type GradeResult struct {
	grade.ManualResult
	Range text.Range `json:"range"`
}

func gradeTyped(p gradeParams) (GradeResult, error) {
	d, c, err := p.findDocumentCase()
	if err != nil {
		return GradeResult{}, err
	}
	result, err := grade.ScoreManually(c, p.Grades)
	if err != nil {
		return GradeResult{}, failf(BadParams, "%s", err)
	}
	return GradeResult{result, toRange(d.Analysis, c.SelectionSpan)}, nil
}

func (p gradeParams) findDocumentCase() (document, *rubric.Case, error) {
	d, err := p.findDocument()
	if err != nil {
		return d, nil, err
	}
	c, err := findCase(d.Analysis, p.Case)
	return d, c, err
}

// FlipResult is for each typed grade the nearest other ones by which the case's
// verdict changes, one for each verdict that it can change to.
type FlipResult struct {
	Flips []grade.VerdictFlip `json:"flips"`
}

func flip(p gradeParams) (FlipResult, error) {
	_, c, err := p.findDocumentCase()
	if err != nil {
		return FlipResult{}, err
	}
	flips, err := grade.FindFlips(c, p.Grades)
	if err != nil {
		return FlipResult{}, failf(BadParams, "%s", err)
	}
	return FlipResult{append([]grade.VerdictFlip{}, flips...)}, nil
}
