package score

import "github.com/rubric-ls/rubric/core/rubric"

// FindDifferingGrades returns grades that pass in one profile and not in the other: exactly on a
// threshold, where a sum of doubles may fall short. It returns nil if there are none or the rubric
// is too complex; see [Attainable].
//
// It ignores two other differences: criteria that a judge omits, and a minimum on a criterion
// without bands next to criteria with bands.
func FindDifferingGrades(criteria []*rubric.Criterion) []Grade {
	s, ok := newSpace(criteria)
	if !ok || s.maxSum == 0 || !s.isSearchable() {
		return nil
	}
	sums := s.reachableSums(-1)
	for _, fifths := range []int64{4, 3} {
		at := s.maxSum / 5 * fifths // maxSum is a multiple of 10
		want, levels, paths := s.verdict(at), make([]int64, len(s.weights)), 0
		var walkBack func(i int, sum int64) []Grade // tries all ways to a sum until the profiles differ
		walkBack = func(i int, sum int64) []Grade {
			if i < 0 {
				paths++
				if grades := s.gradesFor(levels); Rubric(AgentV, criteria, grades).Verdict != want {
					return grades
				}
				return nil
			}
			for _, level := range s.passingLevels[i] {
				before := sum - s.weights[i]*level
				if paths > maxPaths || before < 0 || sums[i].Bit(int(before)) == 0 {
					continue
				}
				levels[i] = level
				if found := walkBack(i-1, before); found != nil {
					return found
				}
			}
			return nil
		}
		if found := walkBack(len(s.weights)-1, at); found != nil {
			return found
		}
	}
	return nil
}
