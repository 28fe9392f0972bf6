package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "older-name",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.DeprecatedName, func(m conform.Mismatch) {
			if m.Suggestion == "" {
				p.Report(m.Span, "`%s` is deprecated; the runner reads it for older files only", m.Key).Tags = []diag.Tag{diag.Deprecated}
				return
			}
			d := p.Report(m.Span, "`%s` is a deprecated name of `%s`; the runner reads it for older files only", m.Key, m.Suggestion)
			d.Fixes = fix.RenameKey(m.Node, m.Span, m.Suggestion, true)
			d.Tags = []diag.Tag{diag.Deprecated}
		})
	},
})
