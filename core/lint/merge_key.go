package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "merge-key",
	Summary:  "A merge key takes in keys that AgentV does not see",
	Severity: diag.Warning,
	Why: `
~<<~ was a part of YAML 1.1. rubric applies it, AgentV reads a key named ~<<~ and nothing else: a case that gets its id or
its input in this way is skipped there. Write the keys out.
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
	Run: func(p *Pass) {
		p.eachPair(func(pair *yaml.Pair) {
			if k := pair.Key; k.Kind == yaml.Scalar && k.Value == "<<" && k.Style == yaml.Plain && (pair.Value.IsMap() || pair.Value.IsSeq()) {
				p.Report(k.Span, "this merge key is not applied by AgentV, which does not see what it takes in")
			}
		})
	},
})

// eachPair visits every entry of every mapping, as written.
func (p *Pass) eachPair(visit func(*yaml.Pair)) {
	p.eachNode(func(n *yaml.Node) {
		for _, pair := range n.Pairs {
			visit(pair)
		}
	})
}

// eachNode visits every node of every document, keys among them.
func (p *Pass) eachNode(visit func(*yaml.Node)) {
	if p.allNodes == nil {
		for _, doc := range p.Tree.Docs {
			yaml.Walk(doc.Root, func(n *yaml.Node) bool {
				p.allNodes = append(p.allNodes, n)
				return true
			})
		}
	}
	for _, n := range p.allNodes {
		visit(n)
	}
}
