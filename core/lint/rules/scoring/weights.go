package scoring

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
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
			d := p.Report(c.DisplaySpan(), "`%s` alone decides whether the verdict is a fail", lint.Abbreviate(c.ID))
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
				d := p.Report(g.Criteria[i].DisplaySpan(), "`%s` never changes the verdict, whatever the other grades are", lint.Abbreviate(g.Criteria[i].ID))
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

var _ = lint.Register(pages, lint.Rule{
	ID:       "asserts-nothing",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, c := range p.Suite.Cases {
			switch {
			case len(c.Graders) == 0 && c.Fallback != "" && c.Fallback != rubric.LLMJudge && c.Fallback != rubric.NoGrader:
				p.Report(c.SelectionSpan, "this case has no evaluators, and a `%s` without settings grades nothing", c.Fallback)
			case len(c.Graders) > 0 && allWeightsZero(c.Graders, func(g *rubric.Grader) float64 { return g.Weight }):
				d := p.Report(c.SelectionSpan, "every evaluator of this case has weight 0; the score is always 0")
				d.Fixes = weighEqually(c.Graders, func(g *rubric.Grader) text.Span { return g.WeightSpan })
			}
			for g := range rubric.Walk(c.Graders) {
				switch {
				case len(g.Criteria) > 0 && allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }):
					d := p.Report(g.SelectionSpan, "every criterion of this rubric has weight 0; the score is always 0")
					d.Fixes = weighEqually(g.Criteria, func(c *rubric.Criterion) text.Span { return c.WeightSpan })
				case len(g.Fields) > 0 && allWeightsZero(g.Fields, func(f rubric.Field) float64 { return f.Weight }):
					p.Report(g.SelectionSpan, "every field of `%s` has weight 0; the score is always 0", g.Name)
				case g.Steps != nil && g.Steps.Mode != "subset" && len(g.Steps.Expected)+len(g.Steps.Minimums) == 0: // a subset of no calls forbids all calls
					p.Report(g.SelectionSpan, "`%s` expects no calls; there is nothing to compare", g.Name)
				}
			}
		}
	},
})

func allWeightsZero[T any](list []T, weight func(T) float64) bool {
	return !slices.ContainsFunc(list, func(item T) bool { return weight(item) != 0 })
}

// weighEqually is the fix that gives all of a list the default weight.
func weighEqually[T any](list []T, weight func(T) text.Span) []diag.Fix {
	return fix.ChangeNumbers("change the weights to 1", generic.Map(list, weight), func(int) float64 { return 1 })
}
