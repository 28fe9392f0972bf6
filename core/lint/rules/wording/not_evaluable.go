package wording

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var notEvaluable = ignoreCase(`^` + subjectPattern + `(?:should\s+|must\s+)?(feels?|seems?|appears? to be)\s`)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-evaluable",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			if m := notEvaluable().FindStringSubmatch(c.Text); m != nil {
				p.Report(c.TextSpan, "the text does not show what an answer `%s` like; name something that the text shows", m[1])
			}
		})
	},
})
