package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       lint.UnusedIgnore,
	Summary:  "A comment that silences a rule has no effect, or gives no reason",
	Severity: diag.Warning,
	RunsLast: true,
	Why: `
~# rubric: ignore RULE -- reason~ silences a rule on its line or, if it is alone on its line, on the next one. A comment
that silences nothing may hide the next fault of its kind. Without a reason the reader has to guess.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello  ⟦# rubric: ignore unknown-key -- was misspelt once⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    # rubric: ignore unknown-key -- read by our own tool
    owner: ann
`,
	Run: (*lint.Pass).ReportIgnores,
})
