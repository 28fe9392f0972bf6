package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// stake is a criterion amid all that it is weighed against.
type stake struct {
	of     *rubric.Case
	grader *rubric.Grader
	index  int  // among the grader's criteria
	within bool // the grader is a member of another, so what the case comes to depends on that one
}

func (s stake) criterion() *rubric.Criterion { return s.grader.Criteria[s.index] }

// graders visits the graders of a case, members after those that hold them.
func graders(c *rubric.Case, visit func(g *rubric.Grader, within bool)) {
	var all func([]*rubric.Grader, bool)
	all = func(list []*rubric.Grader, within bool) {
		for _, g := range list {
			visit(g, within)
			all(g.Members, true)
		}
	}
	all(c.Graders, false)
}

// stakes visits the criteria of a part's own text. What cases share is visited
// for the first case that has it.
func stakes(p *analysis.Part, visit func(stake)) {
	seen := map[*rubric.Grader]bool{}
	for _, c := range casesOf(p) {
		graders(c, func(g *rubric.Grader, within bool) {
			if seen[g] {
				return
			}
			seen[g] = true
			for i, criterion := range g.Criteria {
				if own(p, criterion.Span.Start) {
					visit(stake{c, g, i, within})
				}
			}
		})
	}
}

// stakeAt is the criterion that an offset is in.
func stakeAt(p *analysis.Part, offset int) (found stake, ok bool) {
	stakes(p, func(s stake) {
		if !ok && s.criterion().Span.Touches(offset) {
			found, ok = s, true
		}
	})
	return found, ok
}

// own reports whether an offset is in the part's text and not in its frame's.
func own(p *analysis.Part, offset int) bool { return offset <= len(p.Source.Body) }

// at is the grade of a criterion at a level.
func at(c *rubric.Criterion, level float64) score.Grade {
	g := score.Grade{ID: c.ID}
	if c.Ranged() {
		g.Score = &level
	} else {
		satisfied := level > 0
		g.Satisfied = &satisfied
	}
	return g
}

// best are the highest grades that criteria can be given.
func best(criteria []*rubric.Criterion) []score.Grade {
	grades := make([]score.Grade, len(criteria))
	for i, c := range criteria {
		highest := 0.0
		if all := score.Levels(c); len(all) > 0 {
			highest = all[len(all)-1]
		}
		grades[i] = at(c, highest)
	}
	return grades
}

// given is what the rubric comes to with some grades and this criterion at a level.
func (s stake) given(grades []score.Grade, level float64) score.Result {
	all := append([]score.Grade(nil), grades...)
	all[s.index] = at(s.criterion(), level)
	return s.result(all)
}

// result is what the rubric comes to with some grades.
func (s stake) result(grades []score.Grade) score.Result {
	return termsOf(s.of, s.grader).Apply(score.Spec, s.grader.Name, score.Rubric(score.Spec, s.grader.Criteria, grades))
}

// termsOf is what a case asks of a grader as a whole.
func termsOf(c *rubric.Case, g *rubric.Grader) score.Terms {
	return score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: c.Threshold}
}

// maxExplored is how many criteria are explored while somebody waits: twenty
// take some milliseconds.
const maxExplored = 20

// explored is what a rubric can come to; not known where its file asks something
// else of it than [score.Explore] knows of.
func explored(c *rubric.Case, g *rubric.Grader) score.Reach {
	if g.Negate || g.MinScore != nil || c.Threshold != nil || len(g.Criteria) > maxExplored {
		return score.Reach{}
	}
	return score.Explore(g.Criteria)
}

// whole is what the case comes to when its other graders give full marks; false
// where that cannot be told.
func (s stake) whole(r score.Result) (score.CaseResult, bool) {
	if s.within || len(s.of.Graders) < 2 {
		return score.CaseResult{}, false
	}
	var parts []score.Weighted
	for _, g := range s.of.Graders {
		part := score.Weighted{Name: g.Name, Weight: g.Weight, Result: score.Plain(1, nil, nil, "")}
		if g == s.grader {
			part.Result = r
		}
		parts = append(parts, part)
	}
	return score.CaseFrom(score.Spec, s.of.Threshold, parts), true
}

// share is the criterion's part of the weights of its rubric, and of its case's
// score, both 0–1; false where weights do not add up to anything.
func (s stake) share() (ofRubric, ofCase float64, ok bool) {
	total := 0.0
	for _, c := range s.grader.Criteria {
		if c.Weight < 0 {
			return 0, 0, false
		}
		total += c.Weight
	}
	if !(total > 0) {
		return 0, 0, false
	}
	ofRubric = s.criterion().Weight / total
	return ofRubric, ofRubric * shareOf(s.of, s.grader), true
}

// shareOf is a grader's part of its case's score, 0–1; 0 for a member of
// another and where weights do not add up to anything.
func shareOf(c *rubric.Case, g *rubric.Grader) float64 {
	total, own := 0.0, 0.0
	for _, other := range c.Graders {
		total += other.Weight
		if other == g {
			own = g.Weight
		}
	}
	if !(total > 0) {
		return 0
	}
	return own / total
}
