package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-value",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.UnknownValue, func(m conform.Mismatch) {
			d := p.Report(m.Span, "unknown %s `%s`%s%s", mismatchSubject(m), writtenValue(m), fieldLoss(m.Field), valueSuggestion(m, m.Type.Values))
			d.Fixes = fix.ChangeTo(m.Node, m.Suggestion)
		})
		p.EachMismatch(conform.UnlistedValue, func(m conform.Mismatch) {
			if p.ADK != nil || hasPlugin(p, m) { // in ADK's files these are rubric types; unused-rubric reports them
				return
			}
			if value, _ := m.Node.Str(); m.Key == lint.SchemaKey && lint.NamesSchema(value) {
				return // see user-schema
			}
			d := p.Report(m.Span, "%s `%s` is not known here%s", mismatchSubject(m), writtenValue(m), valueSuggestion(m, m.Type.KnownValues))
			if d.Severity = diag.Warning; m.Owner != nil && m.Owner.Tag == "type" {
				d.Severity = diag.Error // the grader is lost
			}
		})
	},
})

// maxListed is the largest number of values that a message lists.
const maxListed = 12

func writtenValue(m conform.Mismatch) string {
	value, _ := m.Node.Str()
	return lint.Abbreviate(value)
}

// valueSuggestion names the nearest allowed value, or all of them if they are few.
func valueSuggestion(m conform.Mismatch, values []schema.Value) string {
	if m.Suggestion != "" {
		return spell.Suggestion(m.Suggestion)
	}
	var all []string
	for _, v := range values {
		all = append(all, v.Text)
	}
	if len(all) == 0 || len(all) > maxListed {
		return ""
	}
	return "; expected " + diag.JoinList(diag.Backtick(all), "or")
}

// hasPlugin reports whether an unknown grader type is a plugin in the project.
func hasPlugin(p *lint.Pass, m conform.Mismatch) bool {
	if p.ReadFile == nil || m.Field == nil || m.Field.Key != "type" || len(m.Type.KnownValues) == 0 {
		return false
	}
	for _, ending := range []string{".ts", ".js", ".mts", ".mjs"} {
		if _, found := p.ReadFile(".agentv/assertions/" + writtenValue(m) + ending); found {
			return true
		}
	}
	return false
}
