package grade

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/score"
)

// vote makes one reply of several to the same question: for a check what most
// say, and no if as many say no; for a score the median, of two the lower. Of
// n samples more than half must have graded a criterion.
func vote(samples []Decoded, n int) Decoded {
	if n == 1 && len(samples) == 1 {
		return samples[0]
	}
	type key struct {
		id  string
		nth int // of the grades with this id in one reply
	}
	var order []key
	ballots := map[key][]score.Grade{}
	merged := Decoded{}
	for _, s := range samples {
		seen := map[string]int{}
		for _, g := range s.Grades {
			k := key{g.ID, seen[g.ID]}
			seen[g.ID]++
			if ballots[k] == nil {
				order = append(order, k)
			}
			ballots[k] = append(ballots[k], g)
		}
		if merged.Reasoning == "" {
			merged.Reasoning = s.Reasoning
		}
	}
	for _, k := range order {
		merged.Grades = append(merged.Grades, elect(ballots[k], n))
	}
	return merged
}

// elect finds the grade that the ballots of n samples agree on.
func elect(ballots []score.Grade, n int) score.Grade {
	graded := slices.DeleteFunc(slices.Clone(ballots), func(g score.Grade) bool { return g.Ungraded != "" })
	if 2*len(graded) <= n {
		reason := fmt.Sprintf("only %d of %d samples graded it", len(graded), n)
		for _, g := range ballots {
			if g.Ungraded != "" {
				reason += ": " + g.Ungraded
				break
			}
		}
		return score.Grade{ID: ballots[0].ID, Ungraded: reason}
	}
	slices.SortStableFunc(graded, func(a, b score.Grade) int { return cmp.Compare(height(a), height(b)) })
	// Yes and no sort like 1 and 0: the lower median is the strict majority.
	median := height(graded[(len(graded)-1)/2])
	same := slices.DeleteFunc(graded, func(g score.Grade) bool { return height(g) != median })
	chosen := same[0]
	agreement := float64(len(same)) / float64(n)
	chosen.Agreement = &agreement
	return chosen
}

// height is where a grade stands among others of its criterion.
func height(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score
	case g.Satisfied != nil && *g.Satisfied:
		return 1
	}
	return 0
}
