package score_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

// own is the result of a grader that decides itself, with its gate.
func own(name string, weight, value float64, verdict score.Verdict, reasoning string) score.WeightedResult {
	r := score.PlainResult(value, nil, nil, reasoning)
	r.Verdict = verdict
	terms := score.Terms{ByVerdict: true, Required: true}
	return score.WeightedResult{Name: name, Weight: weight, Result: terms.Apply(score.Promptfoo, name, r)}
}

// TestPromptfooCase: a case fails with one of its assertions, and a threshold takes the place of that.
func TestPromptfooCase(t *testing.T) {
	good, bad, silent := own("good", 1, 1, score.Pass, ""), own("bad", 1, 0, score.Fail, "no `x`"), own("silent", 1, 0, score.Fail, "")
	plain := part("plain", 1, 0.25) // without a gate
	for _, tt := range []struct {
		name      string
		threshold *float64
		parts     []score.WeightedResult
		value     float64
		verdict   score.Verdict
		reason    string
	}{
		{"no assertion", nil, nil, 1, score.Pass, ""},
		{"all pass", nil, []score.WeightedResult{good, good}, 1, score.Pass, ""},
		{"the first fails", nil, []score.WeightedResult{bad, good}, 0.5, score.Fail, "`bad`: no `x`"},
		{"the last fails", nil, []score.WeightedResult{good, bad}, 0.5, score.Fail, "`bad`: no `x`"},
		{"the last fails without a reason", nil, []score.WeightedResult{bad, silent}, 0, score.Pass, ""},
		{"no gate and no threshold", nil, []score.WeightedResult{plain}, 0.25, score.Pass, ""},
		{"no gate, below the threshold", ptr(0.26), []score.WeightedResult{plain}, 0.25, score.Fail, "score 0.25 is below 0.26"},
		{"no gate, at the threshold", ptr(0.25), []score.WeightedResult{plain}, 0.25, score.Pass, ""},
		{"a gate beside a threshold", ptr(1.0), []score.WeightedResult{good, part("plain", 1, 0)}, 0.5, score.Pass, ""},
		{"weights", nil, []score.WeightedResult{part("a", 3, 1), part("b", 1, 0)}, 0.75, score.Pass, ""},
		{"no weight", nil, []score.WeightedResult{part("a", 0, 1)}, 0, score.Pass, ""},
		{"weights without an end", nil, []score.WeightedResult{part("a", math.Inf(1), 1)}, 0, score.Pass, ""},
		{"a score without an end", nil, []score.WeightedResult{part("a", 1, math.Inf(1))}, 0, score.Pass, ""},
	} {
		c := score.Case(score.Promptfoo, tt.threshold, tt.parts)
		if *c.Score != tt.value || c.Verdict != tt.verdict || !strings.HasPrefix(strings.Join(c.Reasons, "; "), tt.reason) || (tt.reason == "") != (len(c.Reasons) == 0) {
			t.Errorf("%s: %v %s %q, want %v %s %q", tt.name, *c.Score, c.Verdict, c.Reasons, tt.value, tt.verdict, tt.reason)
		}
	}
}

// TestOwnVerdictGate: the gate of a grader that decides itself is its verdict.
func TestOwnVerdictGate(t *testing.T) {
	ungraded := score.Result{Verdict: score.Ungraded, Ungraded: "no judge"}
	failed := score.PlainResult(1, nil, []string{"one", "two"}, "")
	failed.Verdict = score.Fail
	silent := score.PlainResult(1, nil, nil, "")
	silent.Verdict = score.Fail
	passed := score.PlainResult(0, nil, []string{"one"}, "so")
	passed.Verdict = score.Pass
	for _, tt := range []struct {
		name          string
		profile       score.Profile
		result        score.Result
		met, ungraded bool
		reason        string
	}{
		{"pass", score.Spec, passed, true, false, ""},
		{"fail", score.Spec, failed, false, false, "one; two"},
		{"fail without a reason", score.Spec, silent, false, false, "it does not pass"},
		{"fail without a reason in promptfoo", score.Promptfoo, silent, false, false, ""},
		{"ungraded", score.Spec, ungraded, false, true, "ungraded: no judge"},
	} {
		gates := (score.Terms{ByVerdict: true, Required: true}).Apply(tt.profile, "g", tt.result).Gates
		if len(gates) != 1 || gates[0].Met != tt.met || gates[0].Ungraded != tt.ungraded || gates[0].Reason != tt.reason || !gates[0].Whole {
			t.Errorf("%s: %+v", tt.name, gates)
		}
		if gates := (score.Terms{ByVerdict: true}).Apply(tt.profile, "g", tt.result).Gates; len(gates) != 0 {
			t.Errorf("%s, not required: %+v", tt.name, gates)
		}
	}
}

// TestGradeValue: a range counts tenths, a check 1 or 0, and no grade 0.
func TestGradeValue(t *testing.T) {
	got := []float64{
		score.Grade{Score: ptr(7.0)}.Value(), score.Grade{Score: ptr(7.0), Satisfied: ptr(true)}.Value(),
		score.Grade{Satisfied: ptr(true)}.Value(), score.Grade{Satisfied: ptr(false)}.Value(), score.Grade{}.Value(),
	}
	if want := []float64{0.7, 0.7, 1, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
