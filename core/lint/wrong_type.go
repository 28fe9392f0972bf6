package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
)

var _ = register(Rule{
	ID:       "wrong-type",
	Summary:  "A value has the wrong type for its key",
	Severity: diag.Error,
	Why: `
The runner treats a value of the wrong type as absent: it uses a default or drops the surrounding mapping. In YAML,
~1042~, ~1e3~, ~true~ and ~null~ are not texts unless quoted, and ~yes~ and ~no~ are not booleans.
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
				return // yaml-syntax reports it
			}
			d := p.Report(m.Span, "expected %s for %s, found %s%s", m.Type.Expectation(), mismatchSubject(m), describeValue(m.Node), mismatchLoss(m))
			if d.Fixes = retypeFix(m); p.ADK != nil && d.Fixes == nil {
				d.Fixes = wrapFix(m)
			}
		})
	},
})
