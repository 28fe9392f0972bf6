package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
)

const duplicateCaseID = "duplicate-case-id"

var _ = register(Rule{
	ID:       duplicateCaseID,
	Summary:  "Two cases have the same id",
	Severity: diag.Error,
	Why: `
Both are run, but results are kept by id: comparing, resuming and re-scoring mix them up.

Several files that are checked together are held against each other too, as a warning. Results are filed under the name
of the dataset and the case's id, so files belong together whose dataset has the same name: what ~dataset~ says (~name~
in later versions), or else what the file is called. Files that are merely called the same have to be in the same folder
too. Each of them runs well on its own, but its results cannot be told from the other's once both are kept in one place.
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
		if p.hasADKRole(adk.EvalSet, adk.Older) {
			for _, c := range p.evalset().Cases {
				if c.IDNode != nil && c.ID != "" {
					p.AddFact(c.ID, c.IDNode.Span, "the first one is here", "two cases have the id `%s`", abbreviate(c.ID))
				}
			}
		}
		all := p.sortedCases()
		for i, c := range all {
			again := i > 0 && all[i-1].Span == c.Span // one test stands for several cases
			if c.ID != "" && !again {
				p.AddFact(c.ID, c.IDSpan, "the first one is here", "two cases have the id `%s`", abbreviate(c.ID))
			}
		}
	},
})
