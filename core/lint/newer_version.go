package lint

import "github.com/rubric-ls/rubric/core/diag"

// newerRole is the role of an eval file of a version that is not read yet.
const newerRole = "newer"

var _ = add(Rule{
	ID:       "newer-version",
	Summary:  "An eval file is of a version of AgentV that is not checked yet",
	Severity: diag.Warning,
	Why: `
Since February 2026 AgentV calls the list of cases ~tests~, and has renamed most other keys with it. Of such a file only
the YAML is checked so far.
`,
	Bad: `
⟦tests⟧:
  - id: refund
    criteria: Explains the refund policy
    input: Can I send the lamp back?
`,
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
		for _, pair := range p.Tree.Root().Entries() {
			switch key := pair.Key.Value; key {
			case "tests", "cases", "eval_cases", "scenarios":
				p.Report(pair.Key.Span, "`%s` is of a newer version of AgentV, of which only the YAML is checked", key)
				return
			}
		}
	},
})
