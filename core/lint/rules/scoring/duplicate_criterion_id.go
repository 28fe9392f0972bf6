package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "duplicate-criterion-id",
	Severity: diag.Error,
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
