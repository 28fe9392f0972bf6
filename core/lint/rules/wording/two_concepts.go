package wording

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

const (
	adjectives = `accurate|concise|polite|clear|correct|complete|brief|short|friendly|helpful|professional|relevant|consistent|coherent|` +
		`safe|harmless|empathetic|actionable|specific|valid|readable|respectful|neutral|factual|precise|thorough|formal`
	verbs = `states|mentions|explains|includes|provides|asks|offers|names|lists|gives|cites|warns|apologi[sz]es|describes|suggests|recommends|` +
		`returns|uses|avoids|identifies|contains|calls|confirms|thanks|greets|summari[sz]es|handles|validates|rejects|reports`
)

var (
	twoQualities = ignoreCase(`^(` + subjectPattern + `(?:(?:is|are|be|should be|must be|stays|remains)\s+)?(?:both\s+)?)(` + adjectives + `)\s+and\s+(` + adjectives + `)\s*[.!]?$`)
	twoActs      = ignoreCase(`^(` + subjectPattern + `)((?:` + verbs + `)\s[^,;:]+?),?\s+and\s+((?:` + verbs + `)\s[^,;:]+)$`)
)

var _ = lint.Register(lint.Rule{
	ID:       "two-concepts",
	Summary:  "A criterion asks for two things at once",
	Severity: diag.Hint,
	Why: `
If an answer meets only one of the two, the criterion is neither satisfied nor unsatisfied, and the verdict does not say
which one is missing. The fix splits the criterion into two that share its weight.
`,
	Bad:  englishExample + "      - ⟦States the refund window and offers a return label⟧\n      - { id: tone, weight: 3, expected_outcome: ⟦Is accurate and polite⟧ }\n",
	Good: englishExample + "      - States the refund window\n      - Offers a return label\n",
	Run: func(p *lint.Pass) {
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			first, second, ok := SplitConcepts(c.Text)
			if !ok {
				return
			}
			d := p.Report(c.TextSpan, "this asks for two things, `%s` and `%s`", lint.Abbreviate(first), lint.Abbreviate(second))
			key := "expected_outcome"
			if p.Suite.Version != "" {
				key = "outcome"
			}
			if edit, ok := SplitCriterion(p.Source, p.TreeFor(c.Span.Start), c, key); ok {
				d.Fixes = []diag.Fix{{Title: "split it into two criteria that share the weight", Edits: []text.Edit{edit}}}
			}
		})
	},
})
