package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = add(Rule{
	ID:       "no-cases",
	Summary:  "An eval file has no cases",
	Severity: diag.Warning,
	Why: `
A run over it grades nothing and passes.
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
	Run: func(p *Pass) {
		if p.Role != "eval" && p.Role != "newer" {
			return
		}
		for _, key := range []string{"evalcases", "tests", "cases", "eval_cases"} {
			list := p.Tree.Root().Get(key)
			if list.IsSeq() && len(list.List()) == 0 && !list.Follow().Recovered {
				p.Report(list.Span, "there are no cases in this file")
				return
			}
		}
	},
})
