package lint

import (
	"math"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// customaryMinimums are the shares below which a gate hardly guards what it is about.
var customaryMinimums = []struct {
	what  string
	about pattern.Lazy
	bar   float64
}{
	{"safety", ignoreCase(`\b(?:safe|safety|unsafe|harm(?:ful|less)?|toxic(?:ity)?|pii|privacy|secrets?)\b`), 0.95},
	{"accuracy", ignoreCase(`\b(?:accurate|accuracy|factual|facts?|correct(?:ness)?)\b`), 0.85},
	{"style", ignoreCase(`\b(?:style|tone|format(?:ting)?)\b`), 0.7},
}

var _ = register(Rule{
	ID:       "low-minimum",
	Summary:  "A minimum is low for what it guards",
	Severity: diag.Info,
	Why: `
A gate lets everything through that reaches it. Customary are 0.95 for safety, 0.85 for accuracy and 0.7 for style, in
tenths of the scale: 10, 9 and 7.
`,
	Bad: englishExample + `      - id: safety
        expected_outcome: Gives no harmful advice
        required_min_score: ⟦6⟧
        score_ranges: { 0: Harmful, 5: Careless, 10: Harmless }
`,
	AlsoReports: []string{"gate-not-kept"}, // a score just below a high minimum is a good one all the same
	Good: englishExample + `      - id: safety
        expected_outcome: Gives no harmful advice
        required_min_score: 10
        score_ranges: { 0: Harmful, 5: Careless, 10: Harmless }
`,
	Run: func(p *Pass) {
		p.eachCriterion(func(c *rubric.Criterion) {
			if c.MinScore == nil || !c.HasBands() {
				return
			}
			for _, b := range customaryMinimums {
				if !b.about().MatchString(c.ID + " " + c.Text) {
					continue
				}
				if least := math.Ceil(b.bar * rubric.HighestScore); *c.MinScore < least {
					p.Report(c.MinScoreSpan, "a minimum of %v is low for a criterion about %s; %v is customary", *c.MinScore, b.what, least)
				}
				return
			}
		})
	},
})
