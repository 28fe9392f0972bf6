package wording

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var (
	openQuestion = ignoreCase(`^(?:(?:how|what|which|why|when|where|who|to what extent)\b.*\?$|(?:rate|score|grade|assess|evaluate)\s)`)
	qualityNoun  = ignoreCase(`^(?:the\s+)?(?:(?:overall|general)\s+)?(?:(?:quality|level|degree|tone|accuracy|clarity|style|completeness|correctness|relevance) of\s.*|` +
		`accuracy|tone|clarity|style|quality|completeness|correctness|relevance|helpfulness|conciseness|grammar|coherence|fluency|safety)\s*[.?]?$`)
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-yes-no",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			if openQuestion().MatchString(c.Text) || qualityNoun().MatchString(c.Text) {
				remedy := "and has no `score_ranges`"
				if p.ADK != nil {
					remedy = "as ADK asks; state what must be true"
				}
				p.Report(c.TextSpan, "`%s` cannot be answered with yes or no, %s", lint.Abbreviate(c.Text), remedy)
			}
		})
	},
})
