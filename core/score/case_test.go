package score_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

func part(name string, weight, value float64) score.WeightedResult {
	return score.WeightedResult{Name: name, Weight: weight, Result: score.PlainResult(value, []string{name + " hit"}, nil, "so "+name)}
}

func TestCaseScore(t *testing.T) {
	tests := []struct {
		name    string
		parts   []score.WeightedResult
		score   float64
		verdict score.Verdict
	}{
		{"one", []score.WeightedResult{part("a", 1, 0.8)}, 0.8, score.Pass},
		{"mean", []score.WeightedResult{part("a", 1, 1), part("b", 1, 0)}, 0.5, score.Fail},
		{"weights", []score.WeightedResult{part("a", 3, 1), part("b", 1, 0)}, 0.75, score.Borderline},
		{"weight 0 counts for nothing", []score.WeightedResult{part("a", 1, 1), part("b", 0, 0)}, 1, score.Pass},
		{"decimals", []score.WeightedResult{part("a", 0.7, 1), part("b", 0.1, 1), part("c", 0.2, 0)}, 0.8, score.Pass},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := score.Case(score.Spec, nil, tt.parts)
			if *c.Score != tt.score || c.Verdict != tt.verdict || c.Ungraded != 0 {
				t.Errorf("%+v, want %v %s", c, tt.score, tt.verdict)
			}
			if a := score.Case(score.AgentV, nil, tt.parts); math.Abs(*a.Score-tt.score) > 1e-12 {
				t.Errorf("agentv: %v, want %v", *a.Score, tt.score)
			}
		})
	}
}

// TestThirdsAddUp: 2/3 and 14/15 have no double, and their mean is 0.8.
func TestThirdsAddUp(t *testing.T) {
	a := score.Rubric(score.Spec, criteria{check("a", 2, nil), check("b", 1, ptr(false))}, grades{yes("a"), no("b")})
	b := score.Rubric(score.Spec, criteria{check("a", 14, nil), check("b", 1, ptr(false))}, grades{yes("a"), no("b")})
	c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: "a", Weight: 1, Result: a}, {Name: "b", Weight: 1, Result: b}})
	if *c.Score != 0.8 || c.Verdict != score.Pass {
		t.Errorf("%v %s", *c.Score, c.Verdict)
	}
	nested := score.Combine(score.Spec, nil, []score.WeightedResult{{Name: "a", Weight: 1, Result: a}, {Name: "b", Weight: 1, Result: b}})
	if nested.Verdict != score.Pass {
		t.Errorf("composite: %v %s", number(nested), nested.Verdict)
	}
}

func TestAGateFailsTheCase(t *testing.T) {
	failed := score.Rubric(score.Spec, criteria{check("a", 4, nil), check("b", 1, nil)}, grades{yes("a"), no("b")})
	parts := []score.WeightedResult{{Name: "rubric", Weight: 1, Result: failed}, part("fast", 1, 1)}
	c := score.Case(score.Spec, nil, parts)
	if *c.Score != 0.9 || c.Verdict != score.Fail {
		t.Errorf("spec: %v %s", *c.Score, c.Verdict)
	}
	if want := []string{"`b` of `rubric`: required and not satisfied"}; !slices.Equal(c.Reasons, want) {
		t.Errorf("reasons %q", c.Reasons)
	}
	if g := c.Gates[1]; g.Grader != "rubric" || g.ID != "b" || g.Met {
		t.Errorf("gates %+v", c.Gates)
	}
	if a := score.Case(score.AgentV, nil, parts); a.Verdict != score.Pass {
		t.Errorf("the reference has no case gates: %s", a.Verdict)
	}
	if r := score.Combine(score.Spec, nil, parts); r.Verdict != score.Fail || r.Gates[1].ID != "rubric/b" {
		t.Errorf("composite: %+v", r)
	}
	if r := score.Combine(score.AgentV, nil, parts); r.Verdict != score.Pass || !strings.HasPrefix(r.Hits[0], "[rubric] [a] ") {
		t.Errorf("composite under agentv: %+v", r)
	}
}

// TestUngradedCase: a case that could not be judged in full has no score, unless a
// gate that was judged fails it.
func TestUngradedCase(t *testing.T) {
	half := score.Rubric(score.Spec, criteria{check("a", 1, nil), check("b", 1, nil), check("c", 2, nil)}, grades{yes("c")})
	parts := []score.WeightedResult{part("fast", 1, 1), {Name: "rubric", Weight: 1, Result: half}, {Name: "code", Weight: 0, Result: score.UngradedResult("not allowed")}}
	c := score.Case(score.Spec, nil, parts)
	if c.Verdict != score.Ungraded || c.Ungraded != 3 || c.Score != nil {
		t.Errorf("%+v", c)
	}
	if last := c.Reasons[len(c.Reasons)-1]; last != "`code` is ungraded: not allowed" {
		t.Errorf("reasons %q", c.Reasons)
	}
	parts = append(parts, score.WeightedResult{Name: "gate", Weight: 1, Result: score.Rubric(score.Spec, criteria{check("a", 1, nil), check("b", 1, nil)}, grades{no("a")})})
	if c := score.Case(score.Spec, nil, parts); c.Verdict != score.Fail || c.Score == nil || c.Ungraded != 4 {
		t.Errorf("with a failed gate: %+v", c)
	}
	for p, want := range map[score.Profile]float64{score.AgentV: 0.5, score.AgentV4: 0, score.AgentVHead: 0} {
		if c := score.Case(p, nil, parts); c.Verdict != score.Fail || c.Score == nil || math.Abs(*c.Score-want) > 1e-9 || c.Ungraded != 4 {
			t.Errorf("%s keeps the reference's numbers: %+v", p, c)
		}
	}
	if r := score.Combine(score.Spec, nil, parts); !strings.Contains(r.Ungraded, "`code` is ungraded: not allowed") {
		t.Errorf("composite: %q", r.Ungraded)
	}
}

func TestCaseWithoutAScore(t *testing.T) {
	tests := []struct {
		name   string
		parts  []score.WeightedResult
		reason string
	}{
		{"nothing", nil, "no grader is configured"},
		{"no weight", []score.WeightedResult{part("a", 0, 1)}, "the weights of its graders add up to 0, so there is no score"},
		{"endless", []score.WeightedResult{part("a", math.Inf(1), 1)}, "the weight +Inf of `a` cannot be added"},
	}
	for _, tt := range tests {
		c := score.Case(score.Spec, nil, tt.parts)
		if c.Verdict != score.Ungraded || c.Score != nil || c.Ungraded != 1 || !slices.Equal(c.Reasons, []string{tt.reason}) {
			t.Errorf("%s: %+v", tt.name, c)
		}
		if r := score.Combine(score.Spec, nil, tt.parts); r.Verdict != score.Ungraded || r.Ungraded != tt.reason {
			t.Errorf("%s, as a composite: %+v", tt.name, r)
		}
	}
	if a := score.Case(score.AgentV, nil, []score.WeightedResult{part("a", 0, 1)}); *a.Score != 0 {
		t.Errorf("agentv: %v", *a.Score)
	}
}

// TestCombineTurn: a turn without graders has the reference's score; others are combined as a case.
func TestCombineTurn(t *testing.T) {
	for _, profile := range score.Profiles {
		if r := score.CombineTurn(profile, nil, nil); number(r) != 1 || r.Verdict != score.Pass || r.Reasoning != "nothing grades this turn" {
			t.Errorf("%s, nothing: %+v", profile, r)
		}
		if r := score.CombineTurn(profile, ptr(0.5), []score.WeightedResult{part("a", 1, 0.5)}); number(r) != 0.5 || (r.Verdict == score.Pass) == (profile == score.AgentV) {
			t.Errorf("%s: %+v", profile, r)
		}
	}
}

func TestReasoningNamesItsGrader(t *testing.T) {
	c := score.Case(score.Spec, nil, []score.WeightedResult{part("a", 1, 1), part("b", 1, 1)})
	if c.Reasoning != "a: so a | b: so b" || !slices.Equal(c.Hits, []string{"a hit", "b hit"}) {
		t.Errorf("%q %q", c.Reasoning, c.Hits)
	}
}

func TestPlainResultIsClamped(t *testing.T) {
	for value, want := range map[float64]float64{1.7: 1, -2: 0, math.Inf(1): 0, 0.75: 0.75} {
		if r := score.PlainResult(value, nil, nil, ""); number(r) != want {
			t.Errorf("%v became %v, want %v", value, number(r), want)
		}
	}
	if r := score.PlainResult(math.NaN(), nil, nil, ""); number(r) != 0 || r.Verdict != score.Fail {
		t.Errorf("NaN became %+v", r)
	}
	c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: "a", Weight: 1, Result: score.Result{Score: ptr(math.NaN())}}})
	if *c.Score != 0 {
		t.Errorf("NaN in a stored result became %v", *c.Score)
	}
}
