package calibrate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/rubric-ls/rubric/core/score"
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
	return slices.SortedFunc(maps.Keys(cells), func(a, b RatingPair) int {
		return cmp.Or(cmp.Compare(a.Human, b.Human), cmp.Compare(a.Judge, b.Judge))
	})
}

// Alpha is Krippendorff's coefficient of agreement among any number of people.
type Alpha struct {
	Value    float64         `json:"value"` // at most 1; 0 is chance
	Units    int             `json:"units"` // answers that several people graded
	Interval *score.Interval `json:"interval,omitempty"`
}

// A Distance is the squared difference of two ratings.
type Distance func(a, b float64) float64

// NominalDistance tells equal ratings from others.
func NominalDistance(a, b float64) float64 { return 1 - Unweighted(a, b) }

// IntervalDistance is that of ratings on a scale with equal steps.
func IntervalDistance(a, b float64) float64 { return (a - b) * (a - b) }

// resamples is the number of bootstrap samples.
const resamples = 1000

// ComputeAlpha returns α = 1 − Do/De of the ratings of each unit (Krippendorff, Content Analysis,
// 2004, chapter 11). Units with fewer than two ratings do not count. The interval is from a percentile bootstrap
// over units, which equal units have none of. ok is false if α is undefined: nothing varies, or there are
// fewer than two units.
func ComputeAlpha(units [][]float64, distance Distance) (a Alpha, ok bool) {
	units = slices.DeleteFunc(slices.Clone(units), func(u []float64) bool { return len(u) < 2 })
	value, ok := alpha(units, distance)
	if !ok || len(units) < 2 {
		return Alpha{}, false
	}
	a = Alpha{Value: value, Units: len(units)}
	random := score.Generator(len(units)) // equal labels have equal intervals
	var values []float64
	sample := make([][]float64, len(units))
	for range resamples {
		for i := range sample {
			sample[i] = units[random.Next(len(units))]
		}
		if v, ok := alpha(sample, distance); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if n := len(values); n > 0 && values[0] < values[n-1] {
		a.Interval = &score.Interval{Level: 0.95, Low: values[n/40], High: values[n-1-n/40]}
	}
	return a, true
}

func alpha(units [][]float64, distance Distance) (value float64, ok bool) {
	counts := map[float64]float64{}
	var n, observed, expected float64
	for _, u := range units {
		sum := 0.0
		for i, a := range u {
			counts[a]++
			for _, b := range u[:i] {
				sum += 2 * distance(a, b)
			}
		}
		n += float64(len(u))
		observed += sum / float64(len(u)-1)
	}
	values := slices.Sorted(maps.Keys(counts))
	for _, a := range values {
		for _, b := range values {
			expected += counts[a] * counts[b] * distance(a, b)
		}
	}
	return 1 - observed*(n-1)/expected, expected > 0
}

// Wilson returns the 95 % score interval of a share of n (Wilson 1927). n is at least 1.
func Wilson(share float64, n int) score.Interval {
	center, half := wilson(share, float64(n))
	return score.Interval{Level: 0.95, Low: max(0, center-half), High: min(1, center+half)}
}

func wilson(share, n float64) (center, half float64) {
	const z2 = z95 * z95
	return (share + z2/(2*n)) / (1 + z2/n), z95 / (1 + z2/n) * math.Sqrt(share*(1-share)/n+z2/(4*n*n))
}

// LabelsFor returns the smallest number of labels with which the Wilson interval of a share extends
// at most within to each side of its centre. A within of 0 or less has no such number; the result is 0.
func LabelsFor(share, within float64) int {
	if within <= 0 {
		return 0
	}
	enough := int(min(z95*z95/(4*within*within), 1<<50)) // for any share
	return 1 + sort.Search(enough, func(i int) bool {
		_, half := wilson(share, float64(i+1))
		return half <= within
	})
}

// ShareDifference returns the 95 % interval of b − a, for shares of two groups of na and nb. It
// combines their Wilson intervals (Newcombe 1998, method 10).
func ShareDifference(a float64, na int, b float64, nb int) score.Interval {
	first, second := Wilson(a, na), Wilson(b, nb)
	return score.Interval{
		Level: 0.95,
		Low:   b - a - math.Hypot(b-second.Low, first.High-a),
		High:  b - a + math.Hypot(second.High-b, a-first.Low),
	}
}
