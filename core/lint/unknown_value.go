package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/scalar"
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
				d.Fixes = replaced(m.Node, scalar.Like(m.Node, m.Near), "change to `"+m.Near+"`")
				d.Fixes[0].Safe = false // a guess
			}
		})
		p.mismatches(conform.OddValue, func(m conform.Mismatch) {
			if p.ADK != nil || p.hasPlugin(m) { // of ADK's it is the types of rubrics: see unused-rubric
				return
			}
			if value, _ := m.Node.Str(); m.Key == schemaKey && namesSchema(value) {
				return // see user-schema
			}
			d := p.Report(m.Span, "%s `%s` is not known here%s", subject(m), written(m), instead(m, m.Type.Known))
			d.Severity = diag.Warning
		})
	},
})

// mostListed is how many values a message lists.
const mostListed = 12

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
	if len(all) == 0 || len(all) > mostListed {
		return ""
	}
	return "; expected " + diag.Listed(diag.Ticked(all), "or")
}

// hasPlugin reports whether a type of graders that the runner does not have is
// one of the author's own.
func (p *Pass) hasPlugin(m conform.Mismatch) bool {
	if p.Files == nil || m.Field == nil || m.Field.Key != "type" || len(m.Type.Known) == 0 {
		return false
	}
	for _, ending := range []string{".ts", ".js", ".mts", ".mjs"} {
		if _, found := p.Files(".agentv/assertions/" + written(m) + ending); found {
			return true
		}
	}
	return false
}
