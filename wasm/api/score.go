package api

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ScoreParams are criteria, as a file writes them or by a file and a case, and a
// judge's reply to them: its raw text, or the object itself.
type ScoreParams struct {
	Rubrics json.RawMessage `json:"rubrics,omitempty"`
	caseParams
	Reply   json.RawMessage `json:"reply"`
	Profile score.Profile   `json:"profile,omitempty"`
}

// ScoreResult is what the reply is worth. Problems are the faults of the reply.
type ScoreResult struct {
	Score    float64       `json:"score"`
	Verdict  score.Verdict `json:"verdict"`
	Gates    []score.Gate  `json:"gates"`
	Hits     []string      `json:"hits"`
	Misses   []string      `json:"misses"`
	Grades   []score.Grade `json:"grades"`
	Problems []string      `json:"problems"`
}

// Score is what a judge's reply is worth.
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
		return ScoreResult{}, failf(BadParams, "`reply` is the judge's answer, as text or as an object")
	}
	d := grade.DecodeReply(profile, criteria, replyText(p.Reply))
	result := ScoreResult{Problems: append([]string{}, d.Problems...)}
	r := d.Result(profile, criteria)
	result.Score, result.Verdict, result.Gates, result.Hits, result.Misses = r.Score, r.Verdict, r.Gates, r.Hits, r.Misses
	result.Grades = append([]score.Grade{}, r.Grades...)
	return result, nil
}

// parseCriteria are none for a case without a rubric: its reply is a free-form one.
func (p ScoreParams) parseCriteria() ([]*rubric.Criterion, error) {
	switch {
	case len(p.Rubrics) > 0 && (p.Text != nil || p.Document != ""):
		return nil, failf(BadParams, "give `rubrics`, or `text` and `case`, not both")
	case len(p.Rubrics) > 0:
		list := agentv.ReadCriteria(yaml.Parse(text.New("", string(p.Rubrics))).Root())
		if len(list) == 0 {
			return nil, failf(BadParams, "`rubrics` has no criterion that the runner would grade")
		}
		return list, nil
	case p.Text == nil && p.Document == "":
		return nil, failf(BadParams, "`rubrics`, or `text` and `case`, say what is graded")
	}
	c, err := p.findCase()
	if err != nil {
		return nil, err
	}
	return judgedGrader(c).Criteria, nil
}

// replyText is a judge's text: a JSON string's content, or the object as it is.
func replyText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
