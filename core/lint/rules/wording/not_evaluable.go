package wording

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var notEvaluable = ignoreCase(`^` + subjectPattern + `(?:should\s+|must\s+)?(feels?|seems?|appears? to be)\s`)

var _ = lint.Register(lint.Rule{
	ID:       "not-evaluable",
	Summary:  "A criterion is about an impression that the text does not show",
	Severity: diag.Info,
	Why: `
How an answer feels or seems depends on the reader, not on the text, so a judge guesses. Name the cause of the
impression: "greets the customer by name" instead of "feels personal".
`,
	Bad:  englishExample + "      - ⟦The reply feels personal⟧\n",
	Good: englishExample + "      - The reply greets the customer by name\n",
	Run: func(p *lint.Pass) {
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			if m := notEvaluable().FindStringSubmatch(c.Text); m != nil {
				p.Report(c.TextSpan, "the text does not show what an answer `%s` like; name something that the text shows", m[1])
			}
		})
	},
})
