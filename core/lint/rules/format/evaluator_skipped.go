package format

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
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
		p.ReportLosses("minimums_missing_skipped", "the mode `any_order` needs `minimums`; the runner skips the evaluator", func(mode *yaml.Node) []diag.Fix { return countExpected(p, mode.Parent) })
		p.ReportLosses("expected_missing_skipped", "this mode needs a list `expected`; the runner skips the evaluator", nil)
	},
})

// countExpected is the fix that adds `minimums` for the calls that an evaluator expects.
func countExpected(p *lint.Pass, evaluator *yaml.Node) []diag.Fix {
	minimums := map[string]int{}
	for _, step := range evaluator.Get("expected").List() {
		tool, ok := step.Get("tool").Str()
		if !ok {
			return nil
		}
		minimums[tool]++
	}
	if written, err := json.Marshal(minimums); err == nil && len(minimums) > 0 && evaluator.Get("minimums") == nil {
		return fix.AddEntry(p.Source, "require the expected calls in `minimums`", evaluator, "minimums", string(written))
	}
	return nil
}
