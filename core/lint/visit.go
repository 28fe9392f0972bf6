package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// sortedCases are all cases in the order of the text, those that the runner skips
// among them: what is wrong inside them matters once they are mended. Those that
// stand in other files are looked at there.
func (p *Pass) sortedCases() []*rubric.Case {
	if p.allCases == nil {
		elsewhere := func(c *rubric.Case) bool { return c.SourceFile != "" }
		p.allCases = slices.DeleteFunc(slices.Concat(p.Suite.Cases, p.Suite.Skipped), elsewhere)
		slices.SortStableFunc(p.allCases, func(a, b *rubric.Case) int { return a.Span.Start - b.Span.Start })
	}
	return p.allCases
}

// eachRubric visits every rubric of every case, a composite's members included.
func (p *Pass) eachRubric(visit func(*rubric.Case, *rubric.Grader)) {
	for _, c := range p.sortedCases() {
		p.eachGrader(c, func(g *rubric.Grader) {
			if len(g.Criteria) > 0 {
				visit(c, g)
			}
		})
	}
}

// eachGrader visits every grader of a case, a composite's members included.
func (p *Pass) eachGrader(c *rubric.Case, visit func(*rubric.Grader)) {
	var each func([]*rubric.Grader)
	each = func(list []*rubric.Grader) {
		for _, g := range list {
			visit(g)
			each(g.Members)
		}
	}
	each(c.Graders)
}

// eachCriterion visits every criterion of every rubric.
func (p *Pass) eachCriterion(visit func(*rubric.Criterion)) {
	p.eachRubric(func(_ *rubric.Case, g *rubric.Grader) {
		for _, k := range g.Criteria {
			visit(k)
		}
	})
}
