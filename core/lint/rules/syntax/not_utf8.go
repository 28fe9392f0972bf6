package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "not-utf8",
	Summary:  "The file has bytes that are not UTF-8 text",
	Severity: diag.Error,
	Why: `
Runners read eval files as UTF-8. They refuse other bytes and control characters, or pass garbage to the judge. Save the
file as UTF-8.
`,
	Bad: "\nevalcases:\n  - id: greeting\n    expected_outcome: Gr⟦\xfc⟧ßt\n    input: Hallo\n",
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Grüßt
    input: Hallo
`,
	Run: func(p *lint.Pass) { p.ReportProblems(yaml.EncodingProblem, "") },
})
