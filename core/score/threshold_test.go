package score_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

// TestThreshold: a file may say from which score on its cases pass. The oldest
// version has no such thing, and only the rules as written know a borderline.
func TestThreshold(t *testing.T) {
	for _, tt := range []struct {
		profile score.Profile
		least   *float64
		value   float64
		want    score.Verdict
	}{
		{score.Spec, nil, 0.7, score.Borderline},
		{score.Spec, ptr(0.7), 0.7, score.Pass},
		{score.Spec, ptr(0.9), 0.8, score.Borderline},
		{score.Spec, ptr(0.9), 0.5, score.Fail},
		{score.Spec, ptr(0.5), 0.5, score.Pass},
		{score.Spec, ptr(0.0), 0.0, score.Pass},
		{score.AgentV, ptr(0.5), 0.7, score.Borderline},
		{score.AgentV4, ptr(0.5), 0.5, score.Pass},
		{score.AgentV4, ptr(0.9), 0.8, score.Fail},
		{score.AgentVHead, ptr(0.7), 0.7, score.Pass},
		{score.AgentVHead, ptr(0.7), 0.6, score.Fail},
		{score.AgentVHead, nil, 0.8, score.Pass},
	} {
		c := score.Case(tt.profile, tt.least, []score.WeightedResult{part("g", 1, tt.value)})
		if c.Verdict != tt.want {
			t.Errorf("%s, %v from %v: %s, want %s", tt.profile, tt.value, tt.least, c.Verdict, tt.want)
		}
		if ok := score.ExecutionOf(c, true).Status == "ok"; tt.profile.IsV4OrLater() && ok != (tt.want == score.Pass) {
			t.Errorf("%s, %v: sorted as ok %v, and the verdict is %s", tt.profile, tt.value, ok, c.Verdict)
		}
	}
}

// TestThresholdExact: by the rules as written 7, 7 and 7 of 10 are 0.7.
func TestThresholdExact(t *testing.T) {
	parts := []score.WeightedResult{part("a", 0.1, 0.7), part("b", 0.2, 0.7), part("c", 0.7, 0.7)}
	if c := score.Case(score.Spec, ptr(0.7), parts); c.Verdict != score.Pass {
		t.Errorf("%v: %s %v", c.Score, c.Verdict, c.Reasons)
	}
	c := score.Case(score.Spec, ptr(0.75), parts)
	if c.Verdict != score.Borderline || len(c.Reasons) != 1 || c.Reasons[0] != "score 0.7 is below 0.75" {
		t.Errorf("%s %v", c.Verdict, c.Reasons)
	}
}

// TestThresholdOfGraders: a required grader is held to the score from which its case passes,
// unless it has a minimum of its own. By the rules a rubric is too.
func TestThresholdOfGraders(t *testing.T) {
	rubric := criteria{check("a", 7, ptr(false)), check("b", 3, ptr(false))}
	for profile, want := range map[score.Profile]score.Verdict{score.Spec: score.Pass, score.AgentVHead: score.Fail} {
		r := score.Rubric(profile, rubric, grades{yes("a"), no("b")})
		if got := (score.Terms{Threshold: ptr(0.7)}).Apply(profile, "g", r).Verdict; got != want {
			t.Errorf("%s: a rubric of 0.7 from 0.7 on: %s", profile, got)
		}
		if got := (score.Terms{Threshold: ptr(0.6), MinScore: ptr(0.9), Required: true}).Apply(profile, "g", r); got.Gates[0].Met {
			t.Errorf("%s: 0.7 reaches 0.9: %+v", profile, got)
		}
		if got := (score.Terms{Threshold: ptr(0.6), Required: true}).Apply(profile, "g", r); !got.Gates[0].Met || got.Verdict != want {
			t.Errorf("%s: 0.7 does not reach 0.6: %+v", profile, got)
		}
	}
	must := score.Rubric(score.AgentVHead, criteria{check("a", 9, nil), check("b", 1, nil)}, grades{yes("a"), no("b")})
	if got := (score.Terms{Threshold: ptr(0.5)}).Apply(score.AgentVHead, "g", must).Verdict; got != score.Fail {
		t.Errorf("a gate of a criterion does not outlive the threshold: %s", got)
	}
	own := score.Result{Score: ptr(0.1), Verdict: score.Pass, Grades: grades{yes("a")}} // a verdict that is not the score's
	if got := (score.Terms{}).Apply(score.Spec, "g", own).Verdict; got != score.Pass {
		t.Errorf("no threshold changes a verdict: %s", got)
	}
	plain := score.PlainResult(0.7, nil, nil, "") // not of a rubric
	if got := (score.Terms{Threshold: ptr(0.5)}).Apply(score.Spec, "g", plain).Verdict; got != score.Borderline {
		t.Errorf("the case's threshold changes a grader without criteria: %s", got)
	}
	old := score.Rubric(score.AgentV, rubric, grades{yes("a"), no("b")})
	if got := (score.Terms{Threshold: ptr(0.7)}).Apply(score.AgentV, "g", old).Verdict; got != score.Borderline {
		t.Errorf("the oldest version: %s", got)
	}
}

// TestVerdictOf: the default thresholds belong to the better verdict.
func TestVerdictOf(t *testing.T) {
	for value, want := range map[float64]score.Verdict{1: score.Pass, 0.8: score.Pass, 0.79: score.Borderline, 0.6: score.Borderline, 0.59: score.Fail, 0: score.Fail} {
		if got := score.VerdictOf(value); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
}

// TestBelow: a score that is not reached is told in short, and never as if it were.
func TestBelow(t *testing.T) {
	for at, want := range map[float64]string{
		1. / 6: "score 0.167 is below 0.6", 0.599996: "score 0.599996 is below 0.6", 0.7: "score 0.7 is below 0.8", 0.79996: "score 0.79996 is below 0.8",
		0.799961234567: "score 0.79996 is below 0.8",
	} {
		c := score.Case(score.Spec, nil, []score.WeightedResult{part("g", 1, at)})
		if len(c.Reasons) == 0 || c.Reasons[0] != want {
			t.Errorf("%q, not %q", c.Reasons, want)
		}
	}
}

// TestVerdictOfAGrade: the verdict of one criterion follows its gate, else its score
// by the limits of its case.
func TestVerdictOfAGrade(t *testing.T) {
	half := 0.5
	tenths := func(value float64) score.Grade { return score.Grade{ID: "c", Score: &value} }
	for _, tt := range []struct {
		name    string
		profile score.Profile
		terms   score.Terms
		grade   score.Grade
		gate    *score.Gate
		want    score.Verdict
		graded  bool
	}{
		{"0 of 10", score.Spec, score.Terms{}, tenths(0), nil, score.Fail, true},
		{"6 of 10", score.Spec, score.Terms{}, tenths(6), nil, score.Borderline, true},
		{"8 of 10", score.Spec, score.Terms{}, tenths(8), nil, score.Pass, true},
		{"a missed gate", score.Spec, score.Terms{}, tenths(9), &score.Gate{ID: "c"}, score.Fail, true},
		{"a gate that is met says no more", score.Spec, score.Terms{}, tenths(7), &score.Gate{ID: "c", Met: true}, score.Borderline, true},
		{"a lower threshold", score.Spec, score.Terms{Threshold: &half}, tenths(5), nil, score.Pass, true},
		{"no threshold in January's version", score.AgentV, score.Terms{Threshold: &half}, tenths(5), nil, score.Fail, true},
		{"no borderline in later versions", score.AgentV4, score.Terms{}, tenths(7), nil, score.Fail, true},
		{"satisfied", score.Spec, score.Terms{}, yes("c"), nil, score.Pass, true},
		{"not satisfied", score.Spec, score.Terms{}, no("c"), nil, score.Fail, true},
		{"not satisfied, at threshold 0", score.Spec, score.Terms{Threshold: new(float64)}, no("c"), nil, score.Fail, true},
		{"satisfied, and the opposite is wanted", score.Spec, score.Terms{Negate: true}, yes("c"), nil, score.Fail, true},
		{"2 of 10, and the opposite is wanted", score.Spec, score.Terms{Negate: true}, tenths(2), nil, score.Pass, true},
		{"a grade and a reason for none", score.Spec, score.Terms{}, score.Grade{ID: "c", Ungraded: "no reply", Satisfied: new(bool)}, nil, score.Ungraded, false},
		{"neither grade nor reason", score.Spec, score.Terms{}, score.Grade{ID: "c"}, nil, score.Ungraded, false},
		{"ungraded", score.Spec, score.Terms{}, score.Grade{ID: "c", Ungraded: "no reply"}, nil, score.Ungraded, false},
		{"ungraded, of a gate", score.Spec, score.Terms{}, score.Grade{ID: "c", Ungraded: "no reply"}, &score.Gate{ID: "c"}, score.Ungraded, false},
	} {
		if got, graded := tt.grade.Verdict(tt.profile, tt.terms, tt.gate); got != tt.want || graded != tt.graded {
			t.Errorf("%s: %s %v, want %s %v", tt.name, got, graded, tt.want, tt.graded)
		}
	}
}
