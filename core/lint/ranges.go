package lint

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// The names in the field table of the two ways to write ranges.
func isScoreMap(t *schema.Type) bool    { return t != nil && t.Name == "score-map" }
func isScoreRange(f *schema.Field) bool { return f != nil && f.Key == "score_range" }

// rangeCases are the parts of the examples around a criterion's ranges.
const (
	rangesExample = `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
`
	goodRangesExample = rangesExample + `          - { score_range: [0, 4], expected_outcome: Cold }
          - { score_range: [5, 10], expected_outcome: Warm }
`
)

// eachRangedCriterion visits every criterion with bands that are sound each for itself.
func (p *Pass) eachRangedCriterion(visit func(*rubric.Criterion)) {
	p.eachCriterion(func(c *rubric.Criterion) {
		if !c.HasBands() {
			return
		}
		for _, b := range c.Bands {
			if b.Fault() != "" {
				return
			}
		}
		visit(c)
	})
}

// formatScores words a set of scores: "5", "3 to 5", "0, 4 and 8 to 10".
func formatScores(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, strconv.Itoa(list[i]))
		case 1:
			parts = append(parts, strconv.Itoa(list[i]), strconv.Itoa(list[j]))
		default:
			parts = append(parts, strconv.Itoa(list[i])+" to "+strconv.Itoa(list[j]))
		}
		i = j + 1
	}
	return diag.JoinList(parts, "and")
}
