package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = register(Rule{
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
	Run: func(p *Pass) {
		p.reportLosses("minimums_missing_skipped", "the mode `any_order` needs `minimums`; the runner skips the evaluator")
		p.reportLosses("expected_missing_skipped", "this mode needs a list `expected`; the runner skips the evaluator")
	},
})
