package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "beyond-limits",
	Summary:  "The file is too large, too deep, or expands to too many values",
	Severity: diag.Error,
	Why: `
A few lines of nested aliases can expand to billions of values and hang a reader. Values beyond the limits are not read:
they are neither checked nor graded. Write the values out, or split the file.
`,
	Bad: `
evalcases:
  - id: bomb
    expected_outcome: Ends
    input: Hello
    note:
      a: &a [x, x, x, x, x, x, x, x, x, x]
      b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
      c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
      d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
      e: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
`,
	Good: `
evalcases:
  - id: shared
    expected_outcome: Ends
    input: Hello
    note:
      a: &a [x, x, x]
      b: [*a, *a, *a]
`,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.ExpansionBudget, "the repeated value is here")
		p.ReportProblems(yaml.DepthProblem, "")
		p.ReportProblems(yaml.TooLargeProblem, "")
	},
})
