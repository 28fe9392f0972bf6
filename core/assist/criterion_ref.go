package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// criterionRef is a criterion amid all that it is weighed against.
type criterionRef struct {
	testCase *rubric.Case
	grader   *rubric.Grader
	index    int  // among the grader's criteria
	isMember bool // the grader is a member of another, so what the case comes to depends on that one
}

func (cr criterionRef) criterion() *rubric.Criterion { return cr.grader.Criteria[cr.index] }

// visitGraders visits the graders of a case, members after those that hold them.
func visitGraders(c *rubric.Case, visit func(g *rubric.Grader, within bool)) {
	var all func([]*rubric.Grader, bool)
	all = func(list []*rubric.Grader, within bool) {
		for _, g := range list {
			visit(g, within)
			all(g.Members, true)
		}
	}
	all(c.Graders, false)
}

// visitCriteria visits the criteria of a part's own text. What cases share is visited
// for the first case that has it.
func visitCriteria(p *analysis.Chunk, visit func(criterionRef)) {
	seen := map[*rubric.Grader]bool{}
	for _, c := range allCases(p) {
		visitGraders(c, func(g *rubric.Grader, within bool) {
			if seen[g] {
				return
			}
			seen[g] = true
			for i, criterion := range g.Criteria {
				if isOwnText(p, criterion.Span.Start) {
					visit(criterionRef{c, g, i, within})
				}
			}
		})
	}
}

// criterionAt is the criterion that an offset is in.
func criterionAt(p *analysis.Chunk, offset int) (found criterionRef, ok bool) {
	visitCriteria(p, func(cr criterionRef) {
		if !ok && cr.criterion().Span.Touches(offset) {
			found, ok = cr, true
		}
	})
	return found, ok
}

// isOwnText reports whether an offset is in the part's text and not in its frame's.
func isOwnText(p *analysis.Chunk, offset int) bool { return offset <= len(p.Source.Body) }

// gradeAt is the grade of a criterion at a level.
func gradeAt(c *rubric.Criterion, level float64) score.Grade {
	g := score.Grade{ID: c.ID}
	if c.HasBands() {
		g.Score = &level
	} else {
		satisfied := level > 0
		g.Satisfied = &satisfied
	}
	return g
}

// bestGrades are the highest grades that criteria can be given.
func bestGrades(criteria []*rubric.Criterion) []score.Grade {
	grades := make([]score.Grade, len(criteria))
	for i, c := range criteria {
		highest := 0.0
		if all := score.Levels(c); len(all) > 0 {
			highest = all[len(all)-1]
		}
		grades[i] = gradeAt(c, highest)
	}
	return grades
}

// resultAtLevel is what the rubric comes to with some grades and this criterion at a level.
func (cr criterionRef) resultAtLevel(grades []score.Grade, level float64) score.Result {
	all := append([]score.Grade(nil), grades...)
	all[cr.index] = gradeAt(cr.criterion(), level)
	return cr.rubricResult(all)
}

// rubricResult is what the rubric comes to with some grades.
func (cr criterionRef) rubricResult(grades []score.Grade) score.Result {
	return graderTerms(cr.testCase, cr.grader).Apply(score.Spec, cr.grader.Name, score.Rubric(score.Spec, cr.grader.Criteria, grades))
}

// graderTerms is what a case asks of a grader as a whole.
func graderTerms(c *rubric.Case, g *rubric.Grader) score.Terms {
	return score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: c.Threshold}
}

// maxExplored is how many criteria are explored while somebody waits: twenty
// take some milliseconds.
const maxExplored = 20

// explore is what a rubric can come to; not known where its file asks something
// else of it than [score.Explore] knows of.
func explore(c *rubric.Case, g *rubric.Grader) score.Attainable {
	if g.Negate || g.MinScore != nil || c.Threshold != nil || len(g.Criteria) > maxExplored {
		return score.Attainable{}
	}
	return score.FindAttainable(g.Criteria)
}

// caseResult is what the case comes to when its other graders give full marks; false
// where that cannot be told.
func (cr criterionRef) caseResult(r score.Result) (score.CaseResult, bool) {
	if cr.isMember || len(cr.testCase.Graders) < 2 {
		return score.CaseResult{}, false
	}
	var parts []score.WeightedResult
	for _, g := range cr.testCase.Graders {
		part := score.WeightedResult{Name: g.Name, Weight: g.Weight, Result: score.PlainResult(1, nil, nil, "")}
		if g == cr.grader {
			part.Result = r
		}
		parts = append(parts, part)
	}
	return score.CaseWithThreshold(score.Spec, cr.testCase.Threshold, parts), true
}

// weightShares is the criterion's part of the weights of its rubric, and of its case's
// score, both 0–1; false where weights do not add up to anything.
func (cr criterionRef) weightShares() (ofRubric, ofCase float64, ok bool) {
	total := 0.0
	for _, c := range cr.grader.Criteria {
		if c.Weight < 0 {
			return 0, 0, false
		}
		total += c.Weight
	}
	if !(total > 0) {
		return 0, 0, false
	}
	ofRubric = cr.criterion().Weight / total
	return ofRubric, ofRubric * graderShare(cr.testCase, cr.grader), true
}

// graderShare is a grader's part of its case's score, 0–1; 0 for a member of
// another and where weights do not add up to anything.
func graderShare(c *rubric.Case, g *rubric.Grader) float64 {
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
