package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
)

var _ = register(Rule{
	ID:       "wrong-type",
	Summary:  "A value is of another kind than its key asks for",
	Severity: diag.Error,
	Why: `
The runner takes a value of the wrong kind for none at all and uses a default, or drops what holds it. YAML makes
this easy: ~1042~, ~1e3~, ~true~ and ~null~ are no texts unless they are quoted, and ~yes~ and ~no~ are no booleans.
`,
	Bad: `
evalcases:
  - id: ⟦1042⟧
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - expected_outcome: Greets the user by name
        required: ⟦yes⟧
`,
	Good: `
evalcases:
  - id: "1042"
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - expected_outcome: Greets the user by name
        required: true
`,
	Run: func(p *Pass) {
		p.eachMismatch(conform.WrongType, func(m conform.Mismatch) {
			if p.isUnquotedPart(m.Node) || p.reportTemplate(m.Node, fieldLoss(m.Field)) {
				return // see yaml-syntax
			}
			d := p.Report(m.Span, "expected %s for %s, found %s%s", describeType(m.Type), mismatchSubject(m), describeValue(m.Node), mismatchLoss(m))
			if d.Fixes = retypeFix(m); p.ADK != nil && d.Fixes == nil {
				d.Fixes = wrapFix(m)
			}
		})
	},
})
