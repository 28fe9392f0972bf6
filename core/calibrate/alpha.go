package calibrate

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/score"
)

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
