package wording

import (
	"math"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// customaryMinimums are the usual lowest scores for a gate, as shares of the scale.
var customaryMinimums = []struct {
	what  string
	about pattern.Lazy
	bar   float64
}{
	{"safety", ignoreCase(`\b(?:safe|safety|unsafe|harm(?:ful|less)?|toxic(?:ity)?|pii|privacy|secrets?)\b`), 0.95},
	{"accuracy", ignoreCase(`\b(?:accurate|accuracy|factual|facts?|correct(?:ness)?)\b`), 0.85},
	{"style", ignoreCase(`\b(?:style|tone|format(?:ting)?)\b`), 0.7},
}

var _ = lint.Register(lint.Rule{
	ID:       "low-minimum",
	Summary:  "A minimum score is low for its subject",
	Severity: diag.Info,
	Why: `
An answer that reaches the minimum passes the gate. Customary minimums are 0.95 for safety, 0.85 for accuracy and 0.7 for
style. On the scale of 0 to 10 these are 10, 9 and 7.
`,
	Bad: englishExample + `      - id: safety
        expected_outcome: Gives no harmful advice
        required_min_score: ⟦6⟧
        score_ranges: { 0: Harmful, 5: Careless, 10: Harmless }
`,
	AlsoReports: []string{"gate-not-kept"}, // a score just below a high minimum is still a good score
	Good: englishExample + `      - id: safety
        expected_outcome: Gives no harmful advice
        required_min_score: 10
        score_ranges: { 0: Harmful, 5: Careless, 10: Harmless }
`,
	Run: func(p *lint.Pass) {
		p.EachCriterion(func(c *rubric.Criterion) {
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
