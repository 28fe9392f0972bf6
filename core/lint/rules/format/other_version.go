package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "other-version",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.OtherVersion, func(m conform.Mismatch) {
			known := "an older version"
			if len(m.KnownVersions) > 0 {
				known = diag.JoinList(m.KnownVersions, "and")
			}
			d := p.Report(m.Span, "`%s` is the name in %s of AgentV; in this file's version it is `%s`%s", lint.Abbreviate(m.Key), known, m.Suggestion, movedPlaces[m.NewParent])
			if !m.IsMoved {
				d.Fixes = fix.RenameKey(m.Node, m.Span, m.Suggestion, true)
			}
		})
	},
})

// movedPlaces describe the new place of a moved key, by the name of its mapping.
var movedPlaces = map[string]string{
	"": "", "file": " at the top of the file", "execution": " under `execution`", "case": " in each case", "vars": " under `vars`",
}
