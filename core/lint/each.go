package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// cases are all cases in the order of the text, those that the runner skips
// among them: what is wrong inside them matters once they are mended. Those that
// stand in other files are looked at there.
func (p *Pass) cases() []*rubric.Case {
	if p.all == nil {
		elsewhere := func(c *rubric.Case) bool { return c.From != "" }
		p.all = slices.DeleteFunc(slices.Concat(p.Suite.Cases, p.Suite.Skipped), elsewhere)
		slices.SortStableFunc(p.all, func(a, b *rubric.Case) int { return a.Span.Start - b.Span.Start })
	}
	return p.all
}

// rubrics visits every rubric of every case, a composite's members included.
func (p *Pass) rubrics(visit func(*rubric.Case, *rubric.Grader)) {
	for _, c := range p.cases() {
		p.graders(c, func(g *rubric.Grader) {
			if len(g.Criteria) > 0 {
				visit(c, g)
			}
		})
	}
}

// graders visits every grader of a case, a composite's members included.
func (p *Pass) graders(c *rubric.Case, visit func(*rubric.Grader)) {
	var each func([]*rubric.Grader)
	each = func(list []*rubric.Grader) {
		for _, g := range list {
			visit(g)
			each(g.Members)
		}
	}
	each(c.Graders)
}

// criteria visits every criterion of every rubric.
func (p *Pass) criteria(visit func(*rubric.Criterion)) {
	p.rubrics(func(_ *rubric.Case, g *rubric.Grader) {
		for _, k := range g.Criteria {
			visit(k)
		}
	})
}
