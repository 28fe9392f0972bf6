package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = add(Rule{
	ID:       "loader-loss",
	Summary:  "The loader of a newer version leaves out or refuses something",
	Severity: diag.Warning,
	Why: `
Files of newer versions have no field table here yet; what their loader drops, coerces or refuses is told in a few words
of its own. An error where the test or the file is lost by it, a warning otherwise.
`,
	Bad: `
prompts: [Can I send the lamp back?]
tests:
  - id: refund
    assert:
      - Explains the refund policy
      - ⟦""⟧
`,
	With: []string{newerVersion},
	Good: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
`,
	Run: func(p *Pass) {
		if p.Role != newerRole {
			return
		}
		for _, loss := range p.Suite.Losses {
			d := p.Report(loss.Span, "to this version's loader: %s", strings.ReplaceAll(loss.Kind, "_", " "))
			if loss.Detail != "" {
				d.Message += " (" + shortened(loss.Detail) + ")"
			}
			if loss.Level == rubric.Refuses {
				d.Severity = diag.Error
			}
		}
	},
})
