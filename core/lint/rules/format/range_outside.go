package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "range-outside",
	Summary:  "A score range is not within 0 to 10 or not in whole numbers",
	Severity: diag.Error,
	Why: `
Judges grade in whole numbers from 0 to 10. In a case's own rubric the runner accepts a list of ranges that exceeds them;
in an evaluator's rubric it skips the case. In a mapping, one such key makes the runner ignore all ranges, and the
criterion becomes a checklist item.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Cold }
          - { score_range: [5, ⟦12⟧], expected_outcome: Warm }
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Cold }
          - { score_range: [5, 10], expected_outcome: Warm }
`,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if isScoreRange(m.Field) && m.Kind != conform.UnknownKey {
				d := p.Report(m.Span, "`score_range` has %s; scores are whole numbers from 0 to 10", lint.Abbreviate(m.Node.Follow().Value))
				d.Fixes = changeToAllowed(m)
			}
		}
		p.EachMismatch(conform.OutOfBounds, report)
		p.EachMismatch(conform.NotWhole, report)
		p.EachMismatch(conform.UnknownKey, func(m conform.Mismatch) {
			if isScoreMap(m.Owner) {
				p.Report(m.Span, "a range cannot start at `%s`; expected a whole number from 0 to 10", lint.Abbreviate(m.Key))
			}
		})
	},
})
