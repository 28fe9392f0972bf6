package score_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func ptr[T any](v T) *T { return &v }

// number returns the score of a result, and 0 of an ungraded one. It is NaN if there is a score and
// should be none, or the reverse.
func number(r score.Result) float64 {
	switch {
	case (r.Score == nil) != (r.Verdict == score.Ungraded):
		return math.NaN()
	case r.Score == nil:
		return 0
	}
	return *r.Score
}

func check(id string, weight float64, required *bool) *rubric.Criterion {
	return &rubric.Criterion{ID: id, Text: "does " + id, Weight: weight, Required: required}
}

func ranged(id string, weight float64, least *float64) *rubric.Criterion {
	return &rubric.Criterion{ID: id, Text: "does " + id, Weight: weight, MinScore: least, Bands: []rubric.Band{
		{Lo: 0, Hi: 4, Text: "poor"}, {Lo: 5, Hi: 9, Text: "fine"}, {Lo: 10, Hi: 10, Text: "perfect"},
	}}
}

func yes(id string) score.Grade { return score.Grade{ID: id, Satisfied: ptr(true), Reasoning: "seen"} }
func no(id string) score.Grade {
	return score.Grade{ID: id, Satisfied: ptr(false), Reasoning: "absent"}
}
func raw(id string, n float64) score.Grade {
	return score.Grade{ID: id, Score: &n}
}

type (
	criteria = []*rubric.Criterion
	grades   = []score.Grade
)

// TestRubric holds both profiles against the rules; where they agree, one row
// says so.
func TestRubric(t *testing.T) {
	free := ptr(false)
	tests := []struct {
		name     string
		criteria criteria
		grades   grades
		score    float64
		spec     score.Verdict
		agentv   score.Verdict
	}{
		{"all satisfied", criteria{check("a", 1, nil), check("b", 3, nil)}, grades{yes("a"), yes("b")}, 1, score.Pass, score.Pass},
		{"exactly 0.8 passes", criteria{check("a", 4, nil), check("b", 1, free)}, grades{yes("a"), no("b")}, 0.8, score.Pass, score.Pass},
		{"just below 0.8 is borderline", criteria{check("a", 799, nil), check("b", 201, free)}, grades{yes("a"), no("b")}, 0.799, score.Borderline, score.Borderline},
		{"exactly 0.6 is borderline", criteria{check("a", 3, free), check("b", 2, free)}, grades{yes("a"), no("b")}, 0.6, score.Borderline, score.Borderline},
		{"just below 0.6 fails", criteria{check("a", 599, free), check("b", 401, free)}, grades{yes("a"), no("b")}, 0.599, score.Fail, score.Fail},
		{"2, 1, 1 all required, one of the ones unmet: 0.75 and fails on the gate",
			criteria{check("a", 2, nil), check("b", 1, nil), check("c", 1, nil)}, grades{yes("a"), yes("b"), no("c")}, 0.75, score.Fail, score.Fail},
		{"2, 1, 1 with the unmet one optional is borderline",
			criteria{check("a", 2, nil), check("b", 1, nil), check("c", 1, free)}, grades{yes("a"), yes("b"), no("c")}, 0.75, score.Borderline, score.Borderline},
		{"a required criterion of no weight still gates", criteria{check("a", 1, nil), check("b", 0, nil)}, grades{yes("a"), no("b")}, 1, score.Fail, score.Fail},
		{"weighted scores", criteria{ranged("a", 2, nil), ranged("b", 1, nil)}, grades{raw("a", 8), raw("b", 6)}, 22.0 / 30, score.Borderline, score.Borderline},
		{"minimum met", criteria{ranged("a", 1, ptr(8.0))}, grades{raw("a", 8)}, 0.8, score.Pass, score.Pass},
		{"minimum missed by one", criteria{ranged("a", 1, ptr(9.0)), ranged("b", 3, nil)}, grades{raw("a", 8), raw("b", 10)}, 0.95, score.Fail, score.Fail},
		{"minimum 0 never fails", criteria{ranged("a", 1, ptr(0.0)), ranged("b", 9, nil)}, grades{raw("a", 0), raw("b", 10)}, 0.9, score.Pass, score.Pass},
		{"decimal weights mean what was written",
			criteria{check("a", .7, free), check("b", .1, free), check("c", .2, free)}, grades{yes("a"), yes("b"), no("c")}, 0.8, score.Pass, score.Borderline},
		{"7, 7 and 10 is 0.8", criteria{ranged("a", 1, nil), ranged("b", 1, nil), ranged("c", 1, nil)}, grades{raw("a", 7), raw("b", 7), raw("c", 10)}, 0.8, score.Pass, score.Borderline},
		{"6, 6, 6 weighing .1, .2, .3 is 0.6", criteria{ranged("a", .1, nil), ranged("b", .2, nil), ranged("c", .3, nil)}, grades{raw("a", 6), raw("b", 6), raw("c", 6)}, 0.6, score.Borderline, score.Fail},
		{"a negative weight is taken as written and the score kept in 0–1",
			criteria{check("a", -1, free), check("b", 2, free)}, grades{yes("a"), no("b")}, 0, score.Fail, score.Fail},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec := score.Rubric(score.Spec, tt.criteria, tt.grades)
			if number(spec) != tt.score || spec.Verdict != tt.spec {
				t.Errorf("spec: %v %s, want %v %s", number(spec), spec.Verdict, tt.score, tt.spec)
			}
			if spec.Ungraded != "" {
				t.Errorf("spec: ungraded: %s", spec.Ungraded)
			}
			agentv := score.Rubric(score.AgentV, tt.criteria, tt.grades)
			if math.Abs(number(agentv)-tt.score) > 1e-12 || agentv.Verdict != tt.agentv {
				t.Errorf("agentv: %v %s, want %v %s", number(agentv), agentv.Verdict, tt.score, tt.agentv)
			}
		})
	}
}

func TestRequiredWithBandsNeedsTen(t *testing.T) {
	c := ranged("a", 1, nil)
	c.Required = ptr(true)
	for _, profile := range []score.Profile{score.Spec, score.AgentV} {
		if r := score.Rubric(profile, criteria{c}, grades{raw("a", 9)}); r.Verdict != score.Fail || *r.Gates[0].Minimum != 10 || r.Gates[0].Reason != "9 of 10 is below the required 10" {
			t.Errorf("%s: 9 of 10: %+v", profile, r)
		}
		if r := score.Rubric(profile, criteria{c}, grades{raw("a", 10)}); r.Verdict != score.Pass {
			t.Errorf("%s: 10 of 10: %+v", profile, r)
		}
	}
}

// TestGates: a minimum needs a score to be missed, and one that is written
// counts instead of `required`.
func TestGates(t *testing.T) {
	checked := check("a", 1, ptr(false))
	checked.MinScore = ptr(8.0)
	strict := ranged("a", 1, ptr(6.0))
	strict.Required = ptr(true)
	lax := ranged("a", 1, ptr(6.0))
	lax.Required = ptr(false)
	for _, tt := range []struct {
		name      string
		criterion *rubric.Criterion
		grade     score.Grade
		gates     int
		met       bool
	}{
		{"a check is required unless it says otherwise", check("a", 1, nil), yes("a"), 1, true},
		{"a check that is missed", check("a", 1, nil), no("a"), 1, false},
		{"a check that is not required", check("a", 1, ptr(false)), no("a"), 0, true},
		{"a minimum of a check", checked, no("a"), 0, true},
		{"a score without a minimum", ranged("a", 1, nil), raw("a", 0), 0, true},
		{"a minimum that is required", strict, raw("a", 6), 1, true},
		{"a minimum that is required and missed", strict, raw("a", 5), 1, false},
		{"a minimum that is not required", lax, raw("a", 5), 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			easy := check("z", 99, ptr(false))
			for _, profile := range []score.Profile{score.Spec, score.AgentV} {
				rest := yes("z")
				if tt.criterion.HasBands() && profile == score.AgentV {
					rest = raw("z", 10)
				}
				r := score.Rubric(profile, criteria{tt.criterion, easy}, grades{tt.grade, rest})
				var of []score.Gate
				for _, g := range r.Gates {
					if g.ID == "a" {
						of = append(of, g)
					}
				}
				if len(of) != tt.gates || (r.Verdict == score.Pass) != tt.met || (len(of) > 0 && (of[0].Met != tt.met || (of[0].Reason == "") != tt.met)) {
					t.Errorf("%s: %s at %v, gates %+v", profile, r.Verdict, number(r), of)
				}
			}
		})
	}
}

func TestMixedRubric(t *testing.T) {
	mixed := criteria{check("a", 1, nil), ranged("b", 1, nil)}
	if r := score.Rubric(score.Spec, mixed, grades{yes("a"), raw("b", 6)}); number(r) != 0.8 || r.Verdict != score.Pass {
		t.Errorf("spec grades each criterion in its own mode: %+v", r)
	}
	if r := score.Rubric(score.AgentV, mixed, grades{raw("a", 9), raw("b", 10)}); number(r) != 0.95 || r.Verdict != score.Fail {
		t.Errorf("agentv asks 10 of a checklist criterion: %+v", r)
	}
	if r := score.Rubric(score.AgentV, mixed, grades{no("a"), raw("b", 10)}); number(r) != 0.5 || r.Verdict != score.Fail {
		t.Errorf("agentv reads not satisfied as 0: %+v", r)
	}
	if r := score.Rubric(score.AgentV, mixed, grades{yes("a"), raw("b", 6)}); number(r) != 0.8 {
		t.Errorf("agentv reads satisfied as 10: %+v", r)
	}
}

func TestUngradedNeverPasses(t *testing.T) {
	two := criteria{check("a", 9, nil), check("b", 1, ptr(false))}
	tests := []struct {
		name     string
		criteria criteria
		grades   grades
		reason   string
	}{
		{"left out", two, grades{yes("a")}, "1 of 2 criteria ungraded: `b` (the judge did not grade it)"},
		{"said so", two, grades{yes("a"), {ID: "b", Ungraded: "timed out"}}, "1 of 2 criteria ungraded: `b` (timed out)"},
		{"both for one reason", two, grades{{ID: "a", Ungraded: "timed out"}, {ID: "b", Ungraded: "timed out"}}, "2 of 2 criteria ungraded: timed out"},
		{"each for its own reason", two, grades{{ID: "a", Ungraded: "timed out"}, {ID: "b", Ungraded: "refused"}}, "2 of 2 criteria ungraded: `a` (timed out), `b` (refused)"},
		{"a score for a check", two, grades{yes("a"), raw("b", 10)}, "1 of 2 criteria ungraded: `b` (it needs `satisfied` and has none)"},
		{"a check for a score", criteria{ranged("a", 1, nil)}, grades{yes("a")}, "1 of 1 criteria ungraded: `a` (it needs a score of 0 to 10 and has none)"},
		{"a score off the scale", criteria{ranged("a", 1, nil)}, grades{raw("a", 11)}, "1 of 1 criteria ungraded: `a` (its score 11 is not within 0 to 10)"},
		{"no criteria", nil, nil, "the rubric has no criteria"},
		{"no weight", criteria{check("a", 0, nil)}, grades{yes("a")}, "the weights of the criteria add up to 0, so there is no score"},
		{"endless weight", criteria{check("a", math.Inf(1), nil)}, grades{yes("a")}, "the weight +Inf of `a` cannot be added"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := score.Rubric(score.Spec, tt.criteria, tt.grades)
			if r.Verdict != score.Ungraded || r.Ungraded != tt.reason {
				t.Errorf("%s, ungraded %q; want ungraded, %q", r.Verdict, r.Ungraded, tt.reason)
			}
		})
	}
}

func TestAgentVForgives(t *testing.T) {
	two := criteria{check("a", 1, nil), check("b", 3, nil)}
	tests := []struct {
		name     string
		criteria criteria
		grades   grades
		score    float64
		verdict  score.Verdict
	}{
		{"an omitted id leaves the sums and the gates", two, grades{yes("a")}, 1, score.Pass},
		{"an unknown id is nothing", two, grades{yes("z")}, 0, score.Fail},
		{"a repeated grade counts twice", criteria{check("a", 1, nil), check("b", 1, ptr(false))}, grades{yes("a"), yes("a"), no("b")}, 2.0 / 3, score.Borderline},
		{"of a repeated criterion the last", criteria{check("a", 1, nil), check("a", 3, ptr(false))}, grades{no("a")}, 0, score.Fail},
		{"no weight is 0", criteria{check("a", 0, nil)}, grades{yes("a")}, 0, score.Fail},
		{"ungraded is omitted", two, grades{yes("a"), {ID: "b", Ungraded: "x"}, {ID: "b"}}, 1, score.Pass},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := score.Rubric(score.AgentV, tt.criteria, tt.grades)
			if number(r) != tt.score || r.Verdict != tt.verdict {
				t.Errorf("%v %s, want %v %s", number(r), r.Verdict, tt.score, tt.verdict)
			}
		})
	}
}

func TestFindings(t *testing.T) {
	c := criteria{check("a", 1, nil), ranged("b", 1, nil), ranged("c", 1, nil), {ID: "d", Weight: 1, Bands: []rubric.Band{{Lo: 0, Hi: 5, Text: "low"}}}}
	b := score.Grade{ID: "b", Score: ptr(7.0), Reasoning: "good"}
	r := score.Rubric(score.Spec, c, grades{yes("a"), b, raw("c", 6), raw("d", 8)})
	hits := []string{"[a] does a: seen", "[b] does b - Score: 7/10 (fine): good", "[d] d - Score: 8/10 ()"}
	misses := []string{"[c] does c - Score: 6/10 (fine)"}
	if !slices.Equal(r.Hits, hits) || !slices.Equal(r.Misses, misses) {
		t.Errorf("hits %q misses %q", r.Hits, r.Misses)
	}
	details, ok := r.Details.(*score.Details)
	if !ok || len(details.RawScores) != 3 || details.RawScores["b"] != 7 {
		t.Errorf("details %+v", r.Details)
	}
	quiet := score.Rubric(score.AgentV, criteria{check("a", 1, nil)}, grades{{ID: "a", Satisfied: ptr(false)}})
	if !slices.Equal(quiet.Misses, []string{"[a] does a: "}) {
		t.Errorf("the reference keeps the colon: %q", quiet.Misses)
	}
}

// TestAgentVFindings: the reference lists a criterion as a hit from 7 of 10, if its gate is met.
func TestAgentVFindings(t *testing.T) {
	c := criteria{ranged("a", 1, ptr(5.0)), ranged("b", 1, ptr(5.0)), ranged("c", 1, ptr(9.0)), ranged("d", 1, nil)}
	r := score.Rubric(score.AgentV, c, grades{{ID: "z"}, raw("a", 7), {ID: "d"}, raw("b", 6), raw("c", 8)})
	hits := []string{"[a] does a - Score: 7/10 (fine)"}
	misses := []string{"[b] does b - Score: 6/10 (fine)", "[c] does c - Score: 8/10 (fine)"}
	if !slices.Equal(r.Hits, hits) || !slices.Equal(r.Misses, misses) || number(r) != 0.6999999999999998 {
		t.Errorf("%v: hits %q misses %q", number(r), r.Hits, r.Misses)
	}
	poor := score.Rubric(score.AgentV, c[3:], grades{raw("d", 3)})
	if want := []string{"[d] does d - Score: 3/10 (poor)"}; !slices.Equal(poor.Misses, want) {
		t.Errorf("misses %q, want %q", poor.Misses, want)
	}
	both := score.Grade{ID: "d", Score: ptr(9.0), Satisfied: new(bool)}
	if r := score.Rubric(score.AgentV, c[3:], grades{both}); number(r) != 0.9 {
		t.Errorf("a score and a satisfied: %v", number(r))
	}
}

// TestAgentVLeftOut: criteria that the reference scores as if they were not there are listed, each
// once and with the reason.
func TestAgentVLeftOut(t *testing.T) {
	c := criteria{check("a", 1, nil), check("b", 2, nil), check("c", 3, ptr(false)), check("c", 3, nil)}
	r := score.Rubric(score.AgentV, c, grades{{ID: "b", Ungraded: "timed out"}, {ID: "z", Ungraded: "unknown"}, yes("a"), {ID: "c"}})
	var got []string
	for _, g := range r.Grades {
		got = append(got, fmt.Sprint(g.ID, " ", g.Weight, " ", g.Required, " ", g.Ungraded))
	}
	want := []string{"a 1 true ", "b 2 true timed out", "c 3 false the judge did not grade it"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTwoCriteriaOneID gives each criterion its own grade, in order.
func TestTwoCriteriaOneID(t *testing.T) {
	r := score.Rubric(score.Spec, criteria{check("a", 1, ptr(false)), check("a", 4, ptr(false))}, grades{no("a"), yes("a")})
	if number(r) != 0.8 || r.Ungraded != "" {
		t.Errorf("%+v", r)
	}
}

// TestProperties: the order of grades is nothing, a better grade is no worse,
// the score stays within 0–1, and ungraded criteria never make a pass.
func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	for range 2000 {
		cs, gs := randomRubric(rng)
		base := score.Rubric(score.Spec, cs, gs)
		if number(base) < 0 || number(base) > 1 {
			t.Fatalf("score %v", number(base))
		}
		shuffled := slices.Clone(gs)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if other := score.Rubric(score.Spec, cs, shuffled); number(other) != number(base) || other.Verdict != base.Verdict {
			t.Fatalf("order matters: %v %v", base, other)
		}
		i := rng.Intn(len(gs))
		better := slices.Clone(gs)
		if better[i].Score != nil {
			better[i].Score = ptr(10.0)
		} else {
			better[i].Satisfied = ptr(true)
		}
		up := score.Rubric(score.Spec, cs, better)
		if number(up) < number(base) || rank(up.Verdict) < rank(base.Verdict) {
			t.Fatalf("a better grade is worse: %v %s, was %v %s", number(up), up.Verdict, number(base), base.Verdict)
		}
		without := score.Rubric(score.Spec, cs, slices.Delete(slices.Clone(gs), i, i+1))
		if without.Verdict != score.Ungraded && without.Verdict != score.Fail || without.Verdict == score.Fail && !slices.ContainsFunc(without.Gates, score.Gate.Failed) || !strings.Contains(without.Ungraded, "`"+gs[i].ID+"`") {
			t.Fatalf("leaving out %s: %s %q", gs[i].ID, without.Verdict, without.Ungraded)
		}
	}
}

func rank(v score.Verdict) int {
	return slices.Index([]score.Verdict{score.Fail, score.Borderline, score.Pass}, v)
}

func randomRubric(rng *rand.Rand) (criteria, grades) {
	var cs criteria
	var gs grades
	for i := range 1 + rng.Intn(6) {
		id := string(rune('a' + i))
		weight := float64(1+rng.Intn(40)) / 10
		if rng.Intn(2) == 0 {
			cs = append(cs, check(id, weight, ptr(rng.Intn(3) == 0)))
			gs = append(gs, score.Grade{ID: id, Satisfied: ptr(rng.Intn(2) == 0)})
			continue
		}
		var least *float64
		if rng.Intn(3) == 0 {
			least = ptr(float64(rng.Intn(11)))
		}
		cs = append(cs, ranged(id, weight, least))
		gs = append(gs, raw(id, float64(rng.Intn(11))))
	}
	return cs, gs
}
