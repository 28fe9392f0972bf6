package references

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       lint.DuplicateCaseID,
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		add := func(id string, at text.Span) {
			if id != "" {
				p.AddFact(id, at, "the first one is here", "two cases have the id `%s`", lint.Abbreviate(id))
			}
		}
		if p.HasADKRole(adk.EvalSet, adk.Older) {
			for _, c := range p.Evalset().Cases {
				if c.IDNode != nil {
					add(c.ID, c.IDNode.Span)
				}
			}
		}
		all := p.SortedCases()
		for i, c := range all {
			if i == 0 || all[i-1].Span != c.Span { // one test expands to several cases
				add(c.ID, c.IDSpan)
			}
		}
	},
})
