package offline

import (
	"math"
	"strconv"
	"strings"
)

// passing is the lowest score of what is satisfied, so that a criterion means
// the same with bands and without.
const (
	passing = 7
	highest = 10
)

// score is what was found, on the scale of 0 to 10. Whole numbers all the way:
// a result is the same on every machine.
func (e *evidence) score() int {
	part, whole := e.share()
	if e.satisfied() {
		return passing + (highest-passing)*max(0, 2*part-whole)/whole
	}
	return min(passing-1, highest*part/whole)
}

// snap moves a score that none of the bands holds to the nearest whole one that
// does, of two the lower. Bands are labelled as [judge.Item] says.
func snap(score int, bands []string) int {
	nearest, held := score, false
	for _, label := range bands {
		lo, hi, ok := ends(label)
		if !ok || lo > hi {
			continue
		}
		inside := min(max(score, lo), hi)
		near, nearer := distance(inside, score), distance(nearest, score)
		if !held || near < nearer || near == nearer && inside < nearest {
			nearest, held = inside, true
		}
	}
	return nearest
}

// ends are the lowest and highest whole score of a band, on the scale: 0 and 4
// of "0–4: text", 5 and 5 of "5: text".
func ends(label string) (lo, hi int, ok bool) {
	scores, _, _ := strings.Cut(label, ": ")
	from, to, wide := strings.Cut(scores, "–")
	if !wide {
		to = from
	}
	low, errLow := strconv.ParseFloat(from, 64)
	high, errHigh := strconv.ParseFloat(to, 64)
	if errLow != nil || errHigh != nil || math.IsNaN(low) || math.IsNaN(high) {
		return 0, 0, false
	}
	return int(math.Ceil(min(max(low, 0), highest+1))), int(math.Floor(max(min(high, highest), -1))), true
}

func distance(a, b int) int { return max(a-b, b-a) }
