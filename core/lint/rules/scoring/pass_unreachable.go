package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:          "pass-unreachable",
	Severity:    diag.Error,
	AlsoReports: []string{"ranges-gap"},
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if !score.NeverPasses(g.Criteria) || allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }) {
				return // asserts-nothing reports rubrics without weights
			}
			d := p.Report(g.SelectionSpan, "no grades make this rubric pass")
			d.Notes = []diag.Note{witnessNote(g, "the best it can be given", bestGrades(g.Criteria))}
			for _, c := range g.Criteria {
				if c.MinScore != nil && c.HasBands() && *bestGrades([]*rubric.Criterion{c})[0].Score < *c.MinScore {
					d.Notes = append(d.Notes, diag.Note{Span: c.MinScoreSpan, Message: "this minimum is above every range"})
				}
			}
		})
	},
})
