package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "merge-key",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachPair(func(pair *yaml.Pair) {
			if k := pair.Key; k.Kind == yaml.Scalar && k.Value == "<<" && k.Style == yaml.Plain && (pair.Value.IsMap() || pair.Value.IsSeq()) {
				p.Report(k.Span, "this merge key has no effect in AgentV, which does not see the merged keys")
			}
		})
	},
})
