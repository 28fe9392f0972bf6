package score_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// scaled is a rubric of so many criteria with bands, and its grades, by turns of
// some weights and raw scores.
func scaled(n int, weight, raw func(int) float64) (criteria []*rubric.Criterion, grades []score.Grade) {
	no := false
	for i := range n {
		id := strconv.Itoa(i)
		criteria = append(criteria, &rubric.Criterion{ID: id, Weight: weight(i), Required: &no, Bands: []rubric.Band{{Lo: 0, Hi: 10}}})
		grades = append(grades, score.Grade{ID: id, Score: new(raw(i))})
	}
	return criteria, grades
}

// TestSumsAreExact: whole numbers, fractions, large numbers and small ones, in any
// mixture, come to what they do as fractions.
func TestSumsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	weights := []float64{0, 1, 3, 0.1, 0.25, 1.0 / 3, 1e6, 1<<31 - 1, 1 << 31, 2.147483647, 2.147483648, 1 << 53, 1e300, 1e-300}
	for range 500 {
		criteria, grades := scaled(1+random.IntN(6), func(int) float64 { return weights[random.IntN(len(weights))] },
			func(int) float64 { return float64(random.IntN(41)) / 4 })
		sum, all := new(big.Rat), new(big.Rat)
		for i, c := range criteria {
			weight, _ := new(big.Rat).SetString(fmt.Sprint(c.Weight))
			raw, _ := new(big.Rat).SetString(fmt.Sprint(*grades[i].Score))
			sum.Add(sum, raw.Mul(raw, weight))
			all.Add(all, weight)
		}
		if all.Sign() == 0 {
			continue
		}
		want, _ := sum.Quo(sum, all.Mul(all, big.NewRat(10, 1))).Float64()
		if got := score.Rubric(score.Spec, criteria, grades); number(got) != want || got.Ungraded != "" {
			t.Errorf("%v, %q, want %v", number(got), got.Ungraded, want)
		}
	}
}

// BenchmarkRubric: criteria that weigh whole numbers, beside some that weigh tenths.
func BenchmarkRubric(b *testing.B) {
	for name, units := range map[string]float64{"whole": 1, "tenths": 10} {
		criteria, grades := scaled(6, func(i int) float64 { return float64(i+1) / units }, func(i int) float64 { return float64(i + 4) })
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				score.Rubric(score.Spec, criteria, grades)
			}
		})
	}
}
