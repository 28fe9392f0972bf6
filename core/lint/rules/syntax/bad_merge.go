package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "bad-merge",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.BadMerge) {
			d := p.ReportProblem(problem, "")
			d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(problem.Span), "remove the merge key")
		}
	},
})
