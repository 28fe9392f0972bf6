package format

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "evaluator-skipped",
	Severity: diag.Error,
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
