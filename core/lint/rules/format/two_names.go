package format

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "two-names",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.TwoNames, func(m conform.Mismatch) {
			winner := strings.Trim(p.Source.Slice(m.OtherSpan), `"'`)
			if m.IsRefused {
				d := p.Report(m.Span, "`%s` and `%s` are two names of one key; keep one%s", m.Key, winner, keyLoss(m.Owner))
				d.Notes = []diag.Note{{Span: m.OtherSpan, Message: "the other name is here"}}
				d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(m.Span), "remove `"+m.Key+"`")
				return
			}
			d := p.Report(m.Span, "`%s` is ignored: it is another name of `%s`, which is present too", m.Key, winner)
			d.Notes = []diag.Note{{Span: m.OtherSpan, Message: "the runner reads this one"}}
			d.Tags = []diag.Tag{diag.Unnecessary}
			d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(m.Span), "remove `"+m.Key+"`")
		})
	},
})
