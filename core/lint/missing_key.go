package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
)

var _ = add(Rule{
	ID:       "missing-key",
	Summary:  "A mapping lacks a key that it has to have",
	Severity: diag.Error,
	Why: `
Without it the runner skips the case, the evaluator or the criterion, often without a word, and the run looks as if
all were well. The message says what is lost.
`,
	Bad: `
evalcases:
  - ⟦id⟧: greeting
    input: Hello
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *Pass) {
		p.mismatches(conform.MissingKey, func(m conform.Mismatch) {
			name := "`" + m.Field.Key + "`"
			if m.Field.Short != nil { // the short names are what people write
				name = listed(ticked(m.Field.Names()), "or")
			}
			p.Report(m.Span, "this %s has no %s%s", noun(m.Owner), name, lostField(m.Field))
		})
		p.mismatches(conform.NoneOf, func(m conform.Mismatch) {
			p.Report(m.Span, "this %s has neither %s%s", noun(m.Owner), listed(ticked(m.Owner.Some), "nor"), lost(m.Owner.Lost))
		})
	},
})
