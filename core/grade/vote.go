package grade

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// ballot is one sample's grade of a criterion.
type ballot struct {
	score.Grade
	judge  string
	sample int
}

// voteOnGrades makes one reply of several to the same question: for a check what most
// say, and no if as many say no; for a score the median, of two the lower. Of
// n samples more than half must have graded a criterion. Every sample has one
// vote, whichever judge of a panel it is from.
func (t task) voteOnGrades(samples []DecodedReply, n int) DecodedReply {
	if n == 1 && len(samples) == 1 {
		return samples[0]
	}
	type key struct {
		id  string
		nth int // of the grades with this id in one reply
	}
	var order []key
	ballots := map[key][]ballot{}
	merged := DecodedReply{}
	for _, s := range samples {
		seen := map[string]int{}
		for _, g := range s.Grades {
			k := key{g.ID, seen[g.ID]}
			seen[g.ID]++
			if ballots[k] == nil {
				order = append(order, k)
			}
			ballots[k] = append(ballots[k], ballot{g, s.judge, s.sample})
		}
		if merged.Reasoning == "" {
			merged.Reasoning = s.Reasoning
		}
	}
	for _, k := range order {
		g := elect(ballots[k], n, bandsOf(t.grader.Criteria, k.id))
		g.Opinions = opinions(ballots[k])
		merged.Grades = append(merged.Grades, g)
	}
	return merged
}

// elect finds the grade that the ballots of n samples agree on.
func elect(ballots []ballot, n int, bands []rubric.Band) score.Grade {
	graded := slices.DeleteFunc(slices.Clone(ballots), func(b ballot) bool { return b.Ungraded != "" })
	if 2*len(graded) <= n {
		reason := fmt.Sprintf("only %d of %d samples graded it", len(graded), n)
		for _, b := range ballots {
			if b.Ungraded != "" {
				reason += ": " + b.Ungraded
				break
			}
		}
		return score.Grade{ID: ballots[0].ID, Ungraded: reason}
	}
	slices.SortStableFunc(graded, func(a, b ballot) int { return cmp.Compare(gradeValue(a), gradeValue(b)) })
	// Yes and no sort like 1 and 0: the lower median is the strict majority.
	median := gradeValue(graded[(len(graded)-1)/2])
	same := slices.DeleteFunc(slices.Clone(graded), func(b ballot) bool { return gradeValue(b) != median })
	chosen := same[0].Grade
	agreement, flips := float64(len(same))/float64(n), flipRate(graded, bands)
	chosen.Agreement, chosen.FlipRate = &agreement, &flips
	return chosen
}

// flipRate is the share of the pairs of ballots that say otherwise.
func flipRate(graded []ballot, bands []rubric.Band) float64 {
	pairs, differ := 0, 0
	for i, a := range graded {
		for _, b := range graded[:i] {
			pairs++
			if !isSameGrade(a, b, bands) {
				differ++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(differ) / float64(pairs)
}

// isSameGrade reports whether two ballots are alike, or scores in one band.
func isSameGrade(a, b ballot, bands []rubric.Band) bool {
	if gradeValue(a) == gradeValue(b) {
		return true
	}
	return slices.ContainsFunc(bands, func(band rubric.Band) bool { return band.Contains(gradeValue(a)) && band.Contains(gradeValue(b)) })
}

// bandsOf are those of a criterion, none for a check.
func bandsOf(criteria []*rubric.Criterion, id string) []rubric.Band {
	for _, c := range criteria {
		if c.ID == id {
			return c.Bands
		}
	}
	return nil
}

// opinions are the ballots as a record keeps them.
func opinions(ballots []ballot) (all []score.Opinion) {
	for _, b := range ballots {
		all = append(all, score.Opinion{Judge: b.judge, Sample: b.sample, Satisfied: b.Satisfied, Score: b.Score, Reasoning: b.Reasoning, Ungraded: b.Ungraded})
	}
	return all
}

// gradeValue is where a grade stands among others of its criterion.
func gradeValue(b ballot) float64 {
	switch {
	case b.Score != nil:
		return *b.Score
	case b.Satisfied != nil && *b.Satisfied:
		return 1
	}
	return 0
}
