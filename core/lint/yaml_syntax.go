package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = add(Rule{
	ID:       "yaml-syntax",
	Summary:  "The text is not YAML here",
	Severity: diag.Error,
	Why: `
The runner refuses a file that is not YAML, with all its cases. Here only the lines that cannot be
read are left out, so everything else is still checked.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: ⟦"Greets the user⟧
    input: Hello
    rubrics:
      - ⟦*Greets* the user⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: "Greets the user"
    input: Hello
    rubrics:
      - "*Greets* the user"
`,
	Run: func(p *Pass) {
		if p.ADK != nil && p.ADK.Fault != nil {
			return // see not-json
		}
		tabs := 0
		for _, problem := range p.Tree.Problems {
			if p.ofTab(problem) {
				tabs++
			}
		}
		told := false
		for _, problem := range p.Tree.Problems {
			switch {
			case problem.Kind != yaml.SyntaxProblem:
			case tabs < 2 || !p.ofTab(problem):
				p.syntax(problem)
			case !told: // one cause, and one finding
				p.Report(problem.Span, "tabs indent %d lines from here on, YAML indents with spaces", tabs)
				told = true
			}
		}
	},
})

// ofTab reports whether a problem is that of a line that a tab indents.
func (p *Pass) ofTab(problem yaml.Problem) bool {
	return problem.Kind == yaml.SyntaxProblem && strings.Contains(p.Source.Slice(problem.Note), "\t")
}

// syntax reports a problem in the parser's words, unless the value is a text that
// only lacks its quotes.
func (p *Pass) syntax(problem yaml.Problem) {
	value, taken, ok := quotable(p.Source, problem.Span)
	if ok && taken != "" {
		p.Report(value, "%s; quote it", taken).Fixes = quoted(p.Source, value)
		return
	}
	d := p.problem(problem, "it starts here")
	if ok {
		d.Fixes = quoted(p.Source, value)
	}
}
