package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "alias-cycle",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.AliasCycle) {
			d := p.ReportProblem(problem, "the anchor is here")
			n := p.NodeAt(problem.Span)
			d.Fixes = append(fix.RemoveEntry(p.Source, n, "remove the alias"), fix.RemoveItem(p.Source, n, "remove the alias")...)
		}
	},
})
