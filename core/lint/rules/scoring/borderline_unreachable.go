package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "borderline-unreachable",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			optional := 0
			for _, c := range g.Criteria {
				if !c.IsRequired() && c.MinScore == nil {
					optional++
				}
			}
			if optional == 0 || len(g.Criteria) < 2 || r.Witnesses[score.Borderline] != nil || r.Witnesses[score.Pass] == nil || r.Witnesses[score.Fail] == nil {
				return
			}
			d := p.Report(g.SelectionSpan, "this rubric passes or fails; no grades make it borderline")
			d.Notes = []diag.Note{witnessNote(g, "a pass", r.Witnesses[score.Pass]), witnessNote(g, "a fail", r.Witnesses[score.Fail])}
		})
	},
})
