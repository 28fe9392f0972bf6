package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func init() {
	for kind, run := range map[string]adapter{
		"rubric_score": rubricScore, "rubric_score_float_boundary": rubricScore, "judge_freeform": judgeFreeform,
		"verdict": verdict, "json_extract": jsonExtract, "case_aggregate": caseAggregate, "code_judge": codeJudge,
		"field_accuracy": fieldAccuracy, "tool_trajectory": toolTrajectory, "latency": limited(rubric.Latency),
		"cost": limited(rubric.Cost), "token_usage": limited(rubric.TokenUsage),
		"compare": compare, "compare_classify": compareClassify, "compare_exit": compareExit, "compare_load": compareLoad,
	} {
		adapters[kind] = run
	}
}

// read decodes a case's input or expectation.
func read[T any](t *testing.T, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// scripted replies with one text after another, then with the last for ever.
type scripted struct {
	replies []string
	asked   int
}

func (s *scripted) Ask(context.Context, judge.Question) (judge.Answer, error) {
	s.asked++
	if len(s.replies) == 0 {
		return judge.Answer{}, judge.ErrUnreachable
	}
	return judge.Answer{Text: s.replies[min(s.asked, len(s.replies))-1]}, nil
}

// newScripted reads a reply, or a list of them, each a text or an object.
func newScripted(raw json.RawMessage) *scripted {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	s := &scripted{}
	for _, r := range list {
		var text string
		if json.Unmarshal(r, &text) != nil {
			text = string(r)
		}
		s.replies = append(s.replies, text)
	}
	return s
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

// differences compares an outcome with an expectation, key by key. Numbers are
// compared within a millionth unless exact; hits and misses by count where the
// expectation is a number.
type differences []string

func (d *differences) check(want map[string]any, key string, got any, tolerance float64) {
	expected, asked := want[key]
	if !asked {
		return
	}
	if n, ok := expected.(float64); ok {
		value := reflect.ValueOf(got)
		switch {
		case value.Kind() == reflect.Slice:
			got = float64(value.Len())
		case value.CanInt():
			got = float64(value.Int())
		}
		if f, ok := got.(float64); ok && math.Abs(f-n) <= tolerance {
			return
		}
	}
	gotJSON, _ := json.Marshal(got)
	wantJSON, _ := json.Marshal(expected)
	if !bytes.Equal(gotJSON, wantJSON) {
		*d = append(*d, fmt.Sprintf("%s is %s, want %s", key, gotJSON, wantJSON))
	}
}

func (d differences) err() error {
	if len(d) == 0 {
		return nil
	}
	return errors.New(strings.Join(d, "; "))
}

func (d *differences) result(want map[string]any, r score.Result, tolerance float64) {
	d.check(want, "score", r.Score, tolerance)
	d.check(want, "verdict", r.Verdict, 0)
	d.check(want, "hits", r.Hits, 0)
	d.check(want, "misses", r.Misses, 0)
	d.check(want, "reasoning", r.Reasoning, 0)
	if details, ok := want["details"]; ok {
		got, _ := json.Marshal(r.Details)
		var plain any
		json.Unmarshal(got, &plain)
		if !reflect.DeepEqual(plain, details) {
			*d = append(*d, fmt.Sprintf("details are %s", got))
		}
	}
}

func rubricScore(t *testing.T, c testCase) error {
	in := read[struct {
		Reply   json.RawMessage `json:"judge_response"`
		Rubrics []item          `json:"rubrics"`
	}](t, c.Input)
	want := read[map[string]any](t, c.Expected)
	j := newScripted(in.Reply)
	g := &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: criteria(in.Rubrics)}
	out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	var d differences
	d.check(want, "judge_calls", j.asked, 0)
	if _, failed := want["error"]; failed {
		if out.Result.Score != 0 || len(out.Result.Misses) != 1 || !strings.Contains(out.Result.Misses[0], "failed") {
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

func judgeFreeform(t *testing.T, c testCase) error {
	in := read[struct {
		Reply json.RawMessage `json:"judge_response"`
	}](t, c.Input)
	j := newScripted(in.Reply)
	g := &rubric.Grader{Name: "judge", Kind: rubric.LLMJudge, Weight: 1}
	out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	want := read[map[string]any](t, c.Expected)
	var d differences
	d.result(want, out.Result, 1e-6)
	d.check(want, "judge_calls", j.asked, 0)
	return d.err()
}

func verdict(t *testing.T, c testCase) error {
	in := read[struct{ Score float64 }](t, c.Input)
	var d differences
	d.check(read[map[string]any](t, c.Expected), "verdict", score.VerdictOf(in.Score), 0)
	return d.err()
}

func jsonExtract(t *testing.T, c testCase) error {
	in := read[struct{ Text string }](t, c.Input)
	want := read[map[string]any](t, c.Expected)
	got, err := grade.Extract(in.Text)
	if _, fails := want["error"]; fails != (err != nil) {
		return fmt.Errorf("extracted %v, error %v", got, err)
	}
	if err == nil && !reflect.DeepEqual(got, want["value"]) {
		return fmt.Errorf("extracted %v", got)
	}
	return nil
}

// config is an evaluator as the reference's code configures it: keys in either
// of its two spellings.
type config map[string]any

func (c config) get(keys ...string) any {
	for _, k := range keys {
		if v, ok := c[k]; ok {
			return v
		}
	}
	return nil
}

func (c config) text(keys ...string) string {
	s, _ := c.get(keys...).(string)
	return s
}

func (c config) number(keys ...string) *float64 {
	if n, ok := c.get(keys...).(float64); ok {
		return &n
	}
	return nil
}

func (c config) list(key string) []config {
	items, _ := c[key].([]any)
	var all []config
	for _, i := range items {
		m, _ := i.(map[string]any)
		all = append(all, m)
	}
	return all
}

func (c config) grader(t *testing.T) *rubric.Grader {
	g := &rubric.Grader{Name: c.text("name"), Kind: rubric.Kind(c.text("type")), Weight: 1}
	if w := c.number("weight"); w != nil {
		g.Weight = *w
	}
	if c["rubrics"] != nil {
		raw, _ := json.Marshal(c["rubrics"])
		g.Criteria = criteria(read[[]item](t, raw))
	}
	if p := c.text("prompt"); p != "" {
		g.Prompt = &rubric.Prompt{Text: p}
	}
	g.Limits = c.limits(g.Kind)
	g.Steps = c.steps()
	g.Fields, g.AllOrNothing = c.fields(), c.text("aggregation") == "all_or_nothing"
	if script := c.get("script"); script != nil {
		g.Code = &rubric.Code{Argv: argv(script)}
	}
	for _, m := range c.list("evaluators") {
		g.Members = append(g.Members, m.grader(t))
	}
	if a, ok := c["aggregator"].(map[string]any); ok {
		agg := config(a)
		g.Combine = &rubric.Aggregator{Type: agg.text("type"), Path: agg.text("path"), Prompt: agg.text("prompt"), Weights: map[string]float64{}}
		weights, _ := a["weights"].(map[string]any)
		for name, w := range weights {
			g.Combine.Weights[name], _ = w.(float64)
		}
	}
	return g
}

func argv(script any) []string {
	if line, ok := script.(string); ok {
		return []string{"sh", "-lc", line}
	}
	var args []string
	items, _ := script.([]any)
	for _, i := range items {
		args = append(args, fmt.Sprint(i))
	}
	return args
}

func (c config) limits(kind rubric.Kind) *rubric.Limits {
	l := &rubric.Limits{
		CostUSD:     c.number("budget", "max_cost_usd", "maxCostUsd"),
		TotalTokens: c.number("max_total", "maxTotal", "max_tokens", "maxTokens"),
		InputTokens: c.number("max_input", "maxInput"), OutputTokens: c.number("max_output", "maxOutput"),
		ToolCalls: c.number("max_tool_calls"), LLMCalls: c.number("max_llm_calls"),
		DurationMS: c.number("max_duration_ms"), ExplorationRatio: c.number("target_exploration_ratio"), ExplorationSlack: 0.2,
	}
	if kind == rubric.Latency {
		l.DurationMS = c.number("threshold")
	}
	return l
}

func (c config) steps() *rubric.Trajectory {
	s := &rubric.Trajectory{Mode: c.text("mode")}
	minimums, _ := c["minimums"].(map[string]any)
	for _, tool := range sortedKeys(minimums) {
		n, _ := minimums[tool].(float64)
		s.Minimums = append(s.Minimums, rubric.Minimum{Tool: tool, Count: n})
	}
	for _, e := range c.list("expected") {
		step := rubric.ToolStep{Tool: e.text("tool"), MaxDurationMS: e.number("maxDurationMs", "max_duration_ms")}
		step.Args, _ = e["args"].(map[string]any) // the word `any` asks for none in particular
		s.Expected = append(s.Expected, step)
	}
	return s
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func (c config) fields() []rubric.Field {
	var all []rubric.Field
	for _, f := range c.list("fields") {
		field := rubric.Field{Path: f.text("path"), Match: f.text("match"), Required: true, Weight: 1}
		if required, ok := f["required"].(bool); ok {
			field.Required = required
		}
		if w := f.number("weight"); w != nil {
			field.Weight = *w
		}
		if tolerance := f.number("tolerance"); tolerance != nil {
			field.Tolerance = *tolerance
		}
		field.Relative, _ = f["relative"].(bool)
		formats, _ := f["formats"].([]any)
		for _, format := range formats {
			field.Formats = append(field.Formats, fmt.Sprint(format))
		}
		all = append(all, field)
	}
	return all
}

// trace is what the reference's provider reports of a run, in either spelling.
func (c config) trace() *grade.Trace {
	tr := &grade.Trace{DurationMS: c.number("duration_ms", "durationMs"), CostUSD: c.number("cost_usd", "costUsd")}
	if usage, ok := c.get("token_usage", "tokenUsage").(map[string]any); ok {
		tr.TokenUsage = &grade.Tokens{}
		for key, field := range map[string]*float64{"input": &tr.TokenUsage.Input, "output": &tr.TokenUsage.Output, "cached": &tr.TokenUsage.Cached} {
			if n := config(usage).number(key); n != nil {
				*field = *n
			}
		}
	}
	return tr
}

func limited(kind rubric.Kind) adapter {
	return func(t *testing.T, c testCase) error {
		in := read[config](t, c.Input)
		settings := in
		if nested, ok := in["config"].(map[string]any); ok {
			settings = nested
		}
		g := &rubric.Grader{Name: "limit", Kind: kind, Weight: 1, Limits: settings.limits(kind)}
		out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Trace: in.trace()})
		var d differences
		d.result(read[map[string]any](t, c.Expected), out.Result, 1e-6)
		return d.err()
	}
}

func caseAggregate(t *testing.T, c testCase) error {
	in := read[config](t, c.Input)
	want := read[map[string]any](t, c.Expected)
	var parts []score.Weighted
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
			parts = append(parts, score.Weighted{Weight: weight, Result: score.Plain(value, nil, nil, "")})
		}
	}
	replies, _ := json.Marshal(in.get("judge"))
	j := newScripted(replies)
	provider, _ := in["provider"].(map[string]any)
	for _, e := range in.list("evaluators") {
		g := e.grader(t)
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Exec: shell, Profile: score.AgentV}, &rubric.Case{}, g,
			grade.Submission{Answer: "ans", Trace: config(provider).trace()})
		parts = append(parts, score.Weighted{Name: g.Name, Weight: g.Weight, Result: out.Result})
		rows = append(rows, map[string]any{"name": g.Name, "type": g.Kind, "score": out.Result.Score, "verdict": out.Result.Verdict, "weight": g.Weight})
	}
	got := score.Case(score.AgentV, parts)
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
	in := read[struct{ Shell string }](t, c.Input)
	want := read[map[string]any](t, c.Expected)
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
	in := read[struct {
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
	d.result(read[map[string]any](t, c.Expected), out.Result, 1e-6)
	return d.err()
}

func toolTrajectory(t *testing.T, c testCase) error {
	in := read[struct {
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
	d.result(read[map[string]any](t, c.Expected), out.Result, 1e-6)
	return d.err()
}

func compare(t *testing.T, c testCase) error {
	in := read[struct {
		A, B      map[string]float64
		Threshold *float64
	}](t, c.Input)
	threshold := score.DefaultThreshold
	if in.Threshold != nil {
		threshold = *in.Threshold
	}
	raw, _ := json.Marshal(score.Compare(in.A, in.B, threshold))
	got := read[map[string]any](t, raw)
	want := read[map[string]any](t, c.Expected)
	var d differences
	for _, key := range sortedKeys(want) {
		if !slices.Contains(sortedKeys(got), key) {
			d = append(d, "no "+key)
			continue
		}
		d.check(want, key, got[key], 1e-6)
	}
	return d.err()
}

func compareClassify(t *testing.T, c testCase) error {
	in := read[struct{ Delta, Threshold float64 }](t, c.Input)
	var d differences
	d.check(read[map[string]any](t, c.Expected), "outcome", score.Classify(in.Delta, in.Threshold), 0)
	return d.err()
}

func compareExit(t *testing.T, c testCase) error {
	in := read[struct {
		Mean float64 `json:"mean_delta"`
	}](t, c.Input)
	exit := 1
	if (score.Comparison{MeanDelta: in.Mean}).NoWorse() {
		exit = 0
	}
	var d differences
	d.check(read[map[string]any](t, c.Expected), "exit", exit, 0)
	return d.err()
}

func compareLoad(t *testing.T, c testCase) error {
	in := read[struct{ Lines []string }](t, c.Input)
	want := read[map[string]any](t, c.Expected)
	got, err := score.ReadScores(strings.NewReader(strings.Join(in.Lines, "\n")))
	fault := ""
	switch {
	case errors.Is(err, score.ErrNoID):
		fault = "missing_eval_id"
	case errors.Is(err, score.ErrNoScore):
		fault = "missing_score"
	case err != nil:
		return err
	}
	if expected, _ := want["error"].(string); fault != expected {
		return fmt.Errorf("error %q, scores %v", fault, got)
	}
	return nil
}
