package score_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		name    string
		terms   score.Terms
		value   float64
		spec    score.Verdict
		later   score.Verdict
		caseOne float64 // of a case with only this grader, in the later versions
	}{
		{"none", score.Terms{}, 0.7, score.Borderline, score.Fail, 0.7},
		{"a minimum is where it passes", score.Terms{MinScore: ptr(0.5)}, 0.5, score.Pass, score.Fail, 0.5},
		{"a minimum missed", score.Terms{MinScore: ptr(0.9)}, 0.85, score.Fail, score.Pass, 0.85},
		{"required", score.Terms{Required: true}, 0.8, score.Pass, score.Pass, 0.8},
		{"required and low", score.Terms{Required: true}, 0.7, score.Fail, score.Fail, 0},
		{"required at its minimum", score.Terms{Required: true, MinScore: ptr(0.5)}, 0.5, score.Pass, score.Fail, 0.5},
		{"negated", score.Terms{Negate: true}, 1, score.Fail, score.Fail, 0},
		{"negated nothing", score.Terms{Negate: true}, 0, score.Pass, score.Pass, 1},
		{"negated half", score.Terms{Negate: true}, 0.5, score.Fail, score.Pass, 0.5},
		{"negated and required", score.Terms{Negate: true, Required: true}, 0.9, score.Fail, score.Fail, 0},
		{"an odd minimum", score.Terms{MinScore: ptr(0.3)}, 0.3, score.Pass, score.Fail, 0.3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plain := score.PlainResult(tt.value, []string{"hit"}, []string{"miss"}, "so")
			if r := tt.terms.Apply(score.Spec, "g", plain); r.Verdict != tt.spec {
				t.Errorf("spec: %s, want %s", r.Verdict, tt.spec)
			}
			for _, p := range later {
				r := tt.terms.Apply(p, "g", plain)
				if r.Verdict != tt.later {
					t.Errorf("%s: %s, want %s", p, r.Verdict, tt.later)
				}
				c := score.Case(p, nil, []score.WeightedResult{{Name: "g", Weight: 1, Result: r}})
				if d := *c.Score - tt.caseOne; d > 1e-9 || d < -1e-9 {
					t.Errorf("%s: the case has %v, want %v", p, *c.Score, tt.caseOne)
				}
			}
		})
	}
}

func TestARequiredGraderGatesItsCase(t *testing.T) {
	terms := score.Terms{Required: true}
	parts := []score.WeightedResult{part("p", 9, 1), {Name: "f", Weight: 1, Result: terms.Apply(score.Spec, "f", score.PlainResult(0, nil, nil, ""))}}
	c := score.Case(score.Spec, nil, parts)
	if want := []string{"`f`: its score 0 is below the required 0.8"}; *c.Score != 0.9 || c.Verdict != score.Fail || !slices.Equal(c.Reasons, want) {
		t.Errorf("spec: %v %s %q", *c.Score, c.Verdict, c.Reasons)
	}
	for _, p := range later {
		if c := score.Case(p, nil, parts); *c.Score != 0 || c.Verdict != score.Fail || len(c.Reasons) != 1 {
			t.Errorf("%s: %+v", p, c)
		}
	}
	inner := score.Combine(score.Spec, nil, parts)
	outer := score.Combine(score.Spec, nil, []score.WeightedResult{{Name: "in", Weight: 1, Result: inner}})
	if inner.Gates[0].ID != "f" || outer.Gates[0].ID != "in/f" || outer.Verdict != score.Fail {
		t.Errorf("inside composites: %+v, %+v", inner.Gates, outer.Gates)
	}
	top := score.Case(score.Spec, nil, []score.WeightedResult{{Name: "out", Weight: 1, Result: outer}})
	if !slices.Contains(top.Reasons, "`in/f` of `out`: its score 0 is below the required 0.8") {
		t.Errorf("reasons %q", top.Reasons)
	}
}

func TestUngradedStaysUngraded(t *testing.T) {
	terms := score.Terms{Negate: true, Required: true, MinScore: ptr(0.0)}
	for _, p := range score.Profiles {
		r := terms.Apply(p, "g", score.UngradedResult("no judge"))
		if r.Ungraded != "no judge" || r.Score != nil || r.Verdict != score.Ungraded || len(r.Gates) != 1 || r.Gates[0].Met || r.Gates[0].Failed() || r.Gates[0].Reason != "ungraded: no judge" {
			t.Errorf("%s: %+v", p, r)
		}
		value := 0.0
		if p.IsV4OrLater() {
			value = 1 // the opposite of the 0 that the reference counts in a set
		}
		if set := score.CombineSet(score.AgentVHead, nil, []score.WeightedResult{{Name: "g", Weight: 1, Result: r}}); number(set) != value {
			t.Errorf("%s: a set of it has %v, want %v", p, number(set), value)
		}
	}
}

// TestNegationLeavesItsResultAlone: thirds are exact, findings change sides,
// and the result that is negated stays what it was.
func TestNegationLeavesItsResultAlone(t *testing.T) {
	r := score.Rubric(score.Spec, criteria{check("a", 1, ptr(false)), check("b", 2, ptr(true))}, grades{yes("a"), no("b")})
	n := (score.Terms{Negate: true}).Apply(score.Spec, "g", r)
	if number(n) != 2.0/3 || n.Verdict != score.Borderline || len(n.Gates) != 0 || !slices.Equal(n.Hits, r.Misses) || !slices.Equal(n.Misses, r.Hits) {
		t.Errorf("%+v", n)
	}
	if back := (score.Terms{Negate: true}).Apply(score.Spec, "g", n); number(back) != 1.0/3 || number(r) != 1.0/3 {
		t.Errorf("there and back: %v from %v", number(back), number(r))
	}
}

func TestAMinimumDoesNotUndoAGate(t *testing.T) {
	r := score.Rubric(score.Spec, criteria{check("a", 1, nil), check("b", 9, nil)}, grades{no("a"), yes("b")})
	if got := (score.Terms{MinScore: ptr(0.5)}).Apply(score.Spec, "g", r); got.Verdict != score.Fail {
		t.Errorf("%+v", got)
	}
}
