package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = register(Rule{
	ID:       "user-schema",
	Summary:  "A file does not conform to the JSON Schema that it names",
	Severity: diag.Warning,
	Why: `
A file may name your own JSON Schema for rules of your team beyond the format. Use the comment
~# yaml-language-server: $schema=evals.schema.json~, which other editors read too, or the key ~$schema~ with a file name.
The schema applies in addition to all other rules. It uses draft 4, 6 or 7, in JSON or YAML. Its path is relative to the
eval file's folder.
`,
	Bad: `
# yaml-language-server: $schema=house.schema.json
evalcases:
  - ⟦id⟧: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
    conversation_id: ⟦7-b⟧
`,
	Good: `
# yaml-language-server: $schema=house.schema.json
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
    conversation_id: c-7
    note: Asked by ann
`,
	SiblingFiles: map[string]string{"house.schema.json": `{
  "properties": {"evalcases": {"items": {
    "required": ["note"],
    "properties": {"conversation_id": {"pattern": "^c-"}}
  }}}
}`},
	LoadSchema: exampleSchema,
	Run: func(p *Pass) {
		found, _ := p.validate() // schema-not-applied reports the error
		for _, v := range found {
			d := p.Report(p.violationSpan(v), "%s", v.Message)
			d.Notes = []diag.Note{{Span: p.UserSchema.Span, Message: "the schema is named here"}}
		}
	},
})

// exampleSchema imitates the schema of the example, because core has no validator. A test
// of the host compares it with a real one.
func exampleSchema(string) (*Schema, error) {
	whole := func(any) ([]Violation, error) { return nil, nil }
	refund := func(document any) (found []Violation, err error) {
		if refund, _ := document.(map[string]any); refund["note"] == nil {
			found = []Violation{
				{Message: "`note` is missing"},
				{Path: []string{"conversation_id"}, Message: "`\"7-b\"` does not match the pattern `^c-`"},
			}
		}
		return found, nil
	}
	return &Schema{whole, func(string) (around, item Validator) { return whole, refund }}, nil
}
