package scoring

import (
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "profiles-differ",
	Severity: diag.Info, AboutProfile: true,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.differing == nil {
				return
			}
			d := p.Report(g.SelectionSpan, "exactly at a threshold, the floating-point sum of AgentV gives another verdict")
			other := score.Rubric(score.AgentV, g.Criteria, r.differing)
			exact := strconv.FormatFloat(other.Score, 'g', -1, 64) // the profiles may differ in the last bit only
			d.Notes = []diag.Note{witnessNote(g, "by the specification", r.differing), resultNote(g, "by AgentV", r.differing, exact, other.Verdict)}
			d.Fixes = useWholeWeights(g.Criteria)
		})
	},
})

// useWholeWeights is the fix that multiplies all weights by a power of ten, so that they are whole
// numbers. There is none if they are, or if a weight is not written.
func useWholeWeights(criteria []*rubric.Criterion) []diag.Fix {
	decimals, spans := 0, []text.Span{}
	for _, c := range criteria {
		_, fraction, _ := strings.Cut(strconv.FormatFloat(c.Weight, 'f', -1, 64), ".")
		decimals, spans = max(decimals, len(fraction)), append(spans, c.WeightSpan)
	}
	if decimals == 0 {
		return nil
	}
	factor := math.Pow10(decimals)
	return fix.ChangeNumbers("write the weights as whole numbers", spans, func(i int) float64 { return math.Round(criteria[i].Weight * factor) })
}
