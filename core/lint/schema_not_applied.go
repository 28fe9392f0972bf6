package lint

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/diag"
)

var _ = register(Rule{
	ID:       "schema-not-applied",
	Summary:  "A file names a JSON Schema that is not applied to it",
	Severity: diag.Info,
	Why: `
A schema that is named by an address is never fetched: what a check finds must not hang on who answers there. Keep a
copy beside your evals, and name that. A schema that is not there or cannot be used is a warning: one that refers to
other files, applies itself to the same value without end, or would take too long.
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
	Run: func(p *Pass) {
		if p.UserSchema == nil {
			return
		}
		_, err := p.validate()
		switch err = cmp.Or(p.UserSchema.Err, err); {
		case err != nil:
			d := p.Report(p.UserSchema.Span, "the schema `%s` is not applied: %s", abbreviate(p.UserSchema.Reference), err)
			d.Severity = diag.Warning
		case p.UserSchema.IsRemote():
			p.Report(p.UserSchema.Span, "the schema `%s` is not applied, as none is fetched; name a file", abbreviate(p.UserSchema.Reference))
		}
	},
})
