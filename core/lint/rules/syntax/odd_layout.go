package syntax

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "odd-layout",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		for _, kind := range []yaml.ProblemKind{yaml.EmptyKey, yaml.TabProblem, yaml.IndentProblem, yaml.LineBreakProblem} {
			for _, problem := range p.Tree.ProblemsOf(kind) {
				d := p.ReportProblem(problem, "")
				if blank := p.Source.Slice(problem.Span); strings.Trim(blank, " \t") == "" {
					d.Fixes = []diag.Fix{{Title: "empty the line", Safe: true, Edits: []text.Edit{{Span: problem.Span}}}}
				}
			}
		}
	},
})
