package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
)

var _ = register(Rule{
	ID:         "two-names",
	Summary:    "One thing is written under two of its names",
	Severity:   diag.Warning,
	CanBeError: true,
	Why: `
Some keys have an older or a shorter name. Where both stand, one counts and the other is not read. Keep one. In most of
its mappings ADK takes the second name for an unknown key and refuses the file; there both names are an error.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    ⟦outcome⟧: Greets the user by name
    input: Hello
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user by name
    input: Hello
`,
	Run: func(p *Pass) {
		p.eachMismatch(conform.TwoNames, func(m conform.Mismatch) {
			winner := strings.Trim(p.Source.Slice(m.OtherSpan), `"'`)
			if m.IsRefused {
				d := p.Report(m.Span, "`%s` and `%s` are two names of one key; keep one%s", m.Key, winner, runnerLoss(m.Owner.OnUnknownKey))
				d.Notes = []diag.Note{{Span: m.OtherSpan, Message: "the other name is here"}}
				return
			}
			d := p.Report(m.Span, "`%s` is not read: it is another name of `%s`, which stands here too", m.Key, winner)
			d.Notes = []diag.Note{{Span: m.OtherSpan, Message: "this one counts"}}
			d.Tags = []diag.Tag{diag.Unnecessary}
		})
	},
})
