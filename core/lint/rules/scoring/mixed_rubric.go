package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "mixed-rubric",
	Severity: diag.Info, AboutProfile: true,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if !score.HasRanged(g.Criteria) {
				return
			}
			for _, c := range g.Criteria {
				if !c.HasBands() && c.BandsSpan.Empty() && c.IsRequired() {
					p.Report(criterionSpan(c), "in AgentV `%s` is graded 0 to 10 and needs 10, because another criterion has ranges", lint.Abbreviate(c.ID))
				}
			}
		})
	},
})
