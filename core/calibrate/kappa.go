package calibrate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"
)

// RatingPair holds two ratings of the same thing: checks are 0 or 1, scores 0 to 10.
type RatingPair struct{ Human, Judge float64 }

// Weight returns how far two ratings agree, from 0 to 1.
type Weight func(a, b float64) float64

// Unweighted counts ratings as equal or not, as in the original definition of κ (Cohen 1960).
func Unweighted(a, b float64) float64 {
	if a == b {
		return 1
	}
	return 0
}

// Quadratic reduces agreement by the square of the distance, over a scale of steps (Fleiss &
// Cohen 1973). The scale of 0 to 10 has ten steps.
func Quadratic(steps float64) Weight {
	return func(a, b float64) float64 { return 1 - (a-b)*(a-b)/(steps*steps) }
}

// Kappa is Cohen's coefficient of agreement beyond chance.
type Kappa struct {
	Value float64 `json:"value"` // at most 1; 0 is chance
	*Interval
}

// Interval is the 95 % confidence interval of κ for large samples. There is none if the standard
// error comes out as 0, because two equal pairs would bound κ as tightly as a hundred.
type Interval struct {
	Error float64 `json:"standard_error"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// z95 is the number of standard errors around the mean that hold 95 % of a normal distribution.
const z95 = 1.959963984540054

// ComputeKappa returns κ = (po − pe) / (1 − pe). po is the mean weight of the pairs, and pe that
// of all combinations of a human rating with one of the judge's (Cohen 1960, 1968). The standard
// error is the large-sample one of Fleiss, Cohen & Everitt (1969),
//
//	n (1−pe)⁴ SE² = Σ pij [wij (1−pe) − (w̄i· + w̄·j)(1−po)]² − (po pe − 2 pe + po)²
//
// with w̄i· = Σj p·j wij and w̄·j = Σi pi· wij. ok is false if κ is not defined: one rater gave the
// same rating always, as with a single pair. κ then is 0, or 0/0, whatever the other rater did.
func ComputeKappa(ratings []RatingPair, weight Weight) (k Kappa, ok bool) {
	n := float64(len(ratings))
	cells, human, judge := map[RatingPair]float64{}, map[float64]float64{}, map[float64]float64{}
	for _, r := range ratings {
		cells[r] += 1 / n
		human[r.Human] += 1 / n
		judge[r.Judge] += 1 / n
	}
	var po, pe float64
	for _, r := range sortedCells(cells) {
		po += cells[r] * weight(r.Human, r.Judge)
	}
	rows, columns := map[float64]float64{}, map[float64]float64{} // w̄i·, w̄·j
	for _, h := range slices.Sorted(maps.Keys(human)) {
		for _, j := range slices.Sorted(maps.Keys(judge)) {
			w := weight(h, j)
			pe += human[h] * judge[j] * w
			rows[h] += judge[j] * w
			columns[j] += human[h] * w
		}
	}
	if len(human) < 2 || len(judge) < 2 {
		return Kappa{}, false
	}
	var spread float64
	for _, r := range sortedCells(cells) {
		d := weight(r.Human, r.Judge)*(1-pe) - (rows[r.Human]+columns[r.Judge])*(1-po)
		spread += cells[r] * d * d
	}
	spread -= (po*pe - 2*pe + po) * (po*pe - 2*pe + po)
	k.Value = (po - pe) / (1 - pe)
	if spread < 1e-12 { // only rounding errors are left
		return k, true
	}
	e := math.Sqrt(spread/n) / ((1 - pe) * (1 - pe))
	k.Interval = &Interval{e, max(-1, k.Value-z95*e), min(1, k.Value+z95*e)}
	return k, true
}

// sortedCells returns the keys of cells in a fixed order, so that sums of floats are
// reproducible.
func sortedCells(cells map[RatingPair]float64) []RatingPair {
	keys := slices.Collect(maps.Keys(cells))
	sort.Slice(keys, func(i, j int) bool {
		return cmp.Or(cmp.Compare(keys[i].Human, keys[j].Human), cmp.Compare(keys[i].Judge, keys[j].Judge)) < 0
	})
	return keys
}
