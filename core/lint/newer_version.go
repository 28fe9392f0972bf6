package lint

import "github.com/rubric-ls/rubric/core/diag"

// newerRole is the role of an eval file of a later version.
const (
	newerRole    = "newer"
	newerVersion = "newer-version"
)

var _ = add(Rule{
	ID:       newerVersion,
	Summary:  "An eval file is of a version of AgentV whose keys are not checked yet",
	Severity: diag.Info,
	Why: `
Since February 2026 AgentV calls the list of cases ~tests~, and has renamed most other keys with it. Such a file is read
and run as its loader reads it, and its rubrics are checked; that every key is one of its version's is not, so far.
`,
	Bad: `
prompts: [Can I send the lamp back?]
⟦tests⟧:
  - id: refund
    assert: [Explains the refund policy]
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
				p.Report(pair.Key.Span, "`%s` is of a newer version of AgentV, whose keys are not checked yet", key)
				return
			}
		}
	},
})
