package score

import (
	"math/big"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Attainable describes the verdicts that a rubric can attain, over all possible grades under
// [Spec]. A criterion with bands can be graded with any whole score within a band, one without with
// 0 or 10 of 10.
type Attainable struct {
	// NeverPasses is true if no grades make the rubric pass. It is false for negative, infinite or very
	// different weights, which are not added up.
	NeverPasses bool
	// Known is false for a rubric with negative weights or too many possible sums. The fields below
	// are then empty.
	Known bool
	// Witnesses has example grades for each attainable verdict, in the order of the criteria, with
	// the lowest score that attains it.
	Witnesses map[Verdict][]Grade
	// NeverDecisive are the indices of criteria whose grade never changes the verdict, whatever the
	// other grades. It is empty if only one verdict is attainable.
	NeverDecisive []int
	// SoleDecider is the index of the criterion that alone decides whether the verdict is a fail,
	// or −1.
	SoleDecider int
}

// FindAttainable determines the verdicts that a rubric can attain.
func FindAttainable(criteria []*rubric.Criterion) Attainable {
	r := Attainable{Witnesses: map[Verdict][]Grade{}, SoleDecider: -1}
	s, ok := newSpace(criteria)
	if !ok {
		return r
	}
	if r.NeverPasses = s.neverPasses(); !s.isSearchable() {
		return r
	}
	gated := s.reachableSums(-1)
	for sum := range gated.each {
		if verdict := s.verdict(sum); r.Witnesses[verdict] == nil {
			r.Witnesses[verdict] = s.gradesFor(s.levelsFor(gated, sum))
		}
	}
	if levels := s.lowestLevels(); levels != nil {
		r.Witnesses[Fail] = s.gradesFor(levels)
	}
	r.Known = true
	if len(r.Witnesses) > 1 {
		r.NeverDecisive = s.neverDecisive(r.Witnesses[Pass] != nil || r.Witnesses[Borderline] != nil)
		r.SoleDecider = s.soleDecider()
	}
	return r
}

func (s *gradeSpace) neverPasses() bool {
	sum := int64(0)
	for i, held := range s.passingLevels {
		if len(held) == 0 {
			return true
		}
		sum += s.weights[i] * held[len(held)-1]
	}
	return s.verdict(sum) != Pass
}

// A gradeSpace is a rubric in whole numbers: a criterion of weight w at level l of ten adds w·l to
// a sum of at most maxSum.
type gradeSpace struct {
	criteria      []*rubric.Criterion
	weights       []int64
	levels        [][]int64 // possible levels of each criterion
	passingLevels [][]int64 // those that meet the criterion's gate
	maxSum        int64     // 10 · Σ weights
}

// Limits on the weights, sums and paths of a search.
const (
	maxWeight = 1 << 40
	maxWork   = 1 << 32 // bits of the sets to combine; about 0.2 s
	maxPaths  = 2_000
)

func newSpace(criteria []*rubric.Criterion) (*gradeSpace, bool) {
	s := &gradeSpace{criteria: criteria}
	scale := big.NewInt(1)
	var weights []*big.Rat
	for _, c := range criteria {
		weight, ok := decimal(new(big.Rat), c.Weight)
		if !ok || weight.Sign() < 0 {
			return nil, false
		}
		weights = append(weights, weight)
		gcd := new(big.Int).GCD(nil, nil, scale, weight.Denom())
		scale.Mul(scale, new(big.Int).Quo(weight.Denom(), gcd))
	}
	for i, w := range weights {
		n := new(big.Int).Mul(w.Num(), new(big.Int).Quo(scale, w.Denom()))
		if !n.IsInt64() || n.Int64() > maxWeight {
			return nil, false
		}
		s.weights = append(s.weights, n.Int64())
		s.maxSum += 10 * n.Int64()
		levels := generic.Map(Levels(criteria[i]), func(level float64) int64 { return int64(level) })
		held := levels
		switch c := criteria[i]; {
		case c.HasBands():
			if minimum := Minimum(c); minimum != nil {
				held = slices.DeleteFunc(slices.Clone(levels), func(l int64) bool { return float64(l) < *minimum })
			}
		case c.IsRequired():
			held = []int64{10}
		}
		s.levels, s.passingLevels = append(s.levels, levels), append(s.passingLevels, held)
	}
	return s, true
}

// Levels returns the possible grades of a criterion, of 10 and rising: the whole scores within its
// bands, or 0 and 10 without bands.
func Levels(c *rubric.Criterion) (all []float64) {
	if !c.HasBands() {
		return []float64{rubric.LowestScore, rubric.HighestScore}
	}
	for level := float64(rubric.LowestScore); level <= rubric.HighestScore; level++ {
		if slices.ContainsFunc(c.Bands, func(b rubric.Band) bool { return b.Contains(level) }) {
			all = append(all, level)
		}
	}
	return all
}

// GradeAt returns the grade of a criterion at a level of 0 to 10.
func GradeAt(c *rubric.Criterion, level float64) Grade {
	if c.HasBands() {
		return Grade{ID: c.ID, Score: &level}
	}
	return Grade{ID: c.ID, Satisfied: new(level > 0)}
}

// BestGrades returns the highest grade of each criterion.
func BestGrades(criteria []*rubric.Criterion) (grades []Grade) {
	for _, c := range criteria {
		highest := slices.Max(append(Levels(c), rubric.LowestScore))
		grades = append(grades, GradeAt(c, highest))
	}
	return grades
}

// IsGate reports whether missing a criterion makes the verdict [Fail].
func IsGate(c *rubric.Criterion) bool {
	if c.HasBands() {
		return Minimum(c) != nil
	}
	return c.IsRequired()
}

func (s *gradeSpace) verdict(sum int64) Verdict {
	switch {
	case s.maxSum == 0:
		return Fail // without weights there is no score
	case 5*sum >= 4*s.maxSum:
		return Pass
	case 5*sum >= 3*s.maxSum:
		return Borderline
	}
	return Fail
}

// isSearchable reports whether a search takes acceptable time: it combines a set for each level of
// each criterion, once with all criteria and once without each of them.
func (s *gradeSpace) isSearchable() bool {
	const smallest = 1024 // bits that take as long as a smaller set
	n := int64(len(s.weights))
	return n == 0 || max(s.maxSum, smallest) <= maxWork/(n*(n+1)*rubric.HighestScore)
}

// reachableSums returns all possible sums while every gate holds, as one set after each criterion,
// so that a path to a sum can be found again. It leaves out the criterion at index without.
func (s *gradeSpace) reachableSums(without int) sumLayers {
	layers := sumLayers{big.NewInt(1)}
	var shifted big.Int
	for i := range s.weights {
		next := layers[i]
		if i != without {
			next = new(big.Int)
			for _, level := range s.passingLevels[i] {
				next.Or(next, shifted.Lsh(layers[i], uint(s.weights[i]*level)))
			}
		}
		layers = append(layers, next)
	}
	return layers
}

// sumLayers are the sums that can be reached before each criterion, and at the end, as sets: bit n is
// set if n is in the set.
type sumLayers []*big.Int

// each yields the sums of all criteria in rising order.
func (l sumLayers) each(yield func(int64) bool) {
	last := l[len(l)-1]
	for sum := range last.BitLen() {
		if last.Bit(sum) == 1 && !yield(int64(sum)) {
			return
		}
	}
}

// levelsFor returns one path to a sum: a level for each criterion.
func (s *gradeSpace) levelsFor(l sumLayers, sum int64) []int64 {
	levels := make([]int64, len(s.weights))
	for i := len(s.weights) - 1; i >= 0; i-- {
		for _, level := range s.passingLevels[i] {
			if before := sum - s.weights[i]*level; before >= 0 && l[i].Bit(int(before)) == 1 {
				levels[i], sum = level, before
				break
			}
		}
	}
	return levels
}

// lowestLevels returns one way to fail, the lowest levels of all; nil if even they do not fail.
func (s *gradeSpace) lowestLevels() []int64 {
	var lowest []int64
	sum, gate := int64(0), false
	for i, levels := range s.levels {
		if len(levels) == 0 {
			return nil
		}
		lowest = append(lowest, levels[0])
		sum += s.weights[i] * levels[0]
		gate = gate || !slices.Contains(s.passingLevels[i], levels[0])
	}
	if gate || s.verdict(sum) == Fail {
		return lowest
	}
	return nil
}

func (s *gradeSpace) gradesFor(levels []int64) []Grade {
	grades := []Grade{}
	for i, c := range s.criteria {
		g := GradeAt(c, float64(levels[i]))
		g.Weight, g.Required = c.Weight, c.IsRequired()
		grades = append(grades, g)
	}
	return grades
}

// neverDecisive returns the criteria that never change the verdict. A gate that can hold and can
// fail changes it if the verdict could be better than a fail. Any other criterion changes it if its
// lowest and highest levels fall on different sides of a threshold.
func (s *gradeSpace) neverDecisive(canDoBetter bool) (idle []int) {
	for i := range s.criteria {
		if canDoBetter && s.hasGate(i) {
			continue
		}
		held := s.passingLevels[i] // not empty, because several verdicts are attainable
		lowest, highest := s.weights[i]*held[0], s.weights[i]*held[len(held)-1]
		matters := false
		for sum := range s.reachableSums(i).each {
			if matters = s.verdict(sum+lowest) != s.verdict(sum+highest); matters {
				break
			}
		}
		if !matters {
			idle = append(idle, i)
		}
	}
	return idle
}

// soleDecider returns the checklist criterion with which the verdict is never a fail and without
// which it always is, whatever the other grades: it has so much of the weight that the others alone
// fail, and they have no gates.
func (s *gradeSpace) soleDecider() int {
	decider := slices.IndexFunc(s.weights, func(weight int64) bool { return s.verdict(10*weight) != Fail })
	if len(s.criteria) < 2 || decider < 0 || s.criteria[decider].HasBands() {
		return -1
	}
	for i := range s.criteria {
		if i != decider && s.hasGate(i) {
			return -1
		}
	}
	return decider
}

// hasGate reports whether a criterion has a gate that some of its levels fail.
func (s *gradeSpace) hasGate(i int) bool { return len(s.passingLevels[i]) < len(s.levels[i]) }
