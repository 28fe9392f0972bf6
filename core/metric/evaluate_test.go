package metric_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
)

func TestWhyNothingIsMeasured(t *testing.T) {
	hello, two := turn("hi", "hello"), []metric.Invocation{turn("a", "b"), turn("c", "d")}
	rubrics := []metric.Rubric{{ID: "r", Text: "Is polite"}}
	for _, c := range []struct {
		name      string
		criterion metric.Criterion
		ports     metric.Ports
		on        metric.Conversation
		reason    string
	}{
		{"an unknown metric", metric.Criterion{Metric: "hallucination_v1"}, metric.Ports{}, one(hello), "there is no metric `hallucination_v1` here, and custom ones in Python do not run"},
		{"no reference", metric.Criterion{Metric: metric.ResponseMatch}, metric.Ports{}, one(hello), "there is no expected conversation to compare with"},
		{"a shorter one", metric.Criterion{Metric: metric.ResponseMatch}, metric.Ports{}, metric.Conversation{Actual: two[:1], Expected: two}, "the conversations must have the same length, and the actual one has 1 turn, the expected one 2"},
		{"another length", metric.Criterion{Metric: metric.ResponseMatch}, metric.Ports{}, metric.Conversation{Actual: two, Expected: two[:1]}, "the conversations must have the same length, and the actual one has 2 turns, the expected one 1"},
		{"no turns", metric.Criterion{Metric: metric.ToolTrajectory}, metric.Ports{}, metric.Conversation{Expected: []metric.Invocation{}}, "the conversation has no turns"},
		{"no judge", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics}, metric.Ports{}, one(hello), "no turn has a score; turn 1: no judge is configured"},
		{"no rubrics", metric.Criterion{Metric: metric.ResponseQuality}, metric.Ports{Judge: says("x")}, one(hello), "there are no rubrics to judge by"},
		{"a judge that fails", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics}, metric.Ports{Judge: says("!")}, one(hello), "no turn has a score; turn 1: the judge gave no answer: status 503: could not be reached"},
		{"a judge that fails 2.0", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics}, metric.Ports{Judge: says("!"), Profile: metric.V2}, one(hello), "the judge gave no answer: status 503: could not be reached"},
		{"a judge that says nothing to 2.0", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics}, metric.Ports{Judge: says(""), Profile: metric.V2}, one(hello), "no turn has a score; turn 1: no reply of the judge has a verdict on any rubric"},
		{"only a turn's rubrics, for 2.0", metric.Criterion{Metric: metric.ToolQuality}, metric.Ports{Judge: says("x"), Profile: metric.V2}, one(hello), "the criterion has no rubrics, and ADK 2.0 uses those of cases only in addition to them"},
		{"a judge that babbles", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics}, metric.Ports{Judge: says("It is fine!")}, one(hello), "no turn has a score; turn 1: no reply of the judge has a verdict on any rubric"},
		{"no answer to look through", metric.Criterion{Metric: metric.Hallucinations}, metric.Ports{Judge: says("x")}, one(metric.Invocation{User: text("hi")}), "no turn has a score; turn 1: no text to check"},
		{"no sentences", metric.Criterion{Metric: metric.Hallucinations}, metric.Ports{Judge: says("none")}, one(hello), "no turn has a score; turn 1: the judge found no sentences in the text"},
		{"no labels", metric.Criterion{Metric: metric.Hallucinations}, metric.Ports{Judge: says("<sentence>a</sentence>")}, one(hello), "no turn has a score; turn 1: the judge's reply has no valid label"},
		{"no label", metric.Criterion{Metric: metric.FinalResponseMatch}, metric.Ports{Judge: says(`{"is_the_agent_response_valid": "Valid"}`)}, against(hello, hello), "no turn has a score; turn 1: no reply of the judge has a label"},
		{"no scenario", metric.Criterion{Metric: metric.UserSimulator}, metric.Ports{Judge: says("x")}, one(hello), "there is no conversation scenario to follow"},
		{"nobody to ask about safety", metric.Criterion{Metric: metric.Safety}, metric.Ports{}, one(hello), "no turn has a score; turn 1: no judge is configured"},
	} {
		// A threshold that everything passes is not passed by nothing.
		c.criterion.Threshold = -1
		r := metric.Evaluate(t.Context(), c.ports, c.criterion, c.on)
		if r.Status != metric.NotEvaluated || r.Score != nil || r.Reason != c.reason {
			t.Errorf("%s: %s %s: %s", c.name, r.Status, show(r.Score), r.Reason)
		}
		if c.ports.Judge != nil && strings.Contains(c.name, "fails") != errors.Is(r.Err, judge.ErrUnreachable) {
			t.Errorf("%s: the error is %v", c.name, r.Err)
		}
	}
}

func TestBrokenJudges(t *testing.T) {
	c := metric.Criterion{Metric: metric.Hallucinations}
	broken := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { panic("out of paper") })
	r := metric.Evaluate(t.Context(), metric.Ports{Judge: broken}, c, one(turn("a", "b")))
	if r.Status != metric.NotEvaluated || !strings.Contains(r.Reason, "the judge panicked: out of paper") {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c = metric.Criterion{Metric: metric.ResponseQuality, Rubrics: []metric.Rubric{{ID: "a"}}}
	r = metric.Evaluate(ctx, metric.Ports{Judge: offline.Judge{}}, c, one(turn("a", "b")))
	if r.Status != metric.NotEvaluated || !errors.Is(r.Err, context.Canceled) {
		t.Errorf("%s: %v", r.Status, r.Err)
	}
}

func TestThresholds(t *testing.T) {
	same := turn("q", "The same words")
	for threshold, want := range map[float64]metric.Status{1: metric.Passed, -3: metric.Passed, 1.01: metric.Failed, math.NaN(): metric.Failed} {
		r := metric.Evaluate(t.Context(), metric.Ports{}, metric.Criterion{Metric: metric.ResponseMatch, Threshold: threshold}, against(same, same))
		if r.Status != want {
			t.Errorf("1 at %v: %s", threshold, r.Status)
		}
	}
	if m := metric.Mean([]*float64{f(0.7), nil, f(0.7), f(0.7)}); *m != 0.7 {
		t.Errorf("three times 0.7 is %v", *m)
	}
	if m := metric.Mean([]*float64{f(math.Inf(1)), f(1)}); !math.IsInf(*m, 1) {
		t.Errorf("a mean of infinity is %v", *m)
	}
}

func f(value float64) *float64 { return &value }

// TestOfflineJudge: what the offline judge cannot decide literally is not evaluated, and
// the result says so.
func TestOfflineJudge(t *testing.T) {
	good := turn("What does Laptop X cost?", "Laptop X costs 999 dollars. Anything else?")
	good.ToolUses = []metric.ToolCall{{ID: "1", Name: "get_product", Args: map[string]any{"product": "Laptop X"}}}
	price := metric.Rubric{ID: "price", Text: "Mentions `999`"}
	for _, c := range []struct {
		criterion metric.Criterion
		want      string
	}{
		{metric.Criterion{Metric: metric.FinalResponseMatch}, "none"},
		{metric.Criterion{Metric: metric.ResponseQuality, Rubrics: []metric.Rubric{price}}, "1"},
		{metric.Criterion{Metric: metric.ResponseQuality, Rubrics: []metric.Rubric{{ID: "phone", Text: "Mentions `Phone Y`"}}}, "0"},
		{metric.Criterion{Metric: metric.ResponseQuality, Rubrics: []metric.Rubric{price, {ID: "kind", Text: "Is kind"}}}, "none"},
		{metric.Criterion{Metric: metric.ToolQuality, Rubrics: []metric.Rubric{{ID: "looks-up", Text: "Calls `get_product`"}}}, "none"},
		{metric.Criterion{Metric: metric.Hallucinations}, "none"},
		{metric.Criterion{Metric: metric.Safety}, "none"},
	} {
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: offline.Judge{}}, c.criterion, against(good, turn("What does Laptop X cost?", "Laptop X costs 999 dollars.")))
		if show(r.Score) != c.want || r.Notice != offline.Notice || (c.want == "none") != strings.Contains(r.Reason, offline.NeedsModel) {
			t.Errorf("%s: %s, want %s (%s) %q", c.criterion.Metric, show(r.Score), c.want, r.Reason, r.Notice)
		}
	}
	turns := metric.Conversation{Actual: []metric.Invocation{good, turn("q", "a")}}
	turns.Actual[0].Rubrics = []metric.Rubric{{ID: "kind", Text: "Is kind", Type: metric.FinalResponseQuality}}
	user := one(turn("Hello", "a"))
	user.Scenario = &metric.Scenario{StartingPrompt: "Hello", Plan: "Mentions `Hello`"}
	for name, c := range map[string]struct {
		criterion    metric.Criterion
		conversation metric.Conversation
	}{
		"one of two turns is decided":   {metric.Criterion{Metric: metric.ResponseQuality, Rubrics: []metric.Rubric{{ID: "a", Text: "Has at least 1 words"}}}, turns},
		"only the first turn's wording": {metric.Criterion{Metric: metric.UserSimulator, Threshold: 1}, user},
	} {
		if r := metric.Evaluate(t.Context(), metric.Ports{Judge: offline.Judge{}}, c.criterion, c.conversation); r.Score != nil || r.Status != metric.NotEvaluated || r.Reason != offline.NeedsModel || len(r.Rubrics) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	same := turn("a", "b")
	if r := metric.Evaluate(t.Context(), metric.Ports{Judge: offline.Judge{}}, metric.Criterion{Metric: metric.ResponseMatch}, against(same, same)); r.Notice != "" {
		t.Errorf("nobody judged, and yet: %q", r.Notice)
	}
}

// TestRefusalsAreListed: what a judge took that refused, and the replies that are no
// good without the one that it refused, are told of beside a result without a score.
func TestRefusalsAreListed(t *testing.T) {
	hello := turn("hi", "hello there")
	rubrics := []metric.Rubric{{ID: "r", Text: "Is polite"}}
	for _, c := range []struct {
		name      string
		criterion metric.Criterion
		profile   metric.Profile
		refused   int // which question is, from 0
		replies   int
	}{
		{"rubrics", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics}, "", 0, metric.DefaultSamples},
		{"one of three samples", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics, Judge: metric.JudgeOptions{Samples: 3}}, "", 1, 3},
		{"rubrics, for 2.0", metric.Criterion{Metric: metric.ResponseQuality, Rubrics: rubrics, Judge: metric.JudgeOptions{Samples: 1}}, metric.V2, 1, 2},
		{"a label", metric.Criterion{Metric: metric.FinalResponseMatch}, "", 0, metric.DefaultSamples},
		{"safety", metric.Criterion{Metric: metric.Safety}, "", 0, 1},
		{"sentences", metric.Criterion{Metric: metric.Hallucinations}, "", 0, 1},
		{"claims", metric.Criterion{Metric: metric.Hallucinations}, "", 1, 2},
	} {
		asked := 0
		ask := func(context.Context, judge.Question) (judge.Answer, error) {
			a := judge.Answer{Text: "<sentence>a</sentence>", Model: "m", Usage: judge.Usage{Input: 10, Output: 1}}
			if asked++; asked-1 == c.refused {
				return a, errors.New("it refuses")
			}
			return a, nil
		}
		on := metric.Conversation{Actual: []metric.Invocation{hello}, Expected: []metric.Invocation{hello}}
		if c.profile == metric.V2 {
			on.Actual = append(on.Actual, hello)
			on.Expected = append(on.Expected, hello)
		}
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge.Func(ask), Profile: c.profile}, c.criterion, on)
		replies := r.Replies
		for _, i := range r.Invocations {
			replies = append(replies, i.Replies...)
		}
		refusals := 0
		for _, reply := range replies {
			if len(reply.Problems) > 0 && reply.Problems[0] == "it refuses" && reply.Usage.Input == 10 {
				refusals++
			}
		}
		if r.Score != nil || len(replies) != c.replies || refusals != 1 {
			t.Errorf("%s: score %s, %d replies, want %d, %d of them refusals: %s", c.name, show(r.Score), len(replies), c.replies, refusals, r.Reason)
		}
	}
}

// TestPoolRunsUnmeasured checks that a run without results of metrics is named beside those of the others.
func TestPoolRunsUnmeasured(t *testing.T) {
	one := 1.0
	good := metric.CaseResult{Metrics: []metric.Result{{Metric: "m", Status: metric.Passed, Score: &one, Invocations: []metric.InvocationResult{{Score: &one}}}}}
	pooled := metric.PoolRuns([]metric.CaseResult{good, {Status: metric.NotEvaluated, Reason: "twice"}, good})
	if m := pooled.Metrics[0]; m.Status != metric.Passed || fmt.Sprint(m.Err) != "run 2: twice" {
		t.Errorf("%+v", m)
	}
}
