package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func says(text string) judge.Judge {
	return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { return judge.Answer{Text: text}, nil })
}

func line(t *testing.T, r run.Record) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readBack(t *testing.T, text string) (r run.Record) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// ranged is a rubric of n criteria that are graded 0 to 10.
func ranged(n int) *rubric.Grader {
	g := &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1}
	for i := range n {
		least := 3.0
		g.Criteria = append(g.Criteria, &rubric.Criterion{
			ID: string(rune('a' + i)), Text: fmt.Sprint("aspect ", i), Weight: 1, MinScore: &least,
			Bands: []rubric.Band{{Lo: 0, Hi: 6, Text: "poor"}, {Lo: 7, Hi: 10, Text: "fine"}},
		})
	}
	return g
}

func scores(values ...int) string {
	var checks []string
	for i, v := range values {
		checks = append(checks, fmt.Sprintf(`{"id":"%c","score":%d,"reasoning":"r"}`, 'a'+i, v))
	}
	return `{"checks":[` + strings.Join(checks, ",") + `],"overall_reasoning":"all in all"}`
}

// held is g, negated, as a gate of its case.
func held(g *rubric.Grader) *rubric.Grader {
	strict, least := *g, 0.25
	strict.Negate, strict.Required, strict.MinScore = true, true, &least
	return &strict
}

// TestRescore: a record holds everything that scoring needs. Decoded and scored again, it gives
// the same line.
func TestRescore(t *testing.T) {
	budget := 1.0
	cheap := &rubric.Grader{Name: "cheap", Kind: rubric.Cost, Weight: 2, Limits: &rubric.Limits{CostUSD: &budget}}
	composite := func(how string) *rubric.Grader {
		return &rubric.Grader{Name: "all", Kind: rubric.Composite, Weight: 1, Members: []*rubric.Grader{ranged(3), cheap},
			Combine: &rubric.Aggregator{Type: how, Path: "x", Weights: map[string]float64{"rubric": 14, "cheap": 1}}}
	}
	program := func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: []byte(`{"score":0.5,"details":{"z":1,"a":[2]}}`)}, nil
	}
	fields := &rubric.Grader{Name: "fields", Kind: rubric.FieldAccuracy, Weight: 1, Fields: []rubric.Field{
		{Path: "a", Match: "exact", Weight: 2}, {Path: "b", Match: "exact", Weight: 1, Required: true},
	}}
	thirds := suite(1).Cases[0].Graders[0]
	finds := func(path string, weight float64) *rubric.Grader {
		return &rubric.Grader{Name: path, Kind: rubric.FieldAccuracy, Weight: weight, Fields: []rubric.Field{{Path: path, Match: "exact", Weight: 1}}}
	}
	half := 0.5
	two := rubric.Grader{Name: "two of three", Weight: 3, Kind: rubric.AssertSet, Threshold: &half, Members: []*rubric.Grader{finds("a", 1), finds("a", 1), finds("refund", 1)}}
	counted, not := two, two
	counted.Kind, counted.Combine = rubric.Composite, &rubric.Aggregator{Type: "threshold", Threshold: &half}
	not.Negate = true
	for _, c := range []struct {
		name    string
		judge   judge.Judge
		samples int
		graders []*rubric.Grader
	}{
		{"a rubric", reader, 1, []*rubric.Grader{thirds}},
		{"scores", says(scores(7, 7, 10)), 1, []*rubric.Grader{ranged(3)}},
		{"votes", says(scores(7, 7, 10)), 3, []*rubric.Grader{ranged(3), cheap}},
		{"a gate", says(scores(10, 10, 2)), 1, []*rubric.Grader{ranged(3)}},
		{"a criterion left out", says(scores(10, 10)), 1, []*rubric.Grader{ranged(3)}},
		{"no criteria named", says(`{"checks":[],"overall_reasoning":"hm"}`), 1, []*rubric.Grader{ranged(3)}},
		{"rubbish", says("no"), 1, []*rubric.Grader{ranged(3), cheap}},
		{"no judge", nil, 1, []*rubric.Grader{ranged(3)}},
		{"a free judge", says(`{"score":0.7}`), 3, []*rubric.Grader{{Name: "judge", Kind: rubric.LLMJudge, Weight: 1}}},
		{"a composite", says(scores(7, 7, 10)), 1, []*rubric.Grader{composite("weighted_average"), cheap}},
		{"a composite by a program", says(scores(7, 7, 2)), 1, []*rubric.Grader{composite("code_judge")}},
		{"a program", nil, 1, []*rubric.Grader{{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"x"}}}}},
		{"fields and thirds", reader, 1, []*rubric.Grader{fields, thirds}},
		{"a rubric held to terms", reader, 1, []*rubric.Grader{held(thirds), cheap}},
		{"a composite held to terms", says(scores(7, 7, 10)), 1, []*rubric.Grader{held(composite("weighted_average")), cheap}},
		{"a set", reader, 1, []*rubric.Grader{{Name: "set", Kind: rubric.AssertSet, Weight: 1, Members: []*rubric.Grader{held(thirds), cheap}}}},
		{"0.8 with two of three", nil, 1, []*rubric.Grader{&two, finds("a", 2)}},
		{"0.8 with two of three that are counted", nil, 1, []*rubric.Grader{&counted, finds("a", 2)}},
		{"0.8 with one of three", nil, 1, []*rubric.Grader{&not, finds("a", 7)}},
		{"a score of its own", says(`{"pass":true,"score":0.3}`), 1, []*rubric.Grader{held(thirds)}},
		{"nothing known", reader, 1, []*rubric.Grader{{Name: "fast", Kind: rubric.Latency, Weight: 1, Limits: &rubric.Limits{DurationMS: &budget}}}},
	} {
		for _, profile := range score.Profiles {
			s := suite(1)
			s.Cases[0].Graders, s.Cases[0].Expected = c.graders, []rubric.Message{{Role: "assistant", Content: `{"a":1,"b":2,"refund":"none"}`}}
			r := run.Runner{Target: answer(`{"a":1,"refund":"refund"}`), Judge: c.judge, Samples: c.samples, Exec: program, Profile: profile}
			before := line(t, one(t, r, s))
			if after := line(t, run.Rescore(readBack(t, before), profile)); after != before {
				t.Errorf("%s, %s: scored again it is\n%s\nand was\n%s", c.name, profile, after, before)
			}
			stored := readBack(t, before)
			other := score.Spec
			if profile == score.Spec {
				other = score.AgentV
			}
			if changed := run.Rescore(stored, other); changed.Profile != other || line(t, stored) != before {
				t.Errorf("%s, %s: scoring changes the record it is given", c.name, profile)
			}
		}
	}
}

// TestRescoreInAnotherProfile gives what a run would have given.
func TestRescoreInAnotherProfile(t *testing.T) {
	for _, c := range []struct {
		name         string
		reply        string
		spec, agentv score.Verdict
		ungraded     int // under the spec
	}{
		{"7, 7 and 10", scores(7, 7, 10), score.Pass, score.Borderline, 0},
		{"a gate is no case's gate", scores(10, 10, 2), score.Fail, score.Borderline, 0},
		{"rubbish", "no", score.Ungraded, score.Fail, 3},
	} {
		runs := map[score.Profile]run.Record{}
		for _, profile := range []score.Profile{score.Spec, score.AgentV} {
			s := suite(1)
			s.Cases[0].Graders = []*rubric.Grader{ranged(3)}
			runs[profile] = one(t, run.Runner{Target: answer("x"), Judge: says(c.reply), Profile: profile}, s)
		}
		for from, to := range map[score.Profile]score.Profile{score.Spec: score.AgentV, score.AgentV: score.Spec} {
			got, want := run.Rescore(readBack(t, line(t, runs[from])), to), runs[to]
			if value(got) != value(want) || got.Verdict != want.Verdict || got.Ungraded != want.Ungraded || !reflect.DeepEqual(got.Gates, want.Gates) && c.name != "rubbish" {
				t.Errorf("%s, %s as %s: %v %s, %d ungraded; a run gives %v %s, %d", c.name, from, to, value(got), got.Verdict, got.Ungraded, value(want), want.Verdict, want.Ungraded)
			}
		}
		if s, a := runs[score.Spec], runs[score.AgentV]; s.Verdict != c.spec || a.Verdict != c.agentv || s.Ungraded != c.ungraded {
			t.Errorf("%s: %s with %d ungraded, and %s", c.name, s.Verdict, s.Ungraded, a.Verdict)
		}
	}
	lost := run.Rescore(readBack(t, `{"profile":"agentv","evaluator_results":[{"name":"rubric","weight":1,"score":0,"verdict":"fail",
		"misses":["evaluator failed"],"criteria":[{"id":"a","weight":1,"required":true}]}]}`), score.Spec)
	if lost.Ungraded != 1 || !strings.Contains(strings.Join(lost.Reasons, " "), "evaluator failed") {
		t.Errorf("a judge that was of no use is ungraded with its reason: %+v", lost)
	}
	failed := run.Record{Error: "x", Verdict: score.Fail, Profile: score.Spec, Ungraded: 1}
	if got := run.Rescore(failed, score.AgentV); got.Verdict != score.Fail || got.Error != "x" || got.Ungraded != 1 {
		t.Errorf("what was not run stays: %+v", got)
	}
}

// TestSchemasReachTheirGraders, which have nothing else to apply them with.
func TestSchemasReachTheirGraders(t *testing.T) {
	applied := func(any, any) ([]string, error) { return []string{"too small"}, nil }
	s := suite(1)
	s.Cases[0].Graders = []*rubric.Grader{{Name: "json", Kind: rubric.Deterministic, Weight: 1,
		Assert: &rubric.Assertion{Type: rubric.IsJSON, Value: map[string]any{"minimum": 2.0}}}}
	r := one(t, run.Runner{Target: answer("1"), Schema: applied}, s)
	if len(r.Misses) != 1 || r.Misses[0] != "too small" {
		t.Errorf("%+v", r)
	}
}

// TestLineKeys keeps the names in result files, which others read.
func TestLineKeys(t *testing.T) {
	s := suite(1)
	s.Cases[0].ConversationID = "talk"
	second := ranged(1)
	second.Criteria = append(second.Criteria, &rubric.Criterion{ID: rubric.AutoID(7), Text: "Is kind", Weight: 1})
	s.Cases[0].Graders = []*rubric.Grader{{Name: "all", Kind: rubric.Composite, Weight: 1, Members: s.Cases[0].Graders}, second}
	rec := one(t, run.Runner{Target: answer("label"), TargetName: "mock", Judge: reader, JudgeName: "reader", Samples: 2}, s)
	object := map[string]any{}
	if err := json.Unmarshal([]byte(line(t, rec)), &object); err != nil {
		t.Fatal(err)
	}
	first := func(list any) map[string]any { return list.([]any)[0].(map[string]any) }
	composite := first(object["evaluator_results"])
	member := first(composite["evaluator_results"])
	scored := object["evaluator_results"].([]any)[1].(map[string]any)
	for _, c := range []struct {
		what string
		of   map[string]any
		want string
	}{
		{"a line", object, "candidate_answer case_fingerprint conversation_id dataset eval_id evaluator_results expected_outcome gates hits judge misses " +
			"profile question reasoning reasons samples score target trace_summary ungraded verdict"},
		{"a composite", composite, "aggregator evaluator_results gates hits misses name reasoning score type verdict weight"},
		{"a rubric", member, "criteria evaluator_provider_request gates grades hits misses name reasoning replies score type verdict weight"},
		{"what is ungraded", scored, "criteria details evaluator_provider_request gates grades hits misses name reasoning replies score type ungraded verdict weight"},
		{"a grade", first(member["grades"]), "agreement flip_rate id opinions reasoning required satisfied weight"},
		{"an ungraded one", first(scored["grades"]), "id opinions reasoning required ungraded weight"},
		{"a gate", first(object["gates"]), "grader id met reason"},
		{"a criterion", first(scored["criteria"]), "expected_outcome id required required_min_score score_ranges weight"},
		{"one with an id that reads as a number", scored["criteria"].([]any)[1].(map[string]any), "expected_outcome id id_written required weight"},
		{"a range", first(first(scored["criteria"])["score_ranges"]), "expected_outcome score_range"},
		{"a request", member["evaluator_provider_request"].(map[string]any), "system_prompt user_prompt"},
		{"a reply", first(member["replies"]), "model text usage"},
		{"a reply of no use", first(scored["replies"]), "model problems text usage"},
	} {
		var keys []string
		for key := range c.of {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%s has\n%s, want\n%s", c.what, got, c.want)
		}
	}
}

// TestWriteLine: a line keeps HTML characters as they are, ends with one newline, and
// is not written at all if JSON lacks one of its numbers.
func TestWriteLine(t *testing.T) {
	var out bytes.Buffer
	rec := run.Record{EvalID: "a", CandidateAnswer: "<b> & é \u2028\xff"}
	if err := rec.WriteLine(&out); err != nil {
		t.Fatal(err)
	}
	if line, ended := strings.CutSuffix(out.String(), "}\n"); !ended || strings.Contains(line, "\n") || !strings.Contains(line, `"<b> & é \u2028\ufffd"`) {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	rec.Score = new(math.NaN())
	if err := rec.WriteLine(&out); err == nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestExecution: under the profiles of later versions a record says how they
// would sort it, and under the others it does not.
func TestExecution(t *testing.T) {
	one := &rubric.Suite{Cases: []*rubric.Case{{ID: "a", ReferenceAnswer: "R"}}}
	for _, c := range []struct {
		profile score.Profile
		target  run.Target
		want    string
	}{
		{score.AgentVHead, run.Recording{}.Respond, `"execution_status":"execution_error","failure_stage":"agent"`},
		{score.AgentVHead, run.SelfTarget, `"execution_status":"execution_error","failure_stage":"evaluator"`}, // there is no judge
		{score.Spec, run.SelfTarget, ""},
	} {
		for e := range (run.Runner{Target: c.target, Profile: c.profile}).Run(t.Context(), one, nil) {
			if e.Record == nil {
				continue
			}
			line, err := json.Marshal(e.Record)
			if err != nil || !strings.Contains(string(line), c.want) || c.want == "" && strings.Contains(string(line), "execution_status") {
				t.Errorf("%s: %s, %v", c.profile, line, err)
			}
			if again := run.Rescore(*e.Record, score.Spec); again.Execution != nil {
				t.Errorf("%s, scored by the rules: %+v", c.profile, again.Execution)
			}
		}
	}
}

// TestRescoreSkipsUnread: a grader that the reference does not read has grades by the rules alone, and
// a record can be rescored without its case.
func TestRescoreSkipsUnread(t *testing.T) {
	s := suite(1)
	s.Cases[0].Graders = []*rubric.Grader{ranged(3)}
	rec := one(t, run.Runner{Target: answer("x"), Judge: says(scores(7, 7, 10))}, s)
	unread := *ranged(3)
	unread.Name, unread.Unread = "unread", true
	s.Cases[0].Graders = append(s.Cases[0].Graders, &unread)
	for profile, want := range map[score.Profile]int{score.Spec: 3, score.AgentV: 0, "": 3} {
		if got := run.RescoreCase(rec, s.Cases[0], profile); len(got.Stale) != want {
			t.Errorf("%q: %q has no grades, want %d", profile, got.Stale, want)
		}
		if got := run.RescoreCase(rec, nil, profile); len(got.Stale) > 0 || got.NewScore == nil {
			t.Errorf("%q, without the case: %+v", profile, got)
		}
	}
}

// TestJudged: a threshold decides whether a case passes, says so where it fails a case, and sets how its execution
// ended, unless nothing was graded.
func TestJudged(t *testing.T) {
	const below = "it is below the threshold 0.6"
	unmet := []score.Gate{{Reason: "a gate"}}
	for _, c := range []struct {
		name      string
		rec       run.Record
		threshold float64
		verdict   score.Verdict
		reasons   []string
		execution string
	}{
		{"below", run.Record{Verdict: score.Pass, Score: new(0.5), Execution: &score.Execution{Status: "ok"}}, 0.6, score.Fail, []string{below}, "quality_failure"},
		{"at the threshold", run.Record{Verdict: score.Fail, Score: new(0.6), Execution: &score.Execution{Status: "quality_failure"}}, 0.6, score.Pass, nil, "ok"},
		{"a gate fails it", run.Record{Verdict: score.Fail, Score: new(0.6), Gates: unmet}, 0.6, score.Fail, nil, ""},
		{"without a score", run.Record{Verdict: score.Fail, Gates: unmet}, 0.6, score.Fail, nil, ""},
		{"ungraded", run.Record{Verdict: score.Ungraded, Score: new(0.5)}, 0.6, score.Ungraded, nil, ""},
		{"an error", run.Record{Verdict: score.Fail, Score: new(0.0), Execution: &score.Execution{Status: "execution_error"}}, 0.6, score.Fail, []string{below}, "execution_error"},
		{"no threshold", run.Record{Verdict: score.Fail, Score: new(0.5), Execution: &score.Execution{Status: "ok"}}, 0, score.Fail, nil, "ok"},
	} {
		got := c.rec.Judged(c.threshold)
		execution := ""
		if got.Execution != nil {
			execution = got.Execution.Status
		}
		if got.Verdict != c.verdict || !slices.Equal(got.Reasons, c.reasons) || execution != c.execution {
			t.Errorf("%s: %s, %q, %q", c.name, got.Verdict, got.Reasons, execution)
		}
	}
}
