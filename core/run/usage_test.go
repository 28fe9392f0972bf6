package run_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestJudgeUsage adds up replies of graders, members and metrics. The offline judge is no model.
func TestJudgeUsage(t *testing.T) {
	paid := func(cost *float64) judge.Reply {
		return judge.Reply{Model: "m", Usage: judge.Usage{Input: 10, Output: 3, Cost: cost}}
	}
	rec := run.Record{Graders: []run.GraderRecord{
		{Replies: []judge.Reply{paid(new(0.25)), paid(new(0.5)), paid(nil), {Model: "m", Cached: true}, {Model: "m", Cached: true}, {Text: "x"}, {Model: "offline-1"}}},
		{Members: []run.GraderRecord{{Replies: []judge.Reply{paid(new(1.0))}}}},
		{Replies: []judge.Reply{{Model: "m", Attempt: 1, Usage: judge.Usage{Cost: new(0.0)}}, {Model: "m", Attempt: 1, Cached: true}, {Text: "x", Attempt: 1}, {Text: "x", Attempt: 1}}},
		{Metric: &metric.Result{
			Replies:     []judge.Reply{{Model: "m", Usage: judge.Usage{Input: 1}}},
			Invocations: []metric.InvocationResult{{Replies: []judge.Reply{{Model: "m", Usage: judge.Usage{Input: 2}}}}},
		}},
	}}
	want := run.ModelUsage{Calls: 7, Repeated: 1, Cached: 3, Input: 43, Output: 12, Cost: 1.75, Unpriced: 3}
	if got := rec.JudgeUsage(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	twice := want
	twice.Add(want)
	if (twice != run.ModelUsage{Calls: 14, Repeated: 2, Cached: 6, Input: 86, Output: 24, Cost: 3.5, Unpriced: 6}) {
		t.Errorf("twice: %+v", twice)
	}
}

func TestTargetUsage(t *testing.T) {
	three := 3
	tokens := &grade.Tokens{Input: 7, Output: 2}
	for _, tt := range []struct {
		name  string
		trace *grade.Trace
		want  run.ModelUsage
	}{
		{"no trace", nil, run.ModelUsage{}},
		{"no model", &grade.Trace{LLMCalls: &three}, run.ModelUsage{}},
		{"tokens", &grade.Trace{TokenUsage: tokens}, run.ModelUsage{Calls: 1, Input: 7, Output: 2, Unpriced: 1}},
		{"a cost", &grade.Trace{CostUSD: new(0.5)}, run.ModelUsage{Calls: 1, Cost: 0.5}},
		{"calls", &grade.Trace{TokenUsage: tokens, LLMCalls: &three}, run.ModelUsage{Calls: 3, Input: 7, Output: 2, Unpriced: 3}},
		{"all", &grade.Trace{TokenUsage: tokens, LLMCalls: &three, CostUSD: new(0.5)}, run.ModelUsage{Calls: 3, Input: 7, Output: 2, Cost: 0.5}},
	} {
		if got := (run.Record{TraceSummary: tt.trace}).TargetUsage(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestUsageText(t *testing.T) {
	for _, tt := range []struct {
		usage run.ModelUsage
		want  string
	}{
		{run.ModelUsage{}, ""},
		{run.ModelUsage{Calls: 1, Cost: 0.5}, "1 call, $0.5000"},
		{run.ModelUsage{Calls: 2, Input: 5, Cost: 0.5}, "2 calls, 5 tokens read and 0 written, $0.5000"},
		{run.ModelUsage{Calls: 2, Output: 5, Unpriced: 2}, "2 calls, 0 tokens read and 5 written, cost unknown"},
		{run.ModelUsage{Calls: 3, Input: 2, Output: 2, Cost: 0.5, Unpriced: 1}, "3 calls, 2 tokens read and 2 written, $0.5000 and 1 call of unknown cost"},
		{run.ModelUsage{Cached: 1}, "0 calls and 1 cached answer"},
		{run.ModelUsage{Calls: 1, Cached: 1, Unpriced: 1}, "1 call and 1 cached answer, cost unknown"},
	} {
		if got := tt.usage.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.usage, got, tt.want)
		}
	}
}

// TestUpgrade: in earlier versions an ungraded case was a fail. Only what was a fail for another
// reason is one.
func TestUpgrade(t *testing.T) {
	missed, open := score.Gate{ID: "a", Reason: "below 3"}, score.Gate{ID: "a", Reason: "ungraded: no reply"}
	failed, passed := []run.GraderRecord{{Metric: &metric.Result{Status: metric.Failed}}}, []run.GraderRecord{{Metric: &metric.Result{Status: metric.Passed}}}
	for _, tt := range []struct {
		name string
		rec  run.Record
		want score.Verdict
	}{
		{"ungraded", run.Record{Profile: score.Spec, Ungraded: 1}, score.Ungraded},
		{"an error", run.Record{Profile: score.Spec, Error: "stopped"}, score.Ungraded},
		{"a fail", run.Record{Profile: score.Spec}, score.Fail},
		{"of another runner", run.Record{Ungraded: 1}, score.Fail},
		{"of a reference", run.Record{Profile: score.AgentV, Ungraded: 1}, score.Fail},
		{"a gate", run.Record{Profile: score.Spec, Ungraded: 1, Gates: []score.Gate{missed}}, score.Fail},
		{"an ungraded gate", run.Record{Profile: score.Spec, Ungraded: 1, Gates: []score.Gate{open}}, score.Ungraded},
		{"a metric that fails", run.Record{Profile: score.Spec, Ungraded: 1, Graders: failed}, score.Fail},
		{"a metric that passes", run.Record{Profile: score.Spec, Ungraded: 1, Graders: passed}, score.Ungraded},
	} {
		rec := tt.rec
		rec.Verdict, rec.Score = score.Fail, new(0.5)
		rec.Upgrade()
		if rec.Verdict != tt.want || (rec.Score == nil) != (tt.want == score.Ungraded) {
			t.Errorf("%s: %s, want %s", tt.name, rec.Verdict, tt.want)
		}
		rec = tt.rec
		rec.Verdict, rec.Score = score.Pass, new(0.9)
		if rec.Upgrade(); rec.Verdict != score.Pass || rec.Score == nil {
			t.Errorf("%s: a pass becomes %s", tt.name, rec.Verdict)
		}
	}
	older := run.Record{Graders: []run.GraderRecord{{
		Result:  score.Result{Score: new(0.465), Verdict: score.Ungraded},
		Members: []run.GraderRecord{{Result: score.Result{Score: new(0.0), Verdict: score.Ungraded}}, {Result: score.PlainResult(0.5, nil, nil, "")}},
	}}}
	older.Upgrade()
	if g := older.Graders[0]; g.Score != nil || g.Members[0].Score != nil || *g.Members[1].Score != 0.5 {
		t.Errorf("a score beside an ungraded verdict: %+v", g)
	}
	for _, tt := range []struct {
		gate score.Gate
		want bool
	}{{missed, false}, {open, true}, {score.Gate{Met: true, Reason: open.Reason}, false}, {score.Gate{Ungraded: true}, true}} {
		rec := run.Record{Graders: []run.GraderRecord{{Members: []run.GraderRecord{{Result: score.Result{Gates: []score.Gate{tt.gate}}}}}}}
		if rec.Upgrade(); rec.Graders[0].Members[0].Gates[0].Ungraded != tt.want {
			t.Errorf("%+v: ungraded %v", tt.gate, !tt.want)
		}
	}
}

// TestLabels: criteria without an id are named by their texts.
func TestLabels(t *testing.T) {
	auto := rubric.AutoID(1)
	for _, tt := range []struct {
		criterion run.CriterionRecord
		want      string
	}{
		{run.CriterionRecord{ID: auto, Text: "polite"}, "polite"}, {run.CriterionRecord{ID: auto}, auto},
		{run.CriterionRecord{ID: "kind", Text: "polite"}, "kind"}, {run.CriterionRecord{ID: auto, Text: "polite", Written: true}, auto},
	} {
		if got := tt.criterion.Label(); got != tt.want {
			t.Errorf("%+v: %q", tt.criterion, got)
		}
	}
	g := run.GraderRecord{Name: "rubric", Criteria: []run.CriterionRecord{{ID: auto, Text: "polite"}}, Result: score.Result{Ungraded: "1 of 1 criteria ungraded: `" + auto + "` (away)"}}
	other := run.GraderRecord{Name: "other", Criteria: []run.CriterionRecord{{ID: auto, Text: "rude"}}}
	for reason, want := range map[string]string{
		"`" + auto + "` of `rubric`: required":                 "`polite` of `rubric`: required",
		"`rubric` is ungraded: `" + auto + "` (away)":          "`rubric` is ungraded: `polite` (away)",
		"score 0.5 is below 0.8, and `" + auto + "` is a text": "score 0.5 is below 0.8, and `" + auto + "` is a text",
	} {
		rec := run.Record{Verdict: score.Fail, Reasons: []string{reason}, Graders: []run.GraderRecord{other, g}}
		if got := rec.WithLabels(); got.Reasons[0] != want || got.Graders[1].Ungraded != "1 of 1 criteria ungraded: `polite` (away)" {
			t.Errorf("%s: %s, %s", reason, got.Reasons[0], got.Graders[1].Ungraded)
		}
		if rec.Verdict, rec.Ungraded = score.Pass, 1; rec.WithLabels().Reasons[0] != want {
			t.Errorf("%s: of a pass with something ungraded: %s", reason, rec.WithLabels().Reasons[0])
		}
	}
}

// TestAgreements: means over the cases, whichever order they come in.
func TestAgreements(t *testing.T) {
	var all run.Agreements
	for _, g := range []score.Grade{
		{ID: "a", Agreement: new(0.5), FlipRate: new(0.75)}, {ID: "a", Agreement: new(1.0), FlipRate: new(0.0)}, {ID: "a", Agreement: new(0.75), FlipRate: new(0.5)}, {ID: "a", Agreement: new(1.0)}, {ID: "a"},
	} {
		all.Add(run.Record{Graders: []run.GraderRecord{{Name: "g", Criteria: []run.CriterionRecord{{ID: "a"}}, Result: score.Result{Grades: []score.Grade{g}}}}})
	}
	got := all.List()
	if len(got) != 1 || got[0].Cases != 4 || got[0].Contested != 2 || got[0].Agreement != 0.8125 || got[0].FlipRate != 0.3125 {
		t.Errorf("%+v", got)
	}
}

// TestEachGrade visits the grades of criteria, also in members, and no other.
func TestEachGrade(t *testing.T) {
	member := run.GraderRecord{Criteria: []run.CriterionRecord{{ID: "b"}}, Result: score.Result{Grades: []score.Grade{{ID: "b"}, {ID: "gone"}}}}
	rec := run.Record{Graders: []run.GraderRecord{{Criteria: []run.CriterionRecord{{ID: "a"}}, Result: score.Result{Grades: []score.Grade{{ID: "a"}}}, Members: []run.GraderRecord{member}}}}
	got := ""
	rec.EachGrade(func(c run.CriterionRecord, g score.Grade) { got += c.ID + g.ID + " " })
	if got != "aa bb " {
		t.Errorf("%q", got)
	}
}

// TestStored: a stored record has no times, and replies of graders, members and metrics are as if
// all had been paid for.
func TestStored(t *testing.T) {
	cached := []judge.Reply{{Model: "m", Cached: true}}
	rec := run.Record{Timestamp: "2026-03-14T15:09:26.000Z", DurationMS: new(1.5), Graders: []run.GraderRecord{
		{Replies: cached, Members: []run.GraderRecord{{Replies: cached}}}, {Metric: &metric.Result{Replies: []judge.Reply{{Model: "m", Cached: true}}}},
	}}
	stored := rec.Stored()
	if stored.Timestamp != "" || stored.DurationMS != nil || rec.DurationMS == nil {
		t.Errorf("%+v", stored)
	}
	if got := stored.JudgeUsage(); got.Cached != 0 || got.Calls != 3 || rec.JudgeUsage().Cached != 3 {
		t.Errorf("%+v", got)
	}
}

func TestDefaultText(t *testing.T) {
	for name, want := range map[string]string{"replay": "none", "workers": "as the files say, or else `3`", "target": "as the files say, or else `self`", "timeout": "`2m0s`"} {
		if got := run.FindOption(name).DefaultText(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestAccessText(t *testing.T) {
	for _, tt := range []struct {
		access run.Access
		want   string
	}{
		{run.Access{}, ""},
		{run.Access{Key: "KEY"}, ""},
		{run.Access{Host: "h"}, "asks h without a key"},
		{run.Access{Host: "h", Key: "KEY", Sends: []string{"A", "B"}}, "asks h with KEY and sends A and B"},
		{run.Access{Command: "x", Health: "u"}, "runs `x` and asks u whether it is ready"},
	} {
		if got := tt.access.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.access, got, tt.want)
		}
	}
}
