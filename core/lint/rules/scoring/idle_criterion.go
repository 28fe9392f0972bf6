package scoring

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

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
	if changed[i].Score == nil {
		changed[i].Satisfied = &well
		return changed
	}
	value := *bestGrades(criteria[i : i+1])[0].Score
	if !well {
		for _, b := range criteria[i].Bands {
			value = min(value, b.Lo)
		}
	}
	changed[i].Score = &value
	return changed
}
