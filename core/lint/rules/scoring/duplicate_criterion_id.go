package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(lint.Rule{
	ID:       "duplicate-criterion-id",
	Summary:  "Two criteria of a rubric have the same id",
	Severity: diag.Error,
	Why: `
A judge replies by id. If two criteria share one, the last counts for both, and the weight and gate of the other are
lost. A criterion without an id gets a number, ~rubric-1~ for the first, and a written id can collide with it.
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
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			first, taken := map[string]*rubric.Criterion{}, map[string]bool{}
			for _, c := range g.Criteria {
				taken[c.ID] = true
			}
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
				d := p.Report(at, "two criteria have the id `%s`%s", lint.Abbreviate(c.ID), autoIDNote(c, other))
				d.Notes = []diag.Note{{Span: other.Span, Message: "the first one is here"}}
				if !c.AutoID {
					d.Fixes = fix.ChangeTo(p.NodeAt(at), fix.FreeID(c.ID, "-", taken))
				}
			}
		})
	},
})

// autoIDNote explains that one of the two ids was assigned rather than written.
func autoIDNote(a, b *rubric.Criterion) string {
	if a.AutoID || b.AutoID {
		return "; one of them has no id and gets this one from its position"
	}
	return ""
}
