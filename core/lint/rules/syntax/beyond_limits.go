package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "beyond-limits",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.ExpansionBudget, "the repeated value is here")
		p.ReportProblems(yaml.DepthProblem, "")
		p.ReportProblems(yaml.TooLargeProblem, "")
	},
})
