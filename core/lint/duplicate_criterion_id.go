package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = register(Rule{
	ID:       "duplicate-criterion-id",
	Summary:  "Two criteria of a rubric have the same id",
	Severity: diag.Error,
	Why: `
A judge replies by id, so of two criteria with the same one the last counts for both: the other's weight and its gate
are lost. Criteria without an id are numbered by their place, ~rubric-1~ for the first; a written id can collide with
such a number too.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - { id: warm, expected_outcome: Greets the user by name }
      - { id: ⟦warm⟧, expected_outcome: Thanks the user }
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - { id: by-name, expected_outcome: Greets the user by name }
      - { id: thanks, expected_outcome: Thanks the user }
`,
	Run: func(p *Pass) {
		p.eachRubric(func(_ *rubric.Case, g *rubric.Grader) {
			first := map[string]*rubric.Criterion{}
			for _, c := range g.Criteria {
				other := first[c.ID]
				if other == nil {
					first[c.ID] = c
					continue
				}
				at := c.IDSpan
				if c.AutoID {
					at = c.Span
				}
				d := p.Report(at, "two criteria have the id `%s`%s", abbreviate(c.ID), autoIDNote(c, other))
				d.Notes = []diag.Note{{Span: other.Span, Message: "the first one is here"}}
			}
		})
	},
})

// autoIDNote says that one of two ids was never written.
func autoIDNote(a, b *rubric.Criterion) string {
	if a.AutoID || b.AutoID {
		return "; the one without an id is numbered so by its place"
	}
	return ""
}
