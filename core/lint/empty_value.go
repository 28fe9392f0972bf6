package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
)

var _ = register(Rule{
	ID:         "empty-value",
	Summary:    "A key has no value, or a text without a word",
	Severity:   diag.Warning,
	CanBeError: true,
	Why: `
In AgentV's YAML a key without a value counts as if it were not there. Under a key that has to be there this is an error,
and a warning otherwise: write the value or remove the key.

ADK takes null only for what may be null by its own schema. Any other null is an error, in a list too: ADK refuses the file,
or does not evaluate the metric.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    ⟦input⟧:
    ⟦execution⟧:
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *Pass) {
		p.eachMismatch(conform.NoValue, func(m conform.Mismatch) {
			if m.Key == "" && m.Field == nil {
				p.reportEmptyFile(m)
				return
			}
			is := "has no value"
			if !m.Node.Span.Empty() {
				is = "is null"
			}
			d := p.Report(m.Span, "%s %s; expected %s", mismatchSubject(m), is, describeType(m.Type))
			p.raiseSeverity(d, m)
		})
		p.eachMismatch(conform.BlankText, func(m conform.Mismatch) {
			d := p.Report(m.Span, "%s is an empty text", mismatchSubject(m))
			p.raiseSeverity(d, m)
		})
	},
})

// reportEmptyFile says that a file holds nothing, or nothing but comments.
func (p *Pass) reportEmptyFile(m conform.Mismatch) {
	d := p.Report(m.Span, "%s is empty", mismatchSubject(m))
	if p.Role == "eval" {
		d.Severity = diag.Error
		d.Message += "; the runner refuses the file"
	}
}

// raiseSeverity makes a finding an error where something is lost by it.
func (p *Pass) raiseSeverity(d *diag.Diagnostic, m conform.Mismatch) {
	if m.IsRefused || m.Field != nil && m.Field.Required {
		d.Severity = diag.Error
		if m.Key != "" || p.ADK != nil { // an item of AgentV's is lost alone
			d.Message += mismatchLoss(m)
		}
	}
}
