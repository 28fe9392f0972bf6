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
		first := map[string]int{}
		all := p.cases()
		for i, c := range all {
			if c.ID == "" {
				continue
			}
			j, seen := first[c.ID]
			if !seen {
				first[c.ID] = i
				continue
			}
			d := p.Report(c.IDSpan, "two cases have the id `%s`", shortened(c.ID))
			d.Notes = []diag.Note{{Span: all[j].IDSpan, Message: "the first one is here"}}
		}
	},
})
