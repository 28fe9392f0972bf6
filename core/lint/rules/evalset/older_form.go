package evalset

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "older-form",
	Severity: diag.Info,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		items := p.Tree.Root().List()
		switch {
		case len(items) == 0:
		case p.HasADKRole(adk.Turns) && !strings.HasSuffix(strings.ToLower(p.Path), ".test.json"):
			d := p.Report(items[0].FirstKeySpan(), "`adk eval` stops at a list of turns; only ADK's test runner reads one, from a `.test.json`")
			d.Severity = diag.Error
		case p.HasADKRole(adk.Turns, adk.Older):
			d := p.Report(items[0].FirstKeySpan(), "this is a format that ADK used before evalsets")
			d.Tags = []diag.Tag{diag.Deprecated}
		}
	},
})
