package format

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "retired-key",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.RemovedKey, func(m conform.Mismatch) {
			d := p.Report(m.Span, "`%s` is not read since %s", m.Key, m.Field.RemovedIn)
			d.Message += fieldLoss(m.Field)
			if strings.HasPrefix(m.Field.OnInvalid, "ignores") {
				d.Severity = diag.Warning
			}
			if m.Field.ReplacedBy != "" {
				d.Message += "; its name is `" + m.Field.ReplacedBy + "` now"
			}
			if m.Owner.Field(m.Field.ReplacedBy) != nil {
				d.Fixes = fix.RenameKey(m.Node, m.Span, m.Field.ReplacedBy, true)
			}
			d.Tags = []diag.Tag{diag.Deprecated}
		})
	},
})
