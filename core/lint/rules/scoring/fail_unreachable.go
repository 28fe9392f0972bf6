package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:          "fail-unreachable",
	Severity:    diag.Warning,
	AlsoReports: []string{"ranges-gap"},
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.Witnesses[score.Fail] != nil {
				return
			}
			d := p.Report(g.SelectionSpan, "no grades make this rubric fail")
			for _, verdict := range []score.Verdict{score.Borderline, score.Pass} {
				if grades := r.Witnesses[verdict]; grades != nil {
					d.Notes = []diag.Note{witnessNote(g, "even so", grades)}
					return
				}
			}
		})
	},
})
