package format

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "schema-not-applied",
	Summary:  "The JSON Schema that a file names is not applied",
	Severity: diag.Info,
	Highest:  diag.Warning,
	Why: `
~rubric~ never downloads a schema: the result of a check must not depend on a server. Save a copy in the folder of your
evals and name that file. A schema that is missing or unusable is a warning: it may refer to other files, apply itself to
the same value without end, or take too long.
`,
	Bad: `
# yaml-language-server: $schema=⟦https://example.com/evals.schema.json⟧
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
`,
	Good: `
# yaml-language-server: $schema=evals.schema.json
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
`,
	Run: func(p *lint.Pass) {
		if p.UserSchema == nil {
			return
		}
		switch err := cmp.Or(p.UserSchema.Err, validate(p).err); {
		case err != nil:
			d := p.Report(p.UserSchema.Span, "the schema `%s` is not applied: %s", lint.Abbreviate(p.UserSchema.Reference), err)
			d.Severity = diag.Warning
		case p.UserSchema.IsRemote():
			p.Report(p.UserSchema.Span, "the schema `%s` is not applied: schemas are not downloaded; name a file", lint.Abbreviate(p.UserSchema.Reference))
		}
	},
})
