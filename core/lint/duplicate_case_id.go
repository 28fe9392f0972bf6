package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = add(Rule{
	ID:       "duplicate-case-id",
	Summary:  "Two cases have the same id",
	Severity: diag.Error,
	Why: `
Both are run, but results are kept by id: comparing, resuming and re-scoring mix them up.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
  - id: ⟦greeting⟧
    expected_outcome: Greets the user back
    input: Hi
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
  - id: greeting-short
    expected_outcome: Greets the user back
    input: Hi
`,
	Run: func(p *Pass) {
		for _, c := range p.cases() {
			if c.ID != "" {
				p.Claim(c.ID, c.IDSpan, "the first one is here", "two cases have the id `%s`", shortened(c.ID))
			}
		}
	},
})
