package calibrate_test

import (
	"math"
	"testing"

	"github.com/rubric-ls/rubric/core/calibrate"
)

// ratings are the pairs of a table of counts, rows the human's.
func ratings(table [][]int) (all []calibrate.RatingPair) {
	for h, row := range table {
		for j, count := range row {
			for range count {
				all = append(all, calibrate.RatingPair{Human: float64(h), Judge: float64(j)})
			}
		}
	}
	return all
}

// TestKappa holds the arithmetic against worked examples of the literature.
func TestKappa(t *testing.T) {
	none := math.Inf(1)
	linear := func(a, b float64) float64 { return 1 - math.Abs(a-b)/3 }
	dermatologists := [][]int{{10, 4, 1, 0}, {5, 10, 12, 2}, {2, 4, 12, 5}, {0, 2, 6, 13}}
	for _, c := range []struct {
		name      string
		table     [][]int
		weight    calibrate.Weight
		value     float64
		err       float64
		low, high float64
		places    float64
	}{
		// Fleiss, Statistical Methods for Rates and Proportions, 2nd ed., p. 213:
		// 100 patients, three diagnoses.
		{"three diagnoses", [][]int{{75, 1, 4}, {5, 4, 1}, {0, 0, 10}}, calibrate.Unweighted, 0.68, 0.087, math.NaN(), math.NaN(), 2},
		// SAS/STAT User's Guide, PROC FREQ, “Cohen's Kappa Coefficient”: two
		// dermatologists and 88 patients; the weights there are linear.
		{"two dermatologists", dermatologists, calibrate.Unweighted, 0.3449, 0.0724, 0.2030, 0.4868, 4},
		{"two dermatologists, weighted", dermatologists, linear, 0.5082, 0.0655, 0.3798, 0.6366, 4},
		// Cohen's own way of reckoning by hand: 50 proposals, two readers;
		// po = 0.7, pe = 0.5.
		{"two readers", [][]int{{20, 5}, {10, 15}}, calibrate.Unweighted, 0.4, math.NaN(), math.NaN(), math.NaN(), 9},
		{"all agree", [][]int{{5, 0}, {0, 5}}, calibrate.Unweighted, 1, none, none, none, 9},
		{"chance", [][]int{{5, 5}, {5, 5}}, calibrate.Unweighted, 0, math.NaN(), math.NaN(), math.NaN(), 9},
		{"all differ", [][]int{{0, 5}, {5, 0}}, calibrate.Unweighted, -1, none, none, none, 9},
		{"one grade of a judge", [][]int{{0, 2}, {0, 5}}, calibrate.Unweighted, 0, none, none, none, 12},
		// Of two ratings any weight agrees wholly or not at all.
		{"quadratic of two", [][]int{{20, 5}, {10, 15}}, calibrate.Quadratic(1), 0.4, math.NaN(), math.NaN(), math.NaN(), 9},
	} {
		k, ok := calibrate.ComputeKappa(ratings(c.table), c.weight)
		if !ok {
			t.Errorf("%s: there is none", c.name)
		}
		if k.Interval == nil {
			k.Interval = &calibrate.Interval{Error: none, Low: none, High: none}
		}
		for what, pair := range map[string][2]float64{"κ": {k.Value, c.value}, "error": {k.Error, c.err}, "low": {k.Low, c.low}, "high": {k.High, c.high}} {
			if !math.IsNaN(pair[1]) && pair[0] != pair[1] && !(math.Abs(pair[0]-pair[1]) <= 0.50001*math.Pow(10, -c.places)) {
				t.Errorf("%s: %s is %v, want %v", c.name, what, pair[0], pair[1])
			}
		}
	}
	for name, table := range map[string][][]int{"nothing": nil, "one rating only": {{7, 0}, {0, 0}}} {
		if k, ok := calibrate.ComputeKappa(ratings(table), calibrate.Unweighted); ok {
			t.Errorf("%s: κ is %v", name, k)
		}
	}
}
