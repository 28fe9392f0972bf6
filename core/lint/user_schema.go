package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = register(Rule{
	ID:       "user-schema",
	Summary:  "A file is not valid for the JSON Schema that its author named",
	Severity: diag.Warning,
	Why: `
A file may name a JSON Schema of your own, for what your team asks of its evals beyond the format: a comment
~# yaml-language-server: $schema=evals.schema.json~, which other editors read too, or a key ~$schema~ whose value is a
file. It is applied on top of all other rules. The schema is of draft 4, 6 or 7, in JSON or YAML, and is looked for from
the eval file's folder.
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
		found, _ := p.validate() // why not, says schema-not-applied
		for _, v := range found {
			d := p.Report(p.violationSpan(v), "%s", v.Message)
			d.Notes = []diag.Note{{Span: p.UserSchema.Span, Message: "by this schema"}}
		}
	},
})

// exampleSchema stands for the schema of the page, for want of a validator here;
// a host's test holds it against one.
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
