package score_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

// TestUngradedHasNoScore: an ungraded result has no score, and what is added to it later sets and
// drops one.
func TestUngradedHasNoScore(t *testing.T) {
	if r := score.UngradedResult("why"); r.Score != nil || r.Verdict != score.Ungraded {
		t.Errorf("%+v", r)
	}
	half := score.PlainResult(0.5, nil, nil, "")
	if half.SetVerdict(score.Ungraded); half.Score != nil {
		t.Errorf("ungraded later: %v", *half.Score)
	}
	if half.SetVerdict(score.Fail); half.Score == nil || *half.Score != 0 {
		t.Errorf("failed by a gate: %v", number(half))
	}
}

// TestUngradedPartIsALowerBound: in a case that fails by another gate, what a rubric was judged to
// have counts, although the rubric by itself has no score.
func TestUngradedPartIsALowerBound(t *testing.T) {
	part := score.Rubric(score.Spec, criteria{check("a", 3, new(bool)), check("b", 1, new(bool))}, grades{yes("a")})
	if part.Score != nil {
		t.Fatalf("%+v", part)
	}
	gate := score.Rubric(score.Spec, criteria{check("c", 1, nil)}, grades{no("c")})
	c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: "part", Weight: 1, Result: part}, {Name: "gate", Weight: 1, Result: gate}})
	if c.Verdict != score.Fail || c.Score == nil || *c.Score != 0.375 {
		t.Errorf("%+v", c)
	}
	read := score.Result{Verdict: score.Ungraded, Ungraded: part.Ungraded} // as it is read from a file
	c = score.Case(score.Spec, nil, []score.WeightedResult{{Name: "part", Weight: 1, Result: read.RestoreExact(part)}, {Name: "gate", Weight: 1, Result: gate}})
	if *c.Score != 0.375 {
		t.Errorf("restored: %v", *c.Score)
	}
}

// TestRestoreExact: the unrounded score is that of an equal score only.
func TestRestoreExact(t *testing.T) {
	third := score.Rubric(score.Spec, criteria{check("a", 1, new(bool)), check("b", 2, new(bool))}, grades{no("a"), yes("b")})
	read := score.Result{Score: third.Score, Verdict: third.Verdict} // as it is read from a file
	for _, tt := range []struct {
		name string
		r    score.Result
		want score.Verdict
	}{
		{"exact", third, score.Pass},
		{"read", read, score.Borderline},
		{"restored", read.RestoreExact(third), score.Pass},
		{"of another score", score.Result{Score: ptr(0.666)}.RestoreExact(third), score.Borderline},
	} {
		// 2/3 and 14/15 are 0.8 on average, and their doubles are not.
		other := score.Rubric(score.Spec, criteria{check("a", 14, nil), check("b", 1, new(bool))}, grades{yes("a"), no("b")})
		if c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: "a", Weight: 1, Result: tt.r}, {Name: "b", Weight: 1, Result: other}}); c.Verdict != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, c.Verdict, tt.want)
		}
	}
}

func TestVotes(t *testing.T) {
	yes, no, nothing := score.Opinion{Satisfied: ptr(true)}, score.Opinion{Satisfied: new(bool)}, score.Opinion{Ungraded: "no reply"}
	by := func(judge string, o score.Opinion) score.Opinion {
		o.Judge = judge
		return o
	}
	for _, tt := range []struct {
		grade     score.Grade
		contested bool
		votes     string
	}{
		{score.Grade{}, false, ""},
		{score.Grade{Agreement: ptr(1.0), Opinions: []score.Opinion{yes, yes}}, false, "2 of 2 agree"},
		{score.Grade{Agreement: ptr(1.0)}, false, "100 % of samples agree"},
		{score.Grade{Agreement: ptr(0.75)}, true, "75 % of samples agree"},
		{score.Grade{Agreement: ptr(1.0), Opinions: []score.Opinion{by("a", yes), by("b", yes)}}, false, "2 of 2 agree"},
		{score.Grade{Agreement: ptr(2.0 / 3), Opinions: []score.Opinion{yes, no, yes}}, true, "2 of 3 agree"},
		{score.Grade{Agreement: ptr(2.0 / 3), Opinions: []score.Opinion{yes, nothing, yes}}, true, "2 of 3 agree: one gave no grade"},
		{score.Grade{Agreement: ptr(0.25), Opinions: []score.Opinion{by("a", yes), by("b", no), by("c", nothing), by("d", score.Opinion{Score: ptr(7.5)})}}, true,
			"1 of 4 agree: a yes, b no, c nothing, d 7.5"},
		{score.Grade{Agreement: ptr(0.5), Opinions: []score.Opinion{by("a", score.Opinion{}), by("b", yes)}}, true, "1 of 2 agree: a no, b yes"},
	} {
		if got := tt.grade.VoteSummary(); got != tt.votes || tt.grade.IsContested() != tt.contested {
			t.Errorf("%q, contested %v; want %q, %v", got, tt.grade.IsContested(), tt.votes, tt.contested)
		}
	}
}

// TestFormat checks that scores have at most three decimals, and differences a sign but for 0.
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		value               float64
		rounded, difference string
	}{
		{0, "0", "0"}, {2, "2", "+2"}, {0.5, "0.5", "+0.5"}, {-0.5, "-0.5", "-0.5"},
		{0.12345, "0.123", "+0.123"}, {-0.9996, "-1", "-1"}, {0.0001, "0", "0"}, {-0.0001, "0", "0"},
	} {
		if got := score.FormatRounded(c.value); got != c.rounded {
			t.Errorf("%v: %s, want %s", c.value, got, c.rounded)
		}
		if got := score.FormatDifference(c.value); got != c.difference {
			t.Errorf("the difference %v: %s, want %s", c.value, got, c.difference)
		}
	}
}
