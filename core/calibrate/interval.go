package calibrate

import (
	"math"
	"sort"

	"github.com/rubric-ls/rubric/core/score"
)

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
