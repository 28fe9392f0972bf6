package references

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = lint.Register(lint.Rule{
	ID:       lint.DuplicateCaseID,
	Summary:  "Two cases have the same id",
	Severity: diag.Error,
	Why: `
Both cases run, but results are stored by id. Comparing, resuming and rescoring therefore mix them up.

Files that are checked together are compared with each other too, as a warning. Results are stored under the name of the
dataset and the id of the case. Two files share a dataset if ~dataset~ (~name~ in later versions) or else the file name is
the same. Files that only share a file name must also be in the same folder. Each file runs well alone, but in one result
store their results cannot be distinguished.
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
	Run: func(p *lint.Pass) {
		add := func(id string, at text.Span) {
			if id != "" {
				p.AddFact(id, at, "the first one is here", "two cases have the id `%s`", lint.Abbreviate(id))
			}
		}
		if p.HasADKRole(adk.EvalSet, adk.Older) {
			for _, c := range p.Evalset().Cases {
				if c.IDNode != nil {
					add(c.ID, c.IDNode.Span)
				}
			}
		}
		all := p.SortedCases()
		for i, c := range all {
			if i == 0 || all[i-1].Span != c.Span { // one test expands to several cases
				add(c.ID, c.IDSpan)
			}
		}
	},
})
