package format

import (
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "empty-rubric",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasCases() {
			return
		}
		p.EachNode(func(n *yaml.Node) {
			isTooShort := func(m conform.Mismatch) bool { return m.Kind == conform.WrongLength && m.Node == n } // see out-of-bounds
			if isRubricEntry(n) && n.Kind == yaml.Sequence && len(n.Items) == 0 && !n.Recovered && !slices.ContainsFunc(p.Mismatches, isTooShort) {
				d := p.Report(n.Span, "this rubric has no criteria; the judge grades the expected outcome as a whole")
				d.Fixes = fix.RemoveEntry(p.Source, n, "remove the rubric")
			}
		})
		p.EachMismatch(conform.NoValue, func(m conform.Mismatch) {
			if isNullRubric(p, m) {
				p.Report(m.Span, "this rubric is empty; the judge grades the expected outcome as a whole")
			}
		})
	},
})

func isRubricEntry(n *yaml.Node) bool { return n.Key != nil && n.Key.Key.Value == "rubrics" }

// isNullRubric reports whether m is about a case or judge whose rubric has no value.
func isNullRubric(p *lint.Pass, m conform.Mismatch) bool {
	return p.HasCases() && m.Kind == conform.NoValue && isRubricEntry(m.Node) && !m.Field.Required
}
