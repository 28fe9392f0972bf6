package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// criterionRef is a criterion with its grader and case.
type criterionRef struct {
	testCase *rubric.Case
	grader   *rubric.Grader
	index    int  // in the grader's criteria
	isMember bool // the grader is a member of another one, which decides the case's score
}

func (cr criterionRef) criterion() *rubric.Criterion { return cr.grader.Criteria[cr.index] }

// visitGraders visits the graders of a case; members after their composite, which is their parent.
func visitGraders(c *rubric.Case, visit func(g, parent *rubric.Grader)) {
	var all func([]*rubric.Grader, *rubric.Grader)
	all = func(list []*rubric.Grader, parent *rubric.Grader) {
		for _, g := range list {
			visit(g, parent)
			all(g.Members, g)
		}
	}
	all(c.Graders, nil)
}

// visitCriteria visits the criteria in a chunk's own text. Criteria that cases share are visited for
// the first case only.
func visitCriteria(p *analysis.Chunk, visit func(criterionRef)) {
	seen := map[*rubric.Grader]bool{}
	for _, c := range allCases(p) {
		visitGraders(c, func(g, parent *rubric.Grader) {
			if seen[g] {
				return
			}
			seen[g] = true
			for i, criterion := range g.Criteria {
				if isOwnText(p, criterion.Span.Start) {
					visit(criterionRef{c, g, i, parent != nil})
				}
			}
		})
	}
}

// criterionAt returns the criterion at an offset.
func criterionAt(p *analysis.Chunk, offset int) (found criterionRef, ok bool) {
	visitCriteria(p, func(cr criterionRef) {
		if !ok && cr.criterion().Span.Touches(offset) {
			found, ok = cr, true
		}
	})
	return found, ok
}

// isOwnText reports whether an offset is in the chunk's text, not in its header.
func isOwnText(p *analysis.Chunk, offset int) bool { return offset <= len(p.Source.Body) }

// gradeAt returns the grade of a criterion at a level of 0 to 10.
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

// bestGrades returns the highest grade of each criterion.
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

// resultAtLevel returns the rubric's result if this criterion had another level.
func (cr criterionRef) resultAtLevel(grades []score.Grade, level float64) score.Result {
	all := append([]score.Grade(nil), grades...)
	all[cr.index] = gradeAt(cr.criterion(), level)
	return cr.rubricResult(all)
}

// rubricResult returns the rubric's result for some grades.
func (cr criterionRef) rubricResult(grades []score.Grade) score.Result {
	g := cr.grader
	terms := score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: cr.testCase.Threshold}
	return terms.Apply(score.Spec, g.Name, score.Rubric(score.Spec, g.Criteria, grades))
}

// maxExplored bounds the criteria to explore during a request. Twenty take a few milliseconds.
const maxExplored = 20

// explore returns the possible results of a rubric. They are unknown for settings that
// [score.FindAttainable] does not model.
func explore(c *rubric.Case, g *rubric.Grader) score.Attainable {
	if g.Negate || g.MinScore != nil || c.Threshold != nil || len(g.Criteria) > maxExplored {
		return score.Attainable{}
	}
	return score.FindAttainable(g.Criteria)
}

// caseResult returns the case's result if its other graders give full marks. It returns false for
// members and single graders.
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

// weightShares returns the criterion's share of its rubric's weight and of its case's score, both
// 0–1. It returns false if the weights have no positive sum.
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

// graderShare returns a grader's share of its case's score, 0–1. It is 0 for members and if the
// weights have no positive sum.
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

// allCases returns a chunk's cases, including skipped ones, since a case that is being typed is
// often skipped. For the header, the text around the cases, it returns a stand-in for any case.
func allCases(p *analysis.Chunk) []*rubric.Case {
	cases := slices.Concat(p.Suite.Cases, p.Suite.Skipped)
	if p.Header != nil || len(cases) > 0 || p.Tree.HasUnboundedAliases() {
		return cases
	}
	switch p.Role {
	case agentv.Eval:
		cases = agentv.LowerChunk(p.Tree, wildcardCase("expected_outcome: x\n  input: x"), "").Cases
	case agentv.EvalV4:
		says := "criteria: x\n  input: x"
		if p.Version == agentv.Head {
			says = "criteria: x\n  vars: {}"
		}
		cases = v4.Reader{Version: p.Version}.LowerChunk(p.Tree, wildcardCase(says)).Cases
	}
	for _, c := range cases {
		c.ID, c.Span = "", text.Span{End: len(p.Source.Body) + 1} // matches every offset
	}
	return cases
}

// wildcardCase returns a list with one case without graders, at an offset behind every text.
func wildcardCase(says string) *yaml.Tree {
	t := yaml.Parse(text.New("", "- id: x\n  "+says+"\n"))
	t.MapSpans(func(span text.Span) text.Span { return span.Shift(text.HeaderBase) })
	return t
}
