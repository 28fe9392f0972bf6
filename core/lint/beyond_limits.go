package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
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
	Run: func(p *Pass) {
		p.reportProblems(yaml.ExpansionBudget, "the repeated value is here")
		p.reportProblems(yaml.DepthProblem, "")
		p.reportProblems(yaml.TooLargeProblem, "")
	},
})
