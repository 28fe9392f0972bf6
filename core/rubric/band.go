package rubric

import (
	"math"
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/text"
)

// Band is one labelled score range, both ends inclusive. In a valid file they
// are whole numbers that cover 0 to 10 without overlap; the runner does not
// check inline rubrics, so neither does this type.
type Band struct {
	Lo, Hi float64
	Text   string
	Span   text.Span `json:"-"`
}

// The scale on which a criterion with bands is graded, both ends included.
const (
	LowestScore  = 0
	HighestScore = 10
)

// String is the band's scores: "0–4", or "10" where both ends are the same.
func (b Band) String() string {
	lo, hi := strconv.FormatFloat(b.Lo, 'f', -1, 64), strconv.FormatFloat(b.Hi, 'f', -1, 64)
	if lo == hi {
		return lo
	}
	return lo + "–" + hi
}

// Contains reports whether score lies in the band.
func (b Band) Contains(score float64) bool { return b.Lo <= score && score <= b.Hi }

// BandFault is what is wrong with one band.
type BandFault string

const (
	FractionalBound BandFault = "fractional" // an end that is not a whole number
	BoundOutOfRange BandFault = "outside"    // an end below 0 or above 10
	ReversedBounds  BandFault = "reversed"   // the lower end above the upper
)

// Fault is the first thing wrong with the band, "" if nothing is.
func (b Band) Fault() BandFault {
	switch {
	case math.Trunc(b.Lo) != b.Lo || math.Trunc(b.Hi) != b.Hi:
		return FractionalBound
	case b.Lo < LowestScore || b.Lo > HighestScore || b.Hi < LowestScore || b.Hi > HighestScore:
		return BoundOutOfRange
	case b.Lo > b.Hi:
		return ReversedBounds
	}
	return ""
}

// OverlappingBands returns a pair of indices for each band that shares a score with an
// earlier one, of which the first comes first. Touching ends share one.
func OverlappingBands(bands []Band) [][2]int {
	var pairs [][2]int
	var distinct []int // whole numbers from 0 to 10 make 66 distinct bands
	seen := map[[2]float64]bool{}
	for j, b := range bands {
		earlier := slices.IndexFunc(distinct, func(i int) bool {
			return max(bands[i].Lo, b.Lo) <= min(bands[i].Hi, b.Hi)
		})
		if earlier >= 0 {
			pairs = append(pairs, [2]int{distinct[earlier], j})
		}
		if ends := [2]float64{b.Lo, b.Hi}; !seen[ends] {
			seen[ends] = true
			distinct = append(distinct, j)
		}
	}
	return pairs
}

// UncoveredScores gives the whole scores from 0 to 10 that no band holds.
func UncoveredScores(bands []Band) []int {
	var missing []int
	for score := LowestScore; score <= HighestScore; score++ {
		covered := false
		for _, b := range bands {
			covered = covered || b.Contains(float64(score))
		}
		if !covered {
			missing = append(missing, score)
		}
	}
	return missing
}
