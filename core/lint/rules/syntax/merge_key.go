package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "merge-key",
	Summary:  "AgentV does not apply merge keys",
	Severity: diag.Warning,
	Why: `
The merge key ~<<~ is part of YAML 1.1. ~rubric~ applies it; AgentV reads an ordinary key named ~<<~. A case that gets its
id or input from a merge is skipped there. Write the keys out.
`,
	Bad: `
evalcases:
  - &first
    id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
  - ⟦<<⟧: *first
    id: refund-again
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
  - id: refund-again
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
`,
	Run: func(p *lint.Pass) {
		p.EachPair(func(pair *yaml.Pair) {
			if k := pair.Key; k.Kind == yaml.Scalar && k.Value == "<<" && k.Style == yaml.Plain && (pair.Value.IsMap() || pair.Value.IsSeq()) {
				p.Report(k.Span, "this merge key has no effect in AgentV, which does not see the merged keys")
			}
		})
	},
})
