package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/schema"
)

var _ = add(Rule{
	ID:       "unknown-value",
	Summary:  "A value is none of those that its key may have",
	Severity: diag.Error,
	Why: `
The runner knows a fixed set of words here. With any other one it skips what holds it, with at most a warning.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    evaluators:
      - name: quick
        type: ⟦latncy⟧
        threshold: 2000
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    evaluators:
      - name: quick
        type: latency
        threshold: 2000
`,
	Run: func(p *Pass) {
		p.mismatches(conform.UnknownValue, func(m conform.Mismatch) {
			d := p.Report(m.Span, "unknown %s `%s`%s%s", subject(m), written(m), lostField(m.Field), instead(m, m.Type.Values))
			if m.Near != "" {
				d.Fixes = replaced(m.Node, m.Near, "change to `"+m.Near+"`")
				d.Fixes[0].Safe = false // a guess
			}
		})
		p.mismatches(conform.OddValue, func(m conform.Mismatch) {
			if value, _ := m.Node.Str(); m.Key == schemaKey && namesSchema(value) {
				return // see user-schema
			}
			d := p.Report(m.Span, "%s `%s` is not known here%s", subject(m), written(m), instead(m, m.Type.Known))
			d.Severity = diag.Warning
		})
	},
})

func written(m conform.Mismatch) string {
	value, _ := m.Node.Str()
	return shortened(value)
}

// instead is the nearest right value, or all of them where they are few.
func instead(m conform.Mismatch, values []schema.Value) string {
	if m.Near != "" {
		return "; did you mean `" + m.Near + "`?"
	}
	var all []string
	for _, v := range values {
		all = append(all, v.Text)
	}
	return "; expected " + listed(ticked(all), "or")
}
