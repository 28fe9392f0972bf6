package metric

import "fmt"

// Vote is the verdict of several samples on each property, in the order in which
// they were first judged: yes if more said so than no, else no, by the first
// rationale that says it. Who said neither has no vote. All but a full 1 is a no.
func Vote(samples [][]RubricScore) []RubricScore {
	type ballots struct{ yes, no, neither []RubricScore }
	byID := map[string]*ballots{}
	var order []string
	for _, sample := range samples {
		for _, s := range sample {
			b := byID[s.ID]
			if b == nil {
				b = &ballots{}
				byID[s.ID] = b
				order = append(order, s.ID)
			}
			switch {
			case s.Score == nil:
				b.neither = append(b.neither, s)
			case *s.Score == 1:
				b.yes = append(b.yes, s)
			default:
				b.no = append(b.no, s)
			}
		}
	}
	voted := make([]RubricScore, 0, len(order))
	for _, id := range order {
		switch b := byID[id]; {
		case len(b.yes) > len(b.no):
			voted = append(voted, b.yes[0])
		case len(b.no) > 0:
			voted = append(voted, b.no[0])
		default:
			voted = append(voted, b.neither[0])
		}
	}
	return voted
}

// MeanScore is the mean of the properties that were judged yes or no.
func MeanScore(rubrics []RubricScore) *float64 {
	all := make([]*float64, len(rubrics))
	for i, r := range rubrics {
		all[i] = r.Score
	}
	return Mean(all)
}

// Pool is the score of several turns, the mean over all their properties, and
// beside it that of each property over the turns.
func Pool(turns [][]RubricScore) (score *float64, each []RubricScore) {
	byID := map[string][]RubricScore{}
	var order []string
	var all []RubricScore
	for _, turn := range turns {
		for _, s := range turn {
			if byID[s.ID] == nil {
				order = append(order, s.ID)
			}
			byID[s.ID] = append(byID[s.ID], s)
			all = append(all, s)
		}
	}
	for _, id := range order {
		each = append(each, RubricScore{ID: id, Score: MeanScore(byID[id]), Rationale: fmt.Sprintf("the mean over %d of the turns", len(byID[id]))})
	}
	return MeanScore(all), each
}

func sumRubrics(r *Result) {
	turns := make([][]RubricScore, len(r.Invocations))
	for i, t := range r.Invocations {
		turns[i] = t.Rubrics
	}
	r.Score, r.Rubrics = Pool(turns)
	r.TurnMean = Mean(turnScores(r.Invocations))
}
