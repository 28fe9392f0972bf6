package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = add(Rule{
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
	Beside: map[string]string{"house.schema.json": `{
  "properties": {"evalcases": {"items": {
    "required": ["note"],
    "properties": {"conversation_id": {"pattern": "^c-"}}
  }}}
}`},
	Schemas: exampleViolations,
	Run: func(p *Pass) {
		own := p.ownSchema()
		found, _ := p.applied(own) // why not, says schema-not-applied
		for _, v := range found {
			d := p.Report(p.violated(v), "%s", v.Message)
			d.Notes = []diag.Note{{Span: own.span, Message: "by this schema"}}
		}
	},
})

// exampleViolations are what the schema of the page finds in its examples, for
// want of a validator here; a host's test holds them against one.
func exampleViolations(_ string, document any) ([]Violation, error) {
	root := document.(map[string]any)
	refund := root["evalcases"].([]any)[0].(map[string]any)
	if refund["note"] != nil {
		return nil, nil
	}
	return []Violation{
		{At: []string{"evalcases", "0"}, Message: "`note` is missing"},
		{At: []string{"evalcases", "0", "conversation_id"}, Message: "`\"7-b\"` does not match the pattern `^c-`"},
	}, nil
}
