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
	if !ok || s.maxSum == 0 {
		return nil
	}
	sums, ok := s.reachableSums(-1)
	if !ok {
		return nil
	}
	for _, fifths := range []int64{4, 3} {
		at := s.maxSum / 5 * fifths // maxSum is a multiple of 10
		search := &divergenceSearch{space: s, sums: sums, want: s.verdict(at), levels: make([]int64, len(s.weights))}
		if found := search.walkBack(len(s.weights)-1, at); found != nil {
			return found
		}
	}
	return nil
}

// A divergenceSearch walks back all ways to a sum until the profiles differ.
type divergenceSearch struct {
	space  *gradeSpace
	sums   sumLayers
	want   Verdict
	levels []int64
	paths  int
}

func (s *divergenceSearch) walkBack(i int, sum int64) []Grade {
	if i < 0 {
		s.paths++
		grades := s.space.gradesFor(s.levels)
		if Rubric(AgentV, s.space.criteria, grades).Verdict != s.want {
			return grades
		}
		return nil
	}
	for _, level := range s.space.passingLevels[i] {
		before := sum - s.space.weights[i]*level
		if s.paths > maxPaths || !s.sums[i][before] {
			continue
		}
		s.levels[i] = level
		if found := s.walkBack(i-1, before); found != nil {
			return found
		}
	}
	return nil
}
