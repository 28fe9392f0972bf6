package run_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// gradedCriterion is a criterion with its grade.
func gradedCriterion(id string, satisfied map[string]bool) run.Record {
	g := run.GraderRecord{Name: "rubric", Type: rubric.LLMJudge, Weight: 1}
	for _, name := range []string{"kind", "short"} {
		is, judged := satisfied[name]
		g.Criteria = append(g.Criteria, run.CriterionRecord{ID: name, Text: "Is " + name, Weight: 1})
		grade := score.Grade{ID: name, Satisfied: &is}
		if !judged {
			grade = score.Grade{ID: name, Ungraded: "the judge was away"}
		}
		g.Grades = append(g.Grades, grade)
	}
	r := run.Record{EvalID: id, Dataset: "shop", CaseFingerprint: "of " + id, Judge: "a", Target: "t", Graders: []run.GraderRecord{g}}
	return run.Rescore(r, score.Spec)
}

func compared(a, b []run.Record) run.Comparison {
	return run.Compare(a, b, score.DefaultThreshold)
}

// TestCompare compares two runs by case and by criterion.
func TestCompare(t *testing.T) {
	both, none := map[string]bool{"kind": true, "short": true}, map[string]bool{"kind": false, "short": false}
	a := []run.Record{gradedCriterion("won", none), gradedCriterion("lost", both), gradedCriterion("tied", both), gradedCriterion("gone", both), gradedCriterion("away", both)}
	b := []run.Record{
		gradedCriterion("won", map[string]bool{"kind": true, "short": false}), gradedCriterion("lost", none), gradedCriterion("tied", both), gradedCriterion("new", none),
		gradedCriterion("away", map[string]bool{"kind": true}),
	}
	c := compared(a, b)
	if c.Wins != 1 || c.Losses != 1 || c.Ties != 1 || c.Ungraded != 1 || c.Unmatched != (score.Unmatched{First: 1, Second: 1}) || len(c.Warnings) != 0 {
		t.Errorf("%+v", c)
	}
	want := []run.CriterionPair{
		{CriterionName: run.CriterionName{Criterion: "kind"}, Cases: 4, Outcomes: score.Outcomes{Wins: 1, Losses: 1, Ties: 2}},
		{CriterionName: run.CriterionName{Criterion: "short"}, Cases: 4, Outcomes: score.Outcomes{Losses: 1, Ties: 2, Ungraded: 1}},
	}
	for i, w := range want {
		if !reflect.DeepEqual(c.Criteria[i], w) {
			t.Errorf("%+v, want %+v", c.Criteria[i], w)
		}
	}
	var differ []string
	for _, g := range c.Grades {
		differ = append(differ, g.ID+"/"+g.Criterion+" "+string(g.Outcome))
	}
	if got := strings.Join(differ, ", "); got != "won/kind win, lost/kind loss, lost/short loss, away/short ungraded" {
		t.Errorf("these grades differ: %s", got)
	}
}

// TestCompareGates compares cases whose scores are equal or rise while a gate fails.
func TestCompareGates(t *testing.T) {
	value := func(v float64) *float64 { return &v }
	failed, met, away := score.Gate{}, score.Gate{Met: true}, score.Gate{Ungraded: true}
	record := func(points float64, verdict score.Verdict, gates ...score.Gate) run.Record {
		return run.Record{EvalID: "a", Score: &points, Verdict: verdict, Gates: gates}
	}
	in := func(r run.Record, profile score.Profile) run.Record {
		r.Profile = profile
		return r
	}
	gatedTrial := record(0.9, score.Fail)
	gatedTrial.Trials = &run.Trials{Strategy: "mean", Count: 1, Runs: []run.Trial{{Score: value(0.9), Verdict: score.Fail, Gates: []score.Gate{failed}}}}
	ungraded := record(0, score.Ungraded, failed)
	ungraded.Score = nil
	pass, low := record(0.8, score.Pass, met), record(0.5, score.Fail, met)
	for _, c := range []struct {
		name        string
		first, then run.Record
		want        score.Outcome
	}{
		{"a gate fails now", pass, record(0.9, score.Fail, met, failed), score.Loss},
		{"a gate failed before", record(0.9, score.Fail, failed), pass, score.Win},
		{"a gate fails twice", record(0.5, score.Fail, failed), record(0.9, score.Fail, failed), score.Win},
		{"a gate fails in place of a low score", low, record(0.9, score.Fail, failed), score.Win},
		{"a low score in place of a gate", record(0.9, score.Fail, failed), low, score.Loss},
		{"no gate fails", pass, record(0.9, score.Fail, met, away), score.Tie},
		{"a gate failed and the case passes", pass, record(0.8, score.Pass, failed), score.Tie},
		{"a gate of a trial fails", pass, gatedTrial, score.Loss},
		{"AgentV has no gates", in(pass, score.AgentV), in(record(0.9, score.Fail, failed), score.AgentV), score.Tie},
		{"promptfoo fails a case by one assertion", in(pass, score.Promptfoo), in(record(0.9, score.Fail), score.Promptfoo), score.Loss},
		{"promptfoo passes a case", in(record(0.9, score.Fail), score.Promptfoo), in(pass, score.Promptfoo), score.Win},
		{"an ungraded case", pass, ungraded, score.NoOutcome},
	} {
		got := compared([]run.Record{c.first}, []run.Record{c.then})
		if outcome := got.Cases[0].Outcome; outcome != c.want {
			t.Errorf("%s: %q, want %q", c.name, outcome, c.want)
		}
	}
	if got := compared([]run.Record{pass}, nil); got.Wins+got.Losses+got.Ties != 0 {
		t.Errorf("a case of one run: %+v", got)
	}
}

// TestUnlike: a comparison warns where a difference may not come from the targets.
func TestUnlike(t *testing.T) {
	ok := map[string]bool{"kind": true, "short": true}
	for _, c := range []struct {
		name   string
		change func(*run.Record)
		says   string
	}{
		{"nothing", func(*run.Record) {}, ""},
		{"another target", func(r *run.Record) { r.Target = "u" }, ""},
		{"another judge", func(r *run.Record) { r.Judge = "b" }, "the judge was `a` and is `b`"},
		{"no judge is told", func(r *run.Record) { r.Judge = "" }, ""},
		{"another profile", func(r *run.Record) { r.Profile = score.AgentV }, "the profile was `spec` and is `agentv`"},
		{"samples", func(r *run.Record) { r.Samples = 3 }, "the number of samples was `1` and is `3`"},
		{"another question", func(r *run.Record) { r.CaseFingerprint, r.Question = "x", "Why?" }, "the question or the expected outcome of `a` was edited between the runs"},
		{"another criterion", func(r *run.Record) { r.CaseFingerprint, r.Graders[0].Criteria[0].Text = "x", "Is rude" }, "the rubric of `a` was edited between the runs"},
		{"another weight", func(r *run.Record) { r.CaseFingerprint, r.Graders[0].Criteria[0].Weight = "x", 2 }, "the rubric of `a` was edited between the runs"},
		{"something else", func(r *run.Record) { r.CaseFingerprint = "x" }, "the definition of `a` was edited between the runs"},
		{"a runner that tells no fingerprint", func(r *run.Record) { r.CaseFingerprint, r.Question = "", "Why?" }, ""},
	} {
		a, b := []run.Record{gradedCriterion("a", ok)}, []run.Record{gradedCriterion("a", ok)}
		c.change(&b[0])
		if got := strings.Join(run.ComparabilityWarnings(a, b), "; "); got != c.says {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
	}
}

// TestUnlikeInMany: at most three cases are named, and what a run does not record is no difference.
func TestUnlikeInMany(t *testing.T) {
	ok := map[string]bool{"kind": true, "short": true}
	var a, b []run.Record
	for i, want := range []string{"`a`", "`a` and `b`", "`a`, `b` and `c`", "`a`, `b`, `c` and 1 more"} {
		id := string(rune('a' + i))
		a, b = append(a, gradedCriterion(id, ok)), append(b, gradedCriterion(id, ok))
		b[i].CaseFingerprint = "x"
		least := [2]float64{5, 5}
		a[i].Graders[0].Criteria[0].MinScore, b[i].Graders[0].Criteria[0].MinScore = &least[0], &least[1]
		if got := strings.Join(run.ComparabilityWarnings(a, b), "; "); got != "the definition of "+want+" was edited between the runs" {
			t.Errorf("%q, want %s", got, want)
		}
	}
	*b[0].Graders[0].Criteria[0].MinScore = 6
	if got := run.ComparabilityWarnings(a[:1], b[:1]); len(got) != 1 || got[0] != "the rubric of `a` was edited between the runs" {
		t.Errorf("another minimum: %q", got)
	}
	a, b = a[1:2], a[1:2:2]
	b = []run.Record{b[0]}
	if a[0].Judge = ""; len(run.ComparabilityWarnings(a, b)) != 0 {
		t.Error("a judge that the first run does not tell")
	}
}

// TestCompareByID: criteria with ids of their own are the same whatever their texts.
func TestCompareByID(t *testing.T) {
	a, b := gradedCriterion("a", map[string]bool{"kind": true, "short": false}), gradedCriterion("a", map[string]bool{"kind": true, "short": false})
	texts := b.Graders[0].Criteria
	texts[0].Text, texts[1].Text = texts[1].Text, texts[0].Text
	for _, p := range compared([]run.Record{a}, []run.Record{b}).Criteria {
		if p.Ties != 1 {
			t.Errorf("%+v", p)
		}
	}
}

func TestFindVaried(t *testing.T) {
	of := func(id, target, judge string) run.Record { return run.Record{EvalID: id, Target: target, Judge: judge} }
	asked := func(target, prompt, judge string) run.Record {
		return run.Record{EvalID: "a", Target: target, Prompt: prompt, Judge: judge}
	}
	for want, records := range map[string][]run.Record{
		"":              {of("a", "t", "j"), of("b", "u", "k"), of("a", "t", "j")},
		"target":        {of("a", "t", "j"), of("b", "t", "j"), of("a", "u", "k")}, // whose definitions name judges
		"judge":         {of("a", "t", "j"), of("b", "u", "j"), of("a", "t", "k")},
		"prompt":        {asked("t", "p", "j"), asked("t", "q", "j")},
		"prompt, judge": {asked("t", "p", "j"), asked("t", "q", "j"), asked("t", "p", "k")},
		"target, judge": {of("a", "t", "j"), of("a", "t", "k"), of("a", "u", "j"), of("a", "u", "k")},
	} {
		if got := run.FindVaried(records).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestVaried: of variants that differ in some fields, only these are told.
func TestVaried(t *testing.T) {
	first, second := run.Variant{Target: "t", Prompt: "p", Judge: "j"}, run.Variant{Target: "t", Prompt: "q", Judge: "k"}
	var varied run.Varied
	if got := varied.Of(first); got != (run.Variant{}) {
		t.Errorf("of a single variant: %+v", got)
	}
	varied.Add(run.Variant{Prompt: "p", Judge: "j"})
	if got := []string{varied.String(), varied.Of(first).String(), varied.Of(second).String()}; !slices.Equal(got, []string{"prompt, judge", "p, j", "q, k"}) {
		t.Errorf("%q", got)
	}
	for want, rec := range map[string]run.Record{"t": {Target: "t"}, "t with the prompt p": {Target: "t", Prompt: "p"}} {
		if got := rec.Asked(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r := run.Runner{TargetName: "t", JudgeName: "j"}
	if got := r.Variant(); got != (run.Variant{Target: "t", Judge: "j"}) {
		t.Errorf("without a prompt: %+v", got)
	}
	r.Prompt = &run.Prompt{Name: "p"}
	if got := r.Variant(); got != first {
		t.Errorf("with a prompt: %+v", got)
	}
}

// TestCompareScores: a score of 0 to 10 counts as one of 0 to 1.
func TestCompareScores(t *testing.T) {
	of := func(value float64) []run.Record {
		g := run.GraderRecord{Name: "rubric", Criteria: []run.CriterionRecord{{ID: "s"}}, Result: score.Result{Grades: []score.Grade{{ID: "s", Score: &value}}}}
		return []run.Record{{EvalID: "a", Graders: []run.GraderRecord{g}}}
	}
	for after, want := range map[float64]run.CriterionPair{7.5: {Cases: 1, Outcomes: score.Outcomes{Ties: 1}}, 9: {Cases: 1, Outcomes: score.Outcomes{Wins: 1}}, 5: {Cases: 1, Outcomes: score.Outcomes{Losses: 1}}} {
		want.CriterionName = run.CriterionName{Criterion: "s"}
		if got := run.Compare(of(7), of(after), score.DefaultThreshold).Criteria; len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("7 and %v: %+v", after, got)
		}
	}
}

// TestToday: stored grades are scored with the present rubric of their case.
func TestToday(t *testing.T) {
	auto := func(c *rubric.Case) {
		for i, criterion := range c.Graders[0].Criteria {
			criterion.ID, criterion.AutoID = []string{"rubric-1", "rubric-2"}[i], true
		}
	}
	for _, c := range []struct {
		name   string
		before func(*rubric.Case)
		change func(*rubric.Case)
		is     score.Verdict
		stale  string
		moved  bool
	}{
		{"nothing", nil, func(*rubric.Case) {}, score.Borderline, "", false},
		{"a weight", nil, func(c *rubric.Case) { c.Graders[0].Criteria[0].Weight = 9 }, score.Pass, "", false},
		{"a gate", nil, func(c *rubric.Case) { c.Graders[0].Criteria[1].Required = nil }, score.Fail, "", false},
		{"an id", nil, func(c *rubric.Case) { c.Graders[0].Criteria[1].ID = "other" }, score.Ungraded, "rubric/other", false},
		{"the text of a numbered one", auto, func(c *rubric.Case) { c.Graders[0].Criteria[1].Text = "Sends two" }, score.Borderline, "rubric/rubric-2", false},
		{"a text", nil, func(c *rubric.Case) { c.Graders[0].Criteria[1].Text = "Sends two" }, score.Borderline, "rubric/label", false},
		{"a new one", nil, func(c *rubric.Case) {
			c.Graders[0].Criteria = append(c.Graders[0].Criteria, &rubric.Criterion{ID: "new", Text: "N", Weight: 1})
		}, score.Ungraded, "rubric/new", false},
		{"the question", nil, func(c *rubric.Case) { c.Question = "Late?" }, score.Borderline, "", true},
		{"numbered ones change places", auto, func(c *rubric.Case) {
			l := c.Graders[0].Criteria
			l[0].Text, l[1].Text = l[1].Text, l[0].Text
			l[0].Weight, l[1].Weight = l[1].Weight, l[0].Weight
			l[0].Required, l[1].Required = l[1].Required, l[0].Required
		}, score.Borderline, "", false},
	} {
		before, after := suite(1).Cases[0], suite(1).Cases[0]
		if c.before != nil {
			c.before(before)
			c.before(after)
		}
		s := suite(1)
		s.Cases[0] = before
		rec := one(t, run.Runner{Target: answer("refund rubric-1"), Judge: reader}, s)
		c.change(after)
		f := run.RescoreCase(rec, after, "")
		if f.NewVerdict != c.is || strings.Join(f.Stale, " ") != c.stale || f.CaseChanged != c.moved || f.VerdictChanged != (rec.Verdict != c.is) {
			t.Errorf("%s: %s → %s, stale %v, moved %v", c.name, f.OldVerdict, f.NewVerdict, f.Stale, f.CaseChanged)
		}
	}
}

// TestRegression: a run that loses cases is a regression if its mean fell beyond chance. With too
// few cases for an interval, a fall of the mean by the threshold is enough.
func TestRegression(t *testing.T) {
	records := func(scores []float64, trials ...*float64) (all []run.Record) {
		for i, value := range scores {
			r := run.Record{EvalID: string(rune('a' + i)), Score: &value, Verdict: score.Pass}
			if trials != nil {
				r.Trials = &run.Trials{Count: len(trials), Mean: &value}
				for _, own := range trials {
					r.Trials.Runs = append(r.Trials.Runs, run.Trial{Score: own})
				}
			}
			all = append(all, r)
		}
		return all
	}
	one, none := 1.0, 0.0
	lost := records([]float64{0, 0}, &none, &none, &none)
	best := lost[0]
	best.Trials = &run.Trials{Count: 3, Mean: new(0.5), Runs: best.Trials.Runs} // the score is not their mean
	for _, c := range []struct {
		name       string
		a, b       []run.Record
		regression bool
		totals     string
	}{
		{"six fall", records([]float64{1, 1, 1, 1, 1, 1}), records([]float64{0, 0, 0, 0, 0, 0}), true, "0 won, 6 lost, 0 tied of 6; mean difference -1, 95 % interval -1 to -1"},
		{"one of six falls", records([]float64{1, 1, 1, 1, 1, 1}), records([]float64{0, 1, 1, 1, 1, 1}), false, "0 won, 1 lost, 5 tied of 6; mean difference -0.167, 95 % interval -1 to 0"},
		{"all fall by too little to lose", records([]float64{1, 1, 1, 1, 1, 1}), records([]float64{0.95, 0.95, 0.95, 0.95, 0.95, 0.95}), false, "0 won, 0 lost, 6 tied of 6; mean difference -0.05, 95 % interval -0.05 to -0.05"},
		{"one of three falls", records([]float64{1, 1, 1}), records([]float64{0, 1, 1}), true, "0 won, 1 lost, 2 tied of 3; mean difference -0.333; too few cases for an interval"},
		{"one falls and one rises", records([]float64{1, 0}), records([]float64{0, 1}), false, "1 won, 1 lost, 0 tied of 2; mean difference 0; too few cases for an interval"},
		{"one rises", records([]float64{0}), records([]float64{1}), false, "1 won, 0 lost, 0 tied of 1; mean difference +1; too few cases for an interval"},
		{"no case in common", nil, records([]float64{1}), false, "0 won, 0 lost, 0 tied of 0"},
		{"ungraded", records([]float64{1, 1}), append(records([]float64{1}), run.Record{EvalID: "b", Verdict: score.Ungraded}), false, "0 won, 0 lost, 1 tied of 1; mean difference 0; too few cases for an interval"},
		{"ungraded before others", append([]run.Record{{EvalID: "_", Verdict: score.Ungraded}}, records([]float64{1, 1, 1, 1, 1, 1})...),
			append([]run.Record{{EvalID: "_", Verdict: score.Ungraded}}, records([]float64{0, 0, 0, 0, 0, 0})...), true, "0 won, 6 lost, 0 tied of 6; mean difference -1, 95 % interval -1 to -1"},
		{"all ungraded", records([]float64{1}), []run.Record{{EvalID: "a", Verdict: score.Ungraded}}, false, "0 won, 0 lost, 0 tied of 0"},
		{"trials", records([]float64{1, 1}, &one, &one, &one), lost, true, "0 won, 2 lost, 0 tied of 2; mean difference -1, 95 % interval -1 to -1"},
		{"trials without a score", records([]float64{1, 1}, &one, &one, &one, nil), lost, true, "0 won, 2 lost, 0 tied of 2; mean difference -1, 95 % interval -1 to -1"},
		{"trials of another score", records([]float64{1}, &one, &one, &one), []run.Record{best}, true, "0 won, 1 lost, 0 tied of 1; mean difference -1; too few cases for an interval"},
	} {
		got := run.Compare(c.a, c.b, score.DefaultThreshold)
		if got.Regression != c.regression || got.Totals() != c.totals {
			t.Errorf("%s: regression %v, %s", c.name, got.Regression, got.Totals())
		}
	}
}
