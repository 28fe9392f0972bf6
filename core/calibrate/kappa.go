package calibrate

import (
	"maps"
	"math"
	"slices"
)

// RatingPair is one thing as two raters rated it: a check as 0 or 1, a score from 0 to
// 10.
type RatingPair struct{ Human, Judge float64 }

// Weight says how far two ratings agree, from 0 to 1.
type Weight func(a, b float64) float64

// Unweighted takes ratings to agree or not: Cohen's κ as it was first given.
func Unweighted(a, b float64) float64 {
	if a == b {
		return 1
	}
	return 0
}

// Quadratic takes ratings to agree less by the square of their distance, over a
// scale of so many steps (Fleiss & Cohen 1973); of 0 to 10 these are ten.
func Quadratic(steps float64) Weight {
	return func(a, b float64) float64 { return 1 - (a-b)*(a-b)/(steps*steps) }
}

// Kappa is Cohen's coefficient of agreement beyond chance.
type Kappa struct {
	Value float64 `json:"value"` // at most 1; 0 is chance
	*Interval
}

// Interval are those between which κ lies with 95 % confidence, for a large sample. Where
// the standard error comes out as 0 there are none: two pairs of equal ratings, and a
// hundred, would bound it alike.
type Interval struct {
	Error float64 `json:"standard_error"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// z95 is how many standard errors 95 % of a normal distribution lie within.
const z95 = 1.959963984540054

// ComputeKappa is κ = (po − pe) / (1 − pe), with po the mean weight of the pairs and pe
// that of all pairs of any human rating with any of the judge's (Cohen 1960, 1968).
// Its standard error is the large-sample one of Fleiss, Cohen & Everitt (1969),
//
//	n (1−pe)⁴ SE² = Σ pij [wij (1−pe) − (w̄i· + w̄·j)(1−po)]² − (po pe − 2 pe + po)²
//
// with w̄i· = Σj p·j wij and w̄·j = Σi pi· wij. There is none, ok is false, where
// both raters always gave one and the same rating, for then 1 − pe is 0.
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
	if len(ratings) == 0 || 1-pe < 1e-12 {
		return Kappa{}, false
	}
	var spread float64
	for _, r := range sortedCells(cells) {
		d := weight(r.Human, r.Judge)*(1-pe) - (rows[r.Human]+columns[r.Judge])*(1-po)
		spread += cells[r] * d * d
	}
	spread -= (po*pe - 2*pe + po) * (po*pe - 2*pe + po)
	k.Value = (po - pe) / (1 - pe)
	if spread < 1e-12 { // what rounding leaves of nothing
		return k, true
	}
	e := math.Sqrt(spread/n) / ((1 - pe) * (1 - pe))
	k.Interval = &Interval{e, max(-1, k.Value-z95*e), min(1, k.Value+z95*e)}
	return k, true
}

// sortedCells are a table's cells in an order that is always the same, so that sums are.
func sortedCells(cells map[RatingPair]float64) []RatingPair {
	return slices.SortedFunc(maps.Keys(cells), func(a, b RatingPair) int {
		switch {
		case a.Human != b.Human && a.Human < b.Human, a.Human == b.Human && a.Judge < b.Judge:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
}
