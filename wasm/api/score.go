package api

import (
	"context"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

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
	if isMeasured(d.Analysis) {
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
	return GradeResult{result, d.Range(c.SelectionSpan, text.UTF16)}, nil
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
