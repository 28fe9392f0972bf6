package score_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

var skipped = score.WeightedResult{Name: "s", Weight: 1, Result: score.UngradedResult("no judge")}

func TestCount(t *testing.T) {
	pass, fail, near := part("p", 1, 1), part("f", 1, 0), part("n", 1, 0.7)
	tests := []struct {
		name      string
		threshold float64
		parts     []score.WeightedResult
		later     float64
		verdict   score.Verdict
		ungraded  bool // in the later versions; by the rules whenever any member is
	}{
		{"all", 0.5, []score.WeightedResult{pass, pass}, 1, score.Pass, false},
		{"one of four", 0.5, []score.WeightedResult{pass, fail, fail, fail}, 0.25, score.Fail, false},
		{"half", 0.5, []score.WeightedResult{pass, fail}, 0.5, score.Pass, false},
		{"nearly is not", 0.5, []score.WeightedResult{pass, near, near}, 1.0 / 3, score.Fail, false},
		{"weights do not count", 0.5, []score.WeightedResult{part("p", 0, 1), fail}, 0.5, score.Pass, false},
		{"a skipped one", 0.5, []score.WeightedResult{pass, skipped, fail}, 0.5, score.Pass, false},
		{"only skipped ones", 0.5, []score.WeightedResult{skipped, skipped}, 0, score.Ungraded, true},
		{"none", 0.5, nil, 0, score.Fail, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range later {
				r := score.CombineByCount(p, tt.threshold, tt.parts)
				if number(r) != tt.later || r.Verdict != tt.verdict || (r.Ungraded != "") != tt.ungraded {
					t.Errorf("%s: %v %s %q", p, number(r), r.Verdict, r.Ungraded)
				}
			}
			r := score.CombineByCount(score.Spec, tt.threshold, tt.parts)
			open := strings.Contains(tt.name, "skipped") || tt.parts == nil
			if (r.Ungraded != "") != open || !open && (number(r) != tt.later || r.Verdict != tt.verdict) || open && r.Verdict != score.Ungraded {
				t.Errorf("spec: %v %s %q", number(r), r.Verdict, r.Ungraded)
			}
		})
	}
}

// TestCountIsExact: a third of the members is a third, and a failed gate of one
// that may fail is none of the whole.
func TestCountIsExact(t *testing.T) {
	gated := score.Rubric(score.Spec, criteria{check("a", 1, nil)}, grades{no("a")})
	third := score.CombineByCount(score.Spec, 0.3, []score.WeightedResult{part("p", 1, 1), {Name: "r", Weight: 1, Result: gated}, part("f", 1, 0)})
	if third.Verdict != score.Pass || len(third.Gates) != 0 || third.Hits[0] != "1 of 3 pass, at least 0.3 of them must" {
		t.Errorf("%+v", third)
	}
	c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: "t", Weight: 3, Result: third}, part("p", 2, 1)})
	if *c.Score != 0.6 || c.Verdict != score.Borderline {
		t.Errorf("three thirds and two of five: %v %s", *c.Score, c.Verdict)
	}
	pass, fail := part("p", 1, 1), part("f", 1, 0)
	for profile, want := range map[score.Profile]score.Verdict{score.Spec: score.Fail, score.AgentV4: score.Pass} { // the double of 5/6 is above it
		if r := score.CombineByCount(profile, 5./6, []score.WeightedResult{pass, pass, pass, pass, pass, fail}); r.Verdict != want {
			t.Errorf("%s: 5 of 6 against 0.8333333333333334: %s", profile, r.Verdict)
		}
	}
}

func TestSet(t *testing.T) {
	pass, fail := part("p", 1, 1), part("f", 1, 0)
	tests := []struct {
		name      string
		threshold *float64
		parts     []score.WeightedResult
		score     float64
		verdict   score.Verdict
	}{
		{"half of it", ptr(0.5), []score.WeightedResult{pass, fail}, 0.5, score.Pass},
		{"weights", ptr(0.6), []score.WeightedResult{part("p", 2, 1), fail}, 2.0 / 3, score.Pass},
		{"all of it", ptr(1.0), []score.WeightedResult{fail, pass}, 0.5, score.Fail},
		{"without a threshold all", nil, []score.WeightedResult{pass, part("q", 1, 0.8)}, 0.9, score.Pass},
		{"without a threshold one fails", nil, []score.WeightedResult{pass, pass, pass, pass, fail}, 0.8, score.Fail},
		{"without weight nobody asks", nil, []score.WeightedResult{pass, part("f", 0, 0)}, 1, score.Pass},
		{"one fails after one without weight", nil, []score.WeightedResult{part("p", 0, 1), fail}, 0, score.Fail},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range []score.Profile{score.Spec, score.AgentV4, score.AgentVHead} {
				r := score.CombineSet(p, tt.threshold, tt.parts)
				if number(r) != tt.score || r.Verdict != tt.verdict || r.Ungraded != "" {
					t.Errorf("%s: %v %s %q", p, number(r), r.Verdict, r.Ungraded)
				}
			}
		})
	}
	for _, threshold := range []*float64{nil, ptr(0.5)} {
		r := score.CombineSet(score.Spec, threshold, []score.WeightedResult{pass, skipped})
		if r.Verdict != score.Ungraded || r.Ungraded != "`s` is ungraded: no judge" {
			t.Errorf("spec: %s %q", r.Verdict, r.Ungraded)
		}
		r = score.CombineSet(score.AgentVHead, threshold, []score.WeightedResult{pass, skipped})
		if (r.Verdict == score.Pass) != (threshold != nil) || number(r) != 0.5 || r.Ungraded != "" {
			t.Errorf("head: %v %s %q", number(r), r.Verdict, r.Ungraded)
		}
	}
}

func TestASetKeepsGates(t *testing.T) {
	gated := score.Rubric(score.Spec, criteria{check("a", 9, nil), check("b", 1, nil)}, grades{yes("a"), no("b")})
	r := score.CombineSet(score.Spec, ptr(0.5), []score.WeightedResult{part("p", 1, 1), {Name: "r", Weight: 1, Result: gated}})
	if r.Verdict != score.Fail || number(r) != 0.95 || r.Gates[1].ID != "r/b" {
		t.Errorf("%+v", r)
	}
}

func TestWeightedMeanLeavesOutTheSkipped(t *testing.T) {
	for _, p := range later {
		if r := score.Combine(p, nil, []score.WeightedResult{part("a", 1, 0.9), skipped, part("b", 1, 0.9)}); number(r) != 0.9 || r.Verdict != score.Pass || r.Ungraded != "" {
			t.Errorf("%s: %+v", p, r)
		}
		if r := score.Combine(p, nil, []score.WeightedResult{skipped, skipped}); number(r) != 0 || r.Ungraded == "" {
			t.Errorf("%s, all of them: %+v", p, r)
		}
		if r := score.Combine(p, nil, nil); number(r) != 0 || r.Verdict != score.Fail {
			t.Errorf("%s, none: %+v", p, r)
		}
	}
}

func TestScored(t *testing.T) {
	for _, tt := range []struct {
		value     float64
		threshold *float64
		verdict   score.Verdict
	}{
		{0, nil, score.Fail},
		{0, ptr(0.0), score.Pass},
		{0.1, nil, score.Pass},
		{0.5, ptr(0.6), score.Fail},
		{7, ptr(1.0), score.Pass},
	} {
		if r := score.NumberResult(tt.value, tt.threshold); r.Verdict != tt.verdict || number(r) != min(tt.value, 1) {
			t.Errorf("%v: %+v", tt.value, r)
		}
	}
}
