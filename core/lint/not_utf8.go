package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "not-utf8",
	Summary:  "The text has bytes that are not UTF-8 text",
	Severity: diag.Error,
	Why: `
Runners read eval files as UTF-8. Other bytes, and control characters, are refused or reach the judge as
garbage. Save the file as UTF-8.
`,
	Bad: "\nevalcases:\n  - id: greeting\n    expected_outcome: Gr⟦\xfc⟧ßt\n    input: Hallo\n",
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Grüßt
    input: Hallo
`,
	Run: func(p *Pass) { p.reportProblems(yaml.EncodingProblem, "") },
})
