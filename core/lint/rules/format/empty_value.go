package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "empty-value",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.NoValue, func(m conform.Mismatch) {
			switch {
			case m.Key == "" && m.Field == nil:
				reportEmptyFile(p, m)
				return
			case isNullRubric(p, m):
				return // see empty-rubric
			}
			is := "has no value"
			if !m.Node.Span.Empty() {
				is = "is null"
			}
			d := p.Report(m.Span, "%s %s; expected %s", mismatchSubject(m), is, m.Type.Expectation())
			raiseSeverity(p, d, m)
			switch {
			case m.Node.Key == nil:
				d.Fixes = fix.RemoveItem(p.Source, m.Node, "remove the item")
			case m.Field == nil || !m.Field.Required:
				d.Fixes = fix.RemoveEntry(p.Source, m.Node, "remove the key")
			}
		})
		p.EachMismatch(conform.BlankText, func(m conform.Mismatch) {
			d := p.Report(m.Span, "%s is an empty text", mismatchSubject(m))
			raiseSeverity(p, d, m)
		})
	},
})

// reportEmptyFile reports a file that holds nothing but comments.
func reportEmptyFile(p *lint.Pass, m conform.Mismatch) {
	d := p.Report(m.Span, "%s is empty", mismatchSubject(m))
	if p.Role == "eval" {
		d.Severity = diag.Error
		d.Message += "; the runner refuses the file"
	}
}

// raiseSeverity makes d an error if the runner drops something because of the empty value.
func raiseSeverity(p *lint.Pass, d *diag.Diagnostic, m conform.Mismatch) {
	if m.IsRefused || m.Field != nil && m.Field.Required {
		d.Severity = diag.Error
		if m.Key != "" || p.ADK != nil { // AgentV drops an empty list item and nothing else
			d.Message += mismatchLoss(m)
		}
	}
}
