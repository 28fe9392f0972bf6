package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "min-score-unused",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			for _, c := range g.Criteria {
				if c.MinScore == nil || c.HasBands() || !c.BandsSpan.Empty() {
					continue
				}
				if score.HasRanged(g.Criteria) {
					p.Report(c.MinScoreSpan, "`%s` has no `score_ranges`; AgentV grades it 0 to 10 all the same, but the specification ignores this minimum", lint.Abbreviate(c.ID))
					continue
				}
				d := p.Report(c.MinScoreSpan, "this minimum has no effect: `%s` has no `score_ranges`", lint.Abbreviate(c.ID))
				d.Tags = []diag.Tag{diag.Unnecessary}
				d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(c.MinScoreSpan), "remove the minimum")
			}
		})
	},
})
