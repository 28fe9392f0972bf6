package references

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "no-cases",
	Summary:  "An eval file has no cases",
	Severity: diag.Warning,
	Why: `
A run of the file grades nothing and passes.
`,
	Bad: `
evalcases: ⟦[]⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *lint.Pass) {
		keys := []string{"evalcases"}
		switch {
		case p.Role == "eval":
		case p.HasADKRole(adk.EvalSet):
			keys = []string{"eval_cases", "evalCases"}
		case p.Role == "eval-v4":
			keys = []string{"tests", "cases", "eval_cases"}
		default:
			return
		}
		for _, key := range keys {
			list := p.Tree.Root().Get(key)
			if list.IsSeq() && len(list.List()) == 0 && !list.Follow().Recovered {
				p.Report(list.Span, "there are no cases in this file")
				return
			}
		}
	},
})
