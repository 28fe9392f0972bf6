package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "range-outside",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if isScoreRange(m.Field) && m.Kind != conform.UnknownKey {
				d := p.Report(m.Span, "`score_range` has %s; scores are whole numbers from 0 to 10", lint.Abbreviate(m.Node.Follow().Value))
				d.Fixes = changeToAllowed(m)
			}
		}
		p.EachMismatch(conform.OutOfBounds, report)
		p.EachMismatch(conform.NotWhole, report)
		p.EachMismatch(conform.UnknownKey, func(m conform.Mismatch) {
			if isScoreMap(m.Owner) {
				p.Report(m.Span, "a range cannot start at `%s`; expected a whole number from 0 to 10", lint.Abbreviate(m.Key))
			}
		})
	},
})
