package syntax

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "odd-layout",
	Summary:  "Only some YAML parsers accept the layout",
	Severity: diag.Warning,
	Why: `
Examples are an empty key, a tab in the indentation, an indentation that only some parsers accept, and a character that
ends a line for YAML but not for an editor. ~rubric~ reads such a file; another parser may read it differently.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    note:
      ⟦: nobody⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
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
