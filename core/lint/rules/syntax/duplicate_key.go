package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "duplicate-key",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.DuplicateKey) {
			d := p.ReportProblem(problem, "first written here")
			d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(problem.Note), "remove the first one")
		}
	},
})
