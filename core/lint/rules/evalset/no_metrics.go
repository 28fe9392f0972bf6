package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "no-metrics",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.Config) {
			return
		}
		// A file with other keys may have misspelt this one; unknown-key reports that.
		at := p.Tree.Root()
		if len(at.Entries()) > 0 {
			at = at.Get("criteria")
		}
		if at.IsMap() && len(at.Entries()) == 0 && !at.Follow().Recovered {
			p.Report(at.Span, "there are no metrics; the runner measures nothing")
		}
	},
})
