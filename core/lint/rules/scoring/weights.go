package scoring

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
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
			worst := withExtremeGrade(g.Criteria, score.BestGrades(g.Criteria), r.SoleDecider, false)
			only := withExtremeGrade(g.Criteria, r.Witnesses[score.Fail], r.SoleDecider, true)
			d := p.Report(criterionSpan(c), "`%s` alone decides whether the verdict is a fail", lint.Abbreviate(c.ID))
			d.Notes = []diag.Note{witnessNote(g, "all others", worst), witnessNote(g, "only this one", only)}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "idle-criterion",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			for _, i := range r.NeverDecisive {
				d := p.Report(criterionSpan(g.Criteria[i]), "`%s` never changes the verdict, whatever the other grades are", lint.Abbreviate(g.Criteria[i].ID))
				for _, verdict := range []score.Verdict{score.Pass, score.Borderline, score.Fail} {
					if grades := r.Witnesses[verdict]; grades != nil {
						d.Notes = []diag.Note{witnessNote(g, "with it", withExtremeGrade(g.Criteria, grades, i, true)),
							witnessNote(g, "without it", withExtremeGrade(g.Criteria, grades, i, false))}
						break
					}
				}
			}
		})
	},
})

// withExtremeGrade returns a copy of grades with the grade at i at its best or its worst.
func withExtremeGrade(criteria []*rubric.Criterion, grades []score.Grade, i int, well bool) []score.Grade {
	changed := slices.Clone(grades)
	changed[i] = score.BestGrades(criteria)[i]
	if levels := score.Levels(criteria[i]); !well && len(levels) > 0 {
		changed[i] = score.GradeAt(criteria[i], levels[0])
	}
	return changed
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "weightless-gate",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }) {
				return // asserts-nothing reports it
			}
			for _, c := range g.Criteria {
				if c.Weight == 0 && score.IsGate(c) {
					d := p.Report(c.WeightSpan, "`%s` can fail the rubric and adds nothing to its score", lint.Abbreviate(c.ID))
					d.Fixes = fix.ChangeToNumber(p.NodeAt(c.WeightSpan), 1)
				}
			}
		})
	},
})
