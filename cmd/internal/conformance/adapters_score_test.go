package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func init() {
	for kind, run := range map[string]adapter{
		"rubric_score": rubricScore, "rubric_score_float_boundary": rubricScore, "judge_freeform": judgeFreeform,
		"verdict": verdict, "json_extract": jsonExtract, "case_aggregate": caseAggregate, "code_judge": codeJudge,
		"field_accuracy": fieldAccuracy, "tool_trajectory": toolTrajectory, "latency": limited(rubric.Latency),
		"cost": limited(rubric.Cost), "token_usage": limited(rubric.TokenUsage),
		"compare": compare, "compare_classify": compareClassify, "compare_load": compareLoad,
	} {
		adapters[kind] = run
	}
}

// item is a rubric item as the reference holds it after parsing: what is absent
// there is not defaulted any more.
type item struct {
	ID       string   `json:"id"`
	Text     string   `json:"expected_outcome"`
	Weight   *float64 `json:"weight"`
	Required *bool    `json:"required"`
	MinScore *float64 `json:"required_min_score"`
	Ranges   []struct {
		Range [2]float64 `json:"score_range"`
		Text  string     `json:"expected_outcome"`
	} `json:"score_ranges"`
}

func criteria(items []item) []*rubric.Criterion {
	var all []*rubric.Criterion
	for _, i := range items {
		c := &rubric.Criterion{ID: i.ID, Text: i.Text, Weight: 1, Required: i.Required, MinScore: i.MinScore}
		if i.Weight != nil {
			c.Weight = *i.Weight
		}
		if i.Required == nil {
			c.Required = new(bool)
		}
		for _, r := range i.Ranges {
			c.Bands = append(c.Bands, rubric.Band{Lo: r.Range[0], Hi: r.Range[1], Text: r.Text})
		}
		all = append(all, c)
	}
	return all
}

func rubricScore(t *testing.T, c testCase) error {
	in := decode[struct {
		Reply   json.RawMessage `json:"judge_response"`
		Rubrics []item          `json:"rubrics"`
	}](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	j := newScripted(withReasons(c, in.Reply))
	g := &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: criteria(in.Rubrics)}
	out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	var d differences
	d.check(want, "judge_calls", j.calls, 0)
	if _, failed := want["error"]; failed {
		if out.Result.Score == nil || *out.Result.Score != 0 || len(out.Result.Misses) != 1 || !strings.Contains(out.Result.Misses[0], "failed") {
			d = append(d, fmt.Sprintf("no failure but %+v", out.Result))
		}
		return d.err()
	}
	tolerance := 1e-6
	if c.Kind == "rubric_score_float_boundary" {
		tolerance = 0
	}
	d.result(want, out.Result, tolerance)
	d.check(want, "expected_aspect_count", len(out.Criteria), 0)
	return d.err()
}

// withReasons returns the reply of a test that abbreviates it with the reasons that a judge gives.
func withReasons(c testCase, reply json.RawMessage) json.RawMessage {
	var full map[string]any
	if !strings.HasPrefix(c.Name, "test:") || json.Unmarshal(reply, &full) != nil || full["checks"] == nil {
		return reply
	}
	if full["overall_reasoning"] == nil {
		full["overall_reasoning"] = ""
	}
	for _, check := range full["checks"].([]any) {
		if check := check.(map[string]any); check["satisfied"] == nil {
			return reply
		} else if check["reasoning"] == nil {
			check["reasoning"] = ""
		}
	}
	return json.RawMessage(encoded(full))
}

func judgeFreeform(t *testing.T, c testCase) error {
	in := decode[struct {
		Reply json.RawMessage `json:"judge_response"`
	}](t, c.Input)
	j := newScripted(in.Reply)
	g := &rubric.Grader{Name: "judge", Kind: rubric.LLMJudge, Weight: 1}
	out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	want := decode[map[string]any](t, c.Expected)
	var d differences
	d.result(want, out.Result, 1e-6)
	d.check(want, "judge_calls", j.calls, 0)
	return d.err()
}

func verdict(t *testing.T, c testCase) error {
	in := decode[struct{ Score float64 }](t, c.Input)
	var d differences
	d.check(decode[map[string]any](t, c.Expected), "verdict", score.VerdictOf(in.Score), 0)
	return d.err()
}

func jsonExtract(t *testing.T, c testCase) error {
	in := decode[struct{ Text string }](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	got, err := grade.ExtractJSON(in.Text)
	if _, fails := want["error"]; fails != (err != nil) {
		return fmt.Errorf("extracted %v, error %v", got, err)
	}
	if err == nil && !reflect.DeepEqual(got, want["value"]) {
		return fmt.Errorf("extracted %v", got)
	}
	return nil
}

func caseAggregate(t *testing.T, c testCase) error {
	in := decode[config](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	var parts []score.WeightedResult
	var rows []any
	if scores, ok := in["scores"].([]any); ok {
		weights, _ := in["weights"].([]any)
		for i, s := range scores {
			value, _ := s.(float64)
			weight := 1.0
			if i < len(weights) {
				if w, ok := weights[i].(float64); ok {
					weight = w
				}
			}
			parts = append(parts, score.WeightedResult{Weight: weight, Result: score.PlainResult(value, nil, nil, "")})
		}
	}
	replies, _ := json.Marshal(in.get("judge"))
	j := newScripted(replies)
	provider, _ := in["provider"].(map[string]any)
	graders := []*rubric.Grader{}
	for _, e := range in.list("evaluators") {
		graders = append(graders, e.grader(t))
	}
	if len(graders) == 0 && len(parts) == 0 && len(j.replies) > 0 && in.get("judge") != nil {
		graders = grade.GradersOf(&rubric.Case{})
	}
	for _, g := range graders {
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Exec: shell, Profile: score.AgentV}, &rubric.Case{}, g,
			grade.Submission{Answer: "ans", Trace: config(provider).trace()})
		parts = append(parts, score.WeightedResult{Name: g.Name, Weight: g.Weight, Result: out.Result})
		rows = append(rows, map[string]any{"name": g.Name, "type": g.Kind, "score": referenceScore(out.Result), "verdict": out.Result.Verdict, "weight": g.Weight})
	}
	got := score.Case(score.AgentV, nil, parts)
	var d differences
	d.check(want, "score", got.Score, 1e-6)
	d.check(want, "hits", got.Hits, 0)
	d.check(want, "misses", got.Misses, 0)
	expected, _ := want["evaluator_results"].([]any)
	if len(expected) > 0 && len(expected) != len(rows) {
		d = append(d, fmt.Sprintf("%d evaluator results, want %d", len(rows), len(expected)))
		return d.err()
	}
	for i, e := range expected {
		row, _ := e.(map[string]any)
		for _, key := range sortedKeys(row) {
			d.check(row, key, rows[i].(map[string]any)[key], 1e-6)
		}
	}
	return d.err()
}

func limited(kind rubric.Kind) adapter {
	return func(t *testing.T, c testCase) error {
		in := decode[config](t, c.Input)
		settings := in
		if nested, ok := in["config"].(map[string]any); ok {
			settings = nested
		}
		g := &rubric.Grader{Name: "limit", Kind: kind, Weight: 1, Limits: settings.limits(kind)}
		out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Trace: in.trace()})
		var d differences
		d.result(decode[map[string]any](t, c.Expected), out.Result, 1e-6)
		return d.err()
	}
}

// shell runs a program for real: the cases are shell lines.
func shell(ctx context.Context, cmd grade.Command) (grade.Output, error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, cmd.Argv[0], cmd.Argv[1:]...)
	c.Stdin, c.Stdout, c.Stderr, c.Dir = bytes.NewReader(cmd.Stdin), &stdout, &stderr, cmd.Dir
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return grade.Output{}, err
	}
	return grade.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Code: c.ProcessState.ExitCode()}, nil
}

func codeJudge(t *testing.T, c testCase) error {
	in := decode[struct{ Shell string }](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	var d differences
	if keys, ok := want["keys"]; ok {
		var seen []string
		spy := func(_ context.Context, cmd grade.Command) (grade.Output, error) {
			seen = topLevelKeys(cmd.Stdin)
			return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
		}
		g := &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"judge"}}}
		grade.Grade(t.Context(), grade.Ports{Exec: spy, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{})
		d.check(want, "keys", seen, 0)
		if keys == nil {
			d = append(d, "no keys")
		}
		return d.err()
	}
	g := &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"sh", "-c", in.Shell}}}
	out := grade.Grade(t.Context(), grade.Ports{Exec: shell, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	d.result(want, out.Result, 1e-6)
	d.check(want, "has_details", out.Result.Details != nil, 0)
	return d.err()
}

func topLevelKeys(object []byte) []string {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.Token()
	var keys []string
	for dec.More() {
		key, _ := dec.Token()
		keys = append(keys, fmt.Sprint(key))
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			break
		}
	}
	return keys
}

func fieldAccuracy(t *testing.T, c testCase) error {
	in := decode[struct {
		Candidate json.RawMessage `json:"candidate"`
		Config    config          `json:"config"`
		Expected  any             `json:"expected_content"`
	}](t, c.Input)
	var answer string
	if json.Unmarshal(in.Candidate, &answer) != nil {
		answer = string(in.Candidate)
	}
	in.Config["type"] = string(rubric.FieldAccuracy)
	kase := &rubric.Case{}
	if in.Expected != nil {
		kase.Expected = []rubric.Message{{Role: "assistant", Content: in.Expected}}
	}
	out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, kase, in.Config.grader(t), grade.Submission{Answer: answer})
	var d differences
	d.result(decode[map[string]any](t, c.Expected), out.Result, 1e-6)
	return d.err()
}

func toolTrajectory(t *testing.T, c testCase) error {
	in := decode[struct {
		Calls  []config `json:"calls"`
		Config config   `json:"config"`
	}](t, c.Input)
	var sub grade.Submission
	for _, call := range in.Calls {
		sub.ToolCalls = append(sub.ToolCalls, grade.ToolCall{
			Tool: call.text("tool", "name"), Input: call.get("input", "args"), DurationMS: call.number("durationMs", "duration_ms"),
		})
	}
	in.Config["type"] = string(rubric.ToolTrajectory)
	out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, &rubric.Case{}, in.Config.grader(t), sub)
	var d differences
	d.result(decode[map[string]any](t, c.Expected), out.Result, 1e-6)
	return d.err()
}
