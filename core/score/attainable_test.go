// Much, one thing after another: the race detector is ten times as long over it and has
// nothing to see.

//go:build !race

package score_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// vectors visits every way to grade criteria.
func vectors(criteria []*rubric.Criterion, visit func([]score.Grade)) {
	grades := make([]score.Grade, len(criteria))
	var fill func(int)
	fill = func(i int) {
		if i == len(criteria) {
			visit(grades)
			return
		}
		c := criteria[i]
		if !c.HasBands() {
			for _, satisfied := range []bool{false, true} {
				grades[i] = score.Grade{ID: c.ID, Satisfied: &satisfied}
				fill(i + 1)
			}
			return
		}
		for level := 0.0; level <= 10; level++ {
			if slices.ContainsFunc(c.Bands, func(b rubric.Band) bool { return b.Contains(level) }) {
				grades[i] = score.Grade{ID: c.ID, Score: &level}
				fill(i + 1)
			}
		}
	}
	fill(0)
}

// brute is what a rubric comes to, by trying everything.
type brute struct {
	verdicts map[score.Verdict]bool
	idle     []int
	differs  bool
}

func tryAll(criteria []*rubric.Criterion) brute {
	b := brute{verdicts: map[score.Verdict]bool{}}
	type row struct {
		grades  []score.Grade
		verdict score.Verdict
	}
	var rows []row
	vectors(criteria, func(grades []score.Grade) {
		v := verdictOf(criteria, grades)
		b.verdicts[v] = true
		b.differs = b.differs || score.Rubric(score.AgentV, criteria, grades).Verdict != v
		rows = append(rows, row{slices.Clone(grades), v})
	})
	if len(b.verdicts) < 2 {
		return b
	}
	for i := range criteria {
		seen, changes := map[string]score.Verdict{}, false
		for _, r := range rows {
			key := ""
			for j, g := range r.grades {
				switch {
				case j == i:
				case g.Score != nil:
					key += string(rune('a' + int(*g.Score)))
				case *g.Satisfied:
					key += "y"
				default:
					key += "n"
				}
			}
			if before, ok := seen[key]; ok && before != r.verdict {
				changes = true
			}
			seen[key] = r.verdict
		}
		if !changes {
			b.idle = append(b.idle, i)
		}
	}
	return b
}

// verdictOf is a rubric's verdict by the rules; without any weight it never passes.
func verdictOf(criteria []*rubric.Criterion, grades []score.Grade) score.Verdict {
	if v := score.Rubric(score.Spec, criteria, grades).Verdict; v != score.Ungraded {
		return v
	}
	return score.Fail
}

func anyRubric(rng *rand.Rand) []*rubric.Criterion {
	weights := []float64{0, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1, 1, 2, 3, 5, 8, 1.5, 0.33}
	all := [][]rubric.Band{
		{{Lo: 0, Hi: 10}}, {{Lo: 0, Hi: 4}, {Lo: 5, Hi: 10}}, {{Lo: 0, Hi: 3}, {Lo: 6, Hi: 7}}, {{Lo: 2, Hi: 9}}, {{Lo: 8, Hi: 10}},
	}
	var criteria []*rubric.Criterion
	for i := range 1 + rng.IntN(3) {
		c := &rubric.Criterion{ID: string(rune('a' + i)), Text: "x", Weight: weights[rng.IntN(len(weights))]}
		if rng.IntN(3) == 0 {
			required := rng.IntN(2) == 0
			c.Required = &required
		}
		if rng.IntN(4) == 0 {
			c.Bands = all[rng.IntN(len(all))]
			if rng.IntN(3) == 0 {
				minimum := float64(rng.IntN(12))
				c.MinScore = &minimum
			}
		}
		criteria = append(criteria, c)
	}
	return criteria
}

// TestExploreAgreesWithBruteForce tries every grade of random rubrics.
func TestExploreAgreesWithBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	rubrics, differing := 10_000, 0
	if testing.Short() {
		rubrics = 300
	}
	for range rubrics {
		criteria := anyRubric(rng)
		got, want := score.FindAttainable(criteria), tryAll(criteria)
		if !got.Known {
			t.Fatalf("not known: %s", describe(criteria))
		}
		for _, v := range []score.Verdict{score.Pass, score.Borderline, score.Fail} {
			witness := got.Witnesses[v]
			if (witness != nil) != want.verdicts[v] {
				t.Fatalf("%s reachable: %v, want %v: %s", v, witness != nil, want.verdicts[v], describe(criteria))
			}
			if witness != nil && verdictOf(criteria, witness) != v {
				t.Fatalf("the witness of %s is no witness: %s", v, describe(criteria))
			}
		}
		if never := got.NeverPasses; never == want.verdicts[score.Pass] {
			t.Fatalf("never passes: %v, want %v: %s", never, !want.verdicts[score.Pass], describe(criteria))
		}
		if !slices.Equal(got.NeverDecisive, want.idle) {
			t.Fatalf("idle are %v, want %v: %s", got.NeverDecisive, want.idle, describe(criteria))
		}
		differ := score.FindDifferingGrades(criteria)
		if (differ != nil) != want.differs {
			t.Fatalf("profiles differ: %v, want %v: %s", differ != nil, want.differs, describe(criteria))
		}
		if differ != nil {
			differing++
			if score.Rubric(score.Spec, criteria, differ).Verdict == score.Rubric(score.AgentV, criteria, differ).Verdict {
				t.Fatalf("the witness does not differ: %s", describe(criteria))
			}
		}
	}
	if differing < rubrics/200 {
		t.Errorf("only %d rubrics differ by profile: too few to tell", differing)
	}
}

func describe(criteria []*rubric.Criterion) string {
	text := ""
	for _, c := range criteria {
		text += c.ID + " weight " + fmt.Sprint(c.Weight)
		if c.IsRequired() {
			text += " required"
		}
		for _, b := range c.Bands {
			text += fmt.Sprintf(" %v-%v", b.Lo, b.Hi)
		}
		if c.MinScore != nil {
			text += fmt.Sprint(" at least ", *c.MinScore)
		}
		text += "; "
	}
	return text
}

// TestAlone: with it never a fail, without it always.
func TestAlone(t *testing.T) {
	no := false
	free := func(weights ...float64) (all []*rubric.Criterion) {
		for i, w := range weights {
			all = append(all, &rubric.Criterion{ID: string(rune('a' + i)), Weight: w, Required: &no})
		}
		return all
	}
	for _, c := range []struct {
		weights []float64
		want    int
	}{{[]float64{8, 1, 1}, 0}, {[]float64{1, 6, 3}, 1}, {[]float64{9, 1}, 0}, {[]float64{5, 5}, -1}, {[]float64{1}, -1}, {[]float64{2, 1, 1}, -1}} {
		if got := score.FindAttainable(free(c.weights...)).SoleDecider; got != c.want {
			t.Errorf("of %v %d decides alone, want %d", c.weights, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		first, second *rubric.Criterion
		want          int
	}{
		"its own gate":     {check("a", 9, nil), check("b", 1, &no), 0},
		"another's gate":   {check("a", 9, &no), check("b", 1, nil), -1},
		"gates of both":    {check("a", 9, nil), check("b", 1, nil), -1},
		"a score of 0–10":  {ranged("a", 9, nil), check("b", 1, &no), -1},
		"only one of both": {check("a", 1, &no), check("b", 9, nil), 1},
	} {
		if got := score.FindAttainable(criteria{c.first, c.second}).SoleDecider; got != c.want {
			t.Errorf("%s: %d decides alone, want %d", name, got, c.want)
		}
	}
}

func TestNeverPasses(t *testing.T) {
	far := check("z", 1e300, nil)
	for name, c := range map[string]struct {
		criteria []*rubric.Criterion
		want     bool
	}{
		"a check":                    {criteria{check("a", 1, nil)}, false},
		"no weight":                  {criteria{check("a", 0, nil)}, true},
		"a minimum of 10":            {criteria{ranged("a", 1, ptr(10.0))}, false},
		"a minimum of 11":            {criteria{ranged("a", 1, ptr(11.0))}, true},
		"a gate that must fail":      {criteria{ranged("a", 0.01, ptr(11.0)), check("b", 9, nil)}, true},
		"bands that end at 7":        {criteria{{ID: "a", Weight: 1, Bands: []rubric.Band{{Lo: 0, Hi: 7}}}}, true},
		"bands that end at 9":        {criteria{{ID: "a", Weight: 1, Bands: []rubric.Band{{Lo: 0, Hi: 9}}}}, false},
		"weights too far apart":      {criteria{ranged("a", 1e-300, ptr(11.0)), far}, false},
		"a weight below 0":           {criteria{check("a", -1, nil), check("b", 0, nil)}, false},
		"a weight without an end":    {criteria{check("a", math.Inf(1), nil), check("b", 0, nil)}, false},
		"a weight that is no number": {criteria{check("a", math.NaN(), nil)}, false},
	} {
		if got := score.FindAttainable(c.criteria).NeverPasses; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestDifferingGrades: 0.7 and 0.1 of 1 are 0.8, and their doubles are less.
func TestDifferingGrades(t *testing.T) {
	tenths := criteria{check("a", 0.7, new(bool)), check("b", 0.1, new(bool)), check("c", 0.2, new(bool))}
	got := score.FindDifferingGrades(tenths)
	if len(got) != 3 || !*got[0].Satisfied || !*got[1].Satisfied || *got[2].Satisfied {
		t.Errorf("%+v", got)
	}
}

// TestExploreGivesUp rather than to be wrong or late.
func TestExploreGivesUp(t *testing.T) {
	if got := score.FindAttainable([]*rubric.Criterion{{ID: "a", Weight: -1}, {ID: "b", Weight: 1}}); got.Known {
		t.Error("negative weights")
	}
	var many []*rubric.Criterion
	for i := range 60 {
		many = append(many, &rubric.Criterion{ID: string(rune('a' + i)), Weight: 1 + float64(i*i)/7, Bands: []rubric.Band{{Lo: 0, Hi: 10}}})
	}
	if got := score.FindAttainable(many); got.Known {
		t.Error("sixty odd weights")
	}
	if score.FindDifferingGrades(many) != nil {
		t.Error("it differs all the same")
	}
	alike := make(criteria, 40) // with more ways to 0.8 than can be tried
	for i := range alike {
		alike[i] = check(fmt.Sprint(i), 1, new(bool))
	}
	if score.FindDifferingGrades(alike) != nil {
		t.Error("whole numbers differ")
	}
	for weight, known := range map[float64]bool{1 << 20: true, 1 << 40: false, 1e30: false} {
		if got := score.FindAttainable(criteria{check("a", weight, nil), check("b", 1, nil)}); got.Known != known || !known && got.SoleDecider != -1 {
			t.Errorf("a weight of %v: %+v", weight, got)
		}
	}
	for n, known := range map[int]bool{600: true, 700: false} {
		idle := make(criteria, n)
		for i := range idle {
			idle[i] = check(fmt.Sprint(i), 0, new(bool))
		}
		idle[0].Weight = 1
		if got := score.FindAttainable(idle); got.Known != known || known && len(got.NeverDecisive) != n-1 {
			t.Errorf("%d criteria without a gate: %v, %d", n, got.Known, len(got.NeverDecisive))
		}
	}
}

func TestBestGrades(t *testing.T) {
	need := 7.0
	plain, required := &rubric.Criterion{ID: "plain", Required: new(false)}, &rubric.Criterion{ID: "required", Required: new(true)}
	ranged := &rubric.Criterion{ID: "ranged", Required: new(false), Bands: []rubric.Band{{Lo: 2, Hi: 4}, {Lo: 6, Hi: 9}}}
	gated := &rubric.Criterion{ID: "gated", Required: new(false), MinScore: &need, Bands: []rubric.Band{{Lo: 5, Hi: 3}}}
	grades := score.BestGrades([]*rubric.Criterion{plain, required, ranged, gated})
	if len(grades) != 4 || !*grades[0].Satisfied || *grades[2].Score != 9 || *grades[3].Score != 0 || grades[2].ID != "ranged" {
		t.Errorf("%+v", grades)
	}
	if *score.GradeAt(plain, 0).Satisfied || *score.GradeAt(ranged, 6).Score != 6 || score.GradeAt(ranged, 6).Satisfied != nil {
		t.Error("a grade has the wrong level")
	}
	for _, c := range []*rubric.Criterion{plain, required, ranged, gated} {
		if want := c == required || c == gated; score.IsGate(c) != want {
			t.Errorf("%s is a gate: %v", c.ID, !want)
		}
	}
}

func TestOthersPass(t *testing.T) {
	c := &rubric.Case{Graders: []*rubric.Grader{{Name: "a", Weight: 1}, {Name: "b", Weight: 3}}}
	parts := score.OthersPass(c, c.Graders[1], score.PlainResult(0.5, nil, nil, ""))
	if len(parts) != 2 || parts[0].Name != "a" || parts[1].Weight != 3 || *parts[0].Result.Score != 1 || *parts[1].Result.Score != 0.5 {
		t.Errorf("%+v", parts)
	}
}
