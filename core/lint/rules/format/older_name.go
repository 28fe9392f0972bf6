package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(lint.Rule{
	ID:       "older-name",
	Summary:  "A key has a deprecated name",
	Severity: diag.Warning,
	Why: `
The runner still reads this key, with a warning. The next version may not: for most keys that were renamed in 2026, the
older name was removed a few weeks later.
`,
	Bad: `
prompts: ["{{ input }}"]
tests:
  - id: refund
    ⟦expected_outcome⟧: Explains the refund policy
    vars: { input: Can I send the lamp back? }
`,
	Good: `
prompts: ["{{ input }}"]
tests:
  - id: refund
    criteria: Explains the refund policy
    vars: { input: Can I send the lamp back? }
`,
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
