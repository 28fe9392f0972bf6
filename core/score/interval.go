package score

import (
	"math"
	"math/bits"
	"slices"
)

// Interval is a confidence interval of the mean difference between two runs.
type Interval struct {
	Level float64 `json:"level"` // 0.95
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Pair holds the scores of one case in two runs, one for each trial. Neither is empty.
type Pair struct{ First, Second []float64 }

const (
	confidence = 0.95
	// exhaustive is the highest number of arrangements that are all used. Of more, some are drawn.
	exhaustive = 1 << 15
	// mostDraws is the highest number of cases in all drawn arrangements, if leastDrawn suffice.
	mostDraws, leastDrawn = 20_000_000, 2000
	// manyTrials is the number of trials of a case from which arrangements are drawn, and drawnTrials how many.
	manyTrials, drawnTrials = 11, 1 << 9
)

// MeanDifference returns the 95 % confidence interval of the mean over the cases of second − first,
// or nil if there are too few cases and trials for one. That takes 6 cases with one trial each.
//
// The interval inverts a permutation test, which is exact for any number of cases and any
// distribution of scores. If a run's scores differ from the other's by a constant only, each
// arrangement of a case's trials among the two runs is equally likely. The interval holds the
// constants that the test at 5 % does not reject. With one trial per case, this is Fisher's paired
// test (The Design of Experiments, 1935, section 21), and the bounds are means of subsets of the
// differences (Hartigan, Using subsample values as typical values, 1969).
func MeanDifference(pairs []Pair) *Interval {
	cases := make([][]arrangement, len(pairs))
	total, mean := 1, 0.0
	random := Generator(len(pairs)) // equal runs have equal intervals
	for i, p := range pairs {
		cases[i] = p.arrangements(&random)
		mean += cases[i][0].difference
		total = min(total*len(cases[i]), exhaustive+1)
	}
	sample := nextArrangements(cases)
	if total > exhaustive {
		total = min(exhaustive, max(leastDrawn, mostDraws/len(pairs)))
		sample = func() (sum arrangement) {
			for _, all := range cases {
				sum = sum.plus(all[random.Next(len(all))])
			}
			return sum
		}
	}
	// The test of a constant c compares the runs' own difference, less c, with that of each
	// arrangement. An arrangement's difference reaches it for all c from one bound on.
	bounds, same := make([]float64, 0, total), 0
	n := float64(len(pairs))
	for i := range total {
		a := arrangement{difference: mean, remaining: n}
		if i > 0 {
			a = sample()
		}
		if n-a.remaining < 1e-9 {
			same++ // as it was: every constant
		} else {
			bounds = append(bounds, (mean-a.difference)/(n-a.remaining))
		}
	}
	at := int(float64(total)*(1-confidence)/2) - same
	if at < 0 || len(pairs) == 0 {
		return nil
	}
	slices.Sort(bounds)
	round := func(f float64) float64 { return math.Round(f*1e9) / 1e9 }
	return &Interval{confidence, round(bounds[at]), round(bounds[len(bounds)-1-at])}
}

// An arrangement assigns the trials of a case, or of several, to the two runs.
type arrangement struct {
	difference float64 // of the means of second and first, summed over the cases
	remaining  float64 // what of an effect of the second run remains in it, from −1 to 1
}

func (a arrangement) plus(b arrangement) arrangement {
	return arrangement{a.difference + b.difference, a.remaining + b.remaining}
}

// arrangements returns all arrangements of a case's trials, or some of many. The first is the
// actual one.
func (p Pair) arrangements(random *Generator) []arrangement {
	values := append(slices.Clone(p.First), p.Second...)
	n, seconds := len(values), len(p.Second)
	actual := uint(1<<n-1) &^ (1<<len(p.First) - 1)
	if n < manyTrials {
		all := []arrangement{p.arrange(values, func(i int) bool { return actual>>i&1 == 1 })}
		for set := range uint(1) << n {
			if bits.OnesCount(set) == seconds && set != actual {
				all = append(all, p.arrange(values, func(i int) bool { return set>>i&1 == 1 }))
			}
		}
		return all
	}
	order := make([]int, n) // the places of the trials; the last are of the second run
	for i := range order {
		order[i] = i
	}
	var all []arrangement
	for range drawnTrials {
		all = append(all, p.arrange(values, func(i int) bool { return order[i] >= len(p.First) }))
		for i := range order {
			j := random.Next(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	return all
}

// arrange returns the arrangement in which isSecond says which trials are of the second run.
func (p Pair) arrange(values []float64, isSecond func(int) bool) (a arrangement) {
	firsts, seconds := float64(len(p.First)), float64(len(p.Second))
	for i, v := range values {
		share := -1 / firsts
		if isSecond(i) {
			share = 1 / seconds
		}
		a.difference += v * share
		if i >= len(p.First) {
			a.remaining += share
		}
	}
	return a
}

// nextArrangements returns a function that returns the sums of all combinations of the cases'
// arrangements in turn, but for the first of all.
func nextArrangements(cases [][]arrangement) func() arrangement {
	at := make([]int, len(cases))
	return func() (sum arrangement) {
		for i := range at {
			if at[i]++; at[i] < len(cases[i]) {
				break
			}
			at[i] = 0
		}
		for i, all := range cases {
			sum = sum.plus(all[at[i]])
		}
		return sum
	}
}

// A Generator yields the same pseudo-random numbers each time, by SplitMix64 (Steele, Lea and Flood, Fast
// splittable pseudorandom number generators, 2014).
type Generator uint64

// Next returns a number from 0 to n−1.
func (g *Generator) Next(n int) int {
	*g += 0x9e3779b97f4a7c15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}
