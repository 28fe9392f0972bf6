package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// laterProfiles are the profiles of the later versions, by the dialects' names in the
// cases.
var laterProfiles = map[string]score.Profile{"stable-4.42.4": score.AgentV4, "head": score.AgentVHead}

func init() {
	for dialect := range laterProfiles {
		for kind, run := range map[string]adapter{
			"rubric_score": rubricScoreLater, "judge_freeform": judgeFreeformLater, "case_aggregate": caseAggregateLater,
			"composite_threshold": compositeThreshold, "composite_weighted": compositeWeighted, "assert_set": assertSet,
			"script_grader": scriptGrader, "script_numeric": scriptNumeric,
			"deterministic_assert": deterministicAssert, "execution_status": executionStatus,
		} {
			adapters[kind+"@"+dialect] = run
		}
	}
}

// verdictLater is the result's verdict in the words of the later versions.
func verdictLater(r score.Result) string {
	if r.Ungraded != "" {
		return "skip"
	}
	return string(r.Verdict)
}

// resultLater compares a result; of what passed it can only count, as hits and
// misses are two lists here and one list there.
func (d *differences) resultLater(want map[string]any, r score.Result) {
	d.check(want, "score", referenceScore(r), 1e-6)
	d.check(want, "verdict", verdictLater(r), 0)
	if passed, ok := want["passed"].([]any); ok {
		hits := 0
		for _, p := range passed {
			if p == true {
				hits++
			}
		}
		if hits != len(r.Hits) || len(passed)-hits != len(r.Misses) {
			*d = append(*d, fmt.Sprintf("hits %q, misses %q, want %v", r.Hits, r.Misses, passed))
		}
	}
	if details, ok := want["details"]; ok {
		d.result(map[string]any{"details": details}, r, 0)
	}
}

// itemLater is a criterion as the later versions hold it after parsing.
type itemLater struct {
	ID       string            `json:"id"`
	Text     string            `json:"outcome"`
	Weight   *float64          `json:"weight"`
	Required bool              `json:"required"`
	MinScore *float64          `json:"min_score"` // 0–1
	Ranges   []json.RawMessage `json:"score_ranges"`
}

func (i itemLater) criterion(t *testing.T) *rubric.Criterion {
	c := &rubric.Criterion{ID: i.ID, Text: i.Text, Weight: 1, Required: &i.Required}
	if i.Weight != nil {
		c.Weight = *i.Weight
	}
	if i.MinScore != nil {
		least := *i.MinScore * 10
		c.MinScore = &least
	}
	for _, raw := range i.Ranges {
		var ends [2]float64
		band := struct {
			Range [2]float64 `json:"score_range"`
			Text  string     `json:"outcome"`
		}{}
		if json.Unmarshal(raw, &ends) == nil {
			band.Range = ends
		} else {
			band = decode[struct {
				Range [2]float64 `json:"score_range"`
				Text  string     `json:"outcome"`
			}](t, raw)
		}
		c.Bands = append(c.Bands, rubric.Band{Lo: band.Range[0], Hi: band.Range[1], Text: band.Text})
	}
	return c
}

// graderLater is an assertion as the later versions' code configures it.
func (c config) graderLater(t *testing.T) *rubric.Grader {
	g := &rubric.Grader{Name: c.text("name"), Kind: rubric.Deterministic, Weight: 1, MinScore: c.number("min_score")}
	g.Assert = &rubric.Assertion{Type: c.text("type"), Value: c["value"], Flags: c.text("flags")}
	g.Required, _ = c["required"].(bool)
	g.Negate, _ = c["negate"].(bool)
	if w := c.number("weight"); w != nil {
		g.Weight = *w
	}
	if strings.HasPrefix(g.Assert.Type, "llm-") {
		g.Kind = rubric.LLMJudge
	}
	if c["rubrics"] != nil {
		raw, _ := json.Marshal(c["rubrics"])
		for _, i := range decode[[]itemLater](t, raw) {
			g.Criteria = append(g.Criteria, i.criterion(t))
		}
	}
	return g
}

func rubricScoreLater(t *testing.T, c testCase) error {
	in := decode[struct {
		Reply   json.RawMessage `json:"judge_response"`
		Grader  config          `json:"grader"`
		Rubrics []any           `json:"rubrics"`
		Least   *float64        `json:"threshold"`
	}](t, c.Input)
	if in.Grader == nil {
		in.Grader = config{"name": "r", "type": "llm-rubric", "rubrics": in.Rubrics}
	}
	j, g := newScripted(withReasons(c, in.Reply)), in.Grader.graderLater(t)
	if in.Least != nil {
		g.Assert.Config = map[string]any{"threshold": *in.Least}
	}
	out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: laterProfiles[c.Dialect]}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	want := decode[map[string]any](t, c.Expected)
	var d differences
	d.check(want, "calls", j.calls, 0)
	d.resultLater(want, out.Result)
	return d.err()
}

func judgeFreeformLater(t *testing.T, c testCase) error {
	in := decode[struct {
		Replies json.RawMessage `json:"judge_responses"`
		Reply   json.RawMessage `json:"judge_response"`
	}](t, c.Input)
	if in.Replies == nil {
		in.Replies = in.Reply
	}
	j := newScripted(in.Replies)
	g := config{"name": "judge", "type": "llm-rubric"}.graderLater(t)
	out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: laterProfiles[c.Dialect]}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	want := decode[map[string]any](t, c.Expected)
	var d differences
	d.check(want, "judge_calls", j.calls, 0)
	d.resultLater(want, out.Result)
	return d.err()
}

func caseAggregateLater(t *testing.T, c testCase) error {
	in := decode[config](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	profile := laterProfiles[c.Dialect]
	replies, _ := json.Marshal(in.get("judge"))
	j := newScripted(replies)
	var d differences
	var parts []score.WeightedResult
	rows, _ := want["scores"].([]any)
	graders := in.list("graders")
	if len(rows) != len(graders) {
		return fmt.Errorf("%d graders and %d scores", len(graders), len(rows))
	}
	for i, e := range graders {
		g := e.graderLater(t)
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
		parts = append(parts, score.WeightedResult{Name: out.Name, Weight: out.Weight, Result: out.Result})
		row, _ := rows[i].(map[string]any)
		d.check(row, "name", out.Name, 0)
		d.check(row, "weight", out.Weight, 0)
		d.check(row, "score", referenceScore(out.Result), 1e-6)
		d.check(row, "verdict", verdictLater(out.Result), 0)
	}
	got := score.Case(profile, in.number("threshold"), parts)
	d.check(want, "score", got.Score, 1e-6)
	d.execution(want, score.ExecutionOf(got, true))
	return d.err()
}

func (d *differences) execution(want map[string]any, e score.Execution) {
	d.check(want, "execution_status", e.Status, 0)
	for key, got := range map[string]string{"failure_stage": e.Stage, "failure_reason_code": e.Reason} {
		if _, failed := want[key]; failed || got != "" {
			d.check(map[string]any{key: want[key]}, key, got, 0)
		}
	}
}

func executionStatus(t *testing.T, c testCase) error {
	in := decode[struct {
		Score   float64 `json:"score"`
		Failed  bool    `json:"provider_error"`
		Verdict string  `json:"grader_verdict"`
	}](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	var parts []score.WeightedResult
	if !in.Failed {
		parts = []score.WeightedResult{{Name: "g", Weight: 1, Result: score.PlainResult(in.Score, nil, nil, "")}}
	}
	if in.Verdict == "skip" {
		parts[0].Result = score.UngradedResult("skipped")
	}
	got := score.Case(laterProfiles[c.Dialect], nil, parts)
	if in.Failed {
		got = score.CaseResult{Score: new(0.0)}
	}
	var d differences
	d.check(want, "score", got.Score, 0)
	d.execution(want, score.ExecutionOf(got, !in.Failed))
	return d.err()
}

// members reads members' results from lists of scores and verdicts.
func members(scores []float64, verdicts []string) []score.WeightedResult {
	var parts []score.WeightedResult
	for i, v := range verdicts {
		r := score.PlainResult(0, nil, nil, "")
		if i < len(scores) {
			r = score.PlainResult(scores[i], nil, nil, "")
		}
		if r.Verdict = score.Verdict(v); v == "skip" {
			r = score.UngradedResult("skipped")
		}
		parts = append(parts, score.WeightedResult{Name: fmt.Sprint(i), Weight: 1, Result: r})
	}
	return parts
}

func compositeThreshold(t *testing.T, c testCase) error {
	in := decode[struct {
		Scores    []float64 `json:"child_scores"`
		Verdicts  []string  `json:"child_verdicts"`
		Threshold float64   `json:"threshold"`
	}](t, c.Input)
	var d differences
	d.resultLater(decode[map[string]any](t, c.Expected), score.CombineByCount(laterProfiles[c.Dialect], in.Threshold, members(in.Scores, in.Verdicts)))
	return d.err()
}

func compositeWeighted(t *testing.T, c testCase) error {
	in := decode[struct {
		Child []struct {
			Score   float64 `json:"score"`
			Verdict string  `json:"verdict"`
		} `json:"child"`
	}](t, c.Input)
	var scores []float64
	var verdicts []string
	for _, m := range in.Child {
		scores, verdicts = append(scores, m.Score), append(verdicts, m.Verdict)
	}
	var d differences
	d.resultLater(decode[map[string]any](t, c.Expected), score.Combine(laterProfiles[c.Dialect], nil, members(scores, verdicts)))
	return d.err()
}

func assertSet(t *testing.T, c testCase) error {
	in := decode[struct {
		Children []struct {
			Score  float64  `json:"score"`
			Weight *float64 `json:"weight"`
		} `json:"children"`
		Threshold *float64 `json:"threshold"`
	}](t, c.Input)
	g := &rubric.Grader{Name: "set", Kind: rubric.AssertSet, Weight: 1, Assert: &rubric.Assertion{Type: "assert-set"}, Threshold: in.Threshold}
	for i, child := range in.Children {
		text := "ans"
		if child.Score == 0 {
			text = "something else"
		}
		m := config{"name": fmt.Sprint(i), "type": rubric.Equals, "value": text}.graderLater(t)
		if child.Weight != nil {
			m.Weight = *child.Weight
		}
		g.Members = append(g.Members, m)
	}
	out := grade.Grade(t.Context(), grade.Ports{Profile: laterProfiles[c.Dialect]}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	var d differences
	d.resultLater(decode[map[string]any](t, c.Expected), out.Result)
	return d.err()
}

func scriptGrader(t *testing.T, c testCase) error {
	in := decode[struct{ Shell string }](t, c.Input)
	g := &rubric.Grader{Name: "script", Kind: rubric.CodeJudge, Weight: 1, Assert: &rubric.Assertion{Type: "script"}}
	g.Code = &rubric.Code{Argv: []string{"sh", "-c", in.Shell}}
	out := grade.Grade(t.Context(), grade.Ports{Exec: shell, Profile: laterProfiles[c.Dialect]}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	var d differences
	d.resultLater(decode[map[string]any](t, c.Expected), out.Result)
	return d.err()
}

func scriptNumeric(t *testing.T, c testCase) error {
	in := decode[struct {
		Value     float64  `json:"value"`
		Threshold *float64 `json:"threshold"`
	}](t, c.Input)
	g := config{"name": "code", "type": "javascript", "value": "code"}.graderLater(t)
	g.Kind, g.Threshold = rubric.External, in.Threshold
	prints := func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: fmt.Append(nil, in.Value)}, nil
	}
	out := grade.Grade(t.Context(), grade.Ports{Exec: prints, Profile: laterProfiles[c.Dialect]}, &rubric.Case{}, g, grade.Submission{})
	var d differences
	d.resultLater(decode[map[string]any](t, c.Expected), out.Result)
	return d.err()
}

func deterministicAssert(t *testing.T, c testCase) error {
	in := decode[struct {
		Assert config `json:"assert"`
		Output string `json:"output"`
	}](t, c.Input)
	out := grade.Grade(t.Context(), grade.Ports{Profile: laterProfiles[c.Dialect]}, &rubric.Case{}, in.Assert.graderLater(t), grade.Submission{Answer: in.Output})
	var d differences
	d.resultLater(decode[map[string]any](t, c.Expected), out.Result)
	return d.err()
}
