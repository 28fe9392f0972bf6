package scoring

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// eachRangedCriterion visits every criterion with bands, if each band by itself is valid.
func eachRangedCriterion(p *lint.Pass, visit func(*rubric.Criterion)) {
	p.EachCriterion(func(c *rubric.Criterion) {
		for _, b := range c.Bands {
			if b.Fault() != "" {
				return
			}
		}
		if c.HasBands() {
			visit(c)
		}
	})
}

// changeBound is the fix that changes one end of a band. There is none if the band is not written as a
// list of two scores.
func changeBound(p *lint.Pass, b rubric.Band, end int, score float64) []diag.Fix {
	bounds := p.NodeAt(b.Span).Get("score_range").List()
	if len(bounds) != 2 {
		return nil
	}
	words := "start the range at "
	if end == 1 {
		words = "end the range at "
	}
	written := strconv.FormatFloat(score, 'f', -1, 64)
	return []diag.Fix{{Title: words + written, Edits: []text.Edit{{Span: bounds[end].Span, New: written}}}}
}

// formatScores returns a sorted list of scores in words: "5", "3 to 5", "0, 4 and 8 to 10".
func formatScores(scores []int) string {
	var parts []string
	for i := 0; i < len(scores); {
		j := i
		for j+1 < len(scores) && scores[j+1] == scores[j]+1 {
			j++
		}
		first, last := strconv.Itoa(scores[i]), strconv.Itoa(scores[j])
		switch j - i {
		case 0:
			parts = append(parts, first)
		case 1:
			parts = append(parts, first, last)
		default:
			parts = append(parts, first+" to "+last)
		}
		i = j + 1
	}
	return diag.JoinList(parts, "and")
}
