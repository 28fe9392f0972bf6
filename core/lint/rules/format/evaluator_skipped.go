package format

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "evaluator-skipped",
	Summary:  "An evaluator lacks a key that its mode requires",
	Severity: diag.Error,
	Why: `
A ~tool_trajectory~ in mode ~any_order~ counts calls and needs ~minimums~. All other modes compare calls and need
~expected~. Without it the runner skips the evaluator with a warning and grades the case without it.
`,
	Bad: `
evalcases:
  - id: order
    expected_outcome: Looks the order up
    input: Where is order 1042?
    evaluators:
      - name: looked-up
        type: tool_trajectory
        mode: ⟦any_order⟧
        expected: [{ tool: find_order }]
`,
	Good: `
evalcases:
  - id: order
    expected_outcome: Looks the order up
    input: Where is order 1042?
    evaluators:
      - name: looked-up
        type: tool_trajectory
        mode: in_order
        expected: [{ tool: find_order }]
`,
	Run: func(p *lint.Pass) {
		p.ReportLosses("minimums_missing_skipped", "the mode `any_order` needs `minimums`; the runner skips the evaluator")
		p.ReportLosses("expected_missing_skipped", "this mode needs a list `expected`; the runner skips the evaluator")
	},
})
