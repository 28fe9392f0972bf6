package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "dominant-weight",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.SoleDecider < 0 || g.Criteria[r.SoleDecider].IsRequired() || len(r.NeverDecisive) > 0 {
				return // a required criterion is meant to decide; idle ones are reported by idle-criterion
			}
			c := g.Criteria[r.SoleDecider]
			worst := withExtremeGrade(g.Criteria, bestGrades(g.Criteria), r.SoleDecider, false)
			only := withExtremeGrade(g.Criteria, r.Witnesses[score.Fail], r.SoleDecider, true)
			d := p.Report(criterionSpan(c), "`%s` alone decides whether the verdict is a fail", lint.Abbreviate(c.ID))
			d.Notes = []diag.Note{witnessNote(g, "all others", worst), witnessNote(g, "only this one", only)}
		})
	},
})
