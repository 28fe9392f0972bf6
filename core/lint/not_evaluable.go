package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

var notEvaluable = ignoreCase(`^` + subjectPattern + `(?:should\s+|must\s+)?(feels?|seems?|appears? to be)\s`)

var _ = register(Rule{
	ID:       "not-evaluable",
	Summary:  "A criterion is about an impression, which the text does not show",
	Severity: diag.Info,
	Why: `
What an answer feels or seems like is in the reader and not in the text; a judge makes something up. Name what gives
the impression: "greets the customer by name" rather than "feels personal".
`,
	Bad:  englishExample + "      - ⟦The reply feels personal⟧\n",
	Good: englishExample + "      - The reply greets the customer by name\n",
	Run: func(p *Pass) {
		p.eachEnglishCriterion(func(c *rubric.Criterion) {
			if m := notEvaluable().FindStringSubmatch(c.Text); m != nil {
				p.Report(c.TextSpan, "what an answer `%s` like is not in its text; name what shows it", m[1])
			}
		})
	},
})
