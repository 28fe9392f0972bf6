package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = add(Rule{
	ID:       "near-duplicate",
	Summary:  "Two criteria of a rubric say almost the same",
	Severity: diag.Info,
	Why: `
What is asked twice counts twice. Where that is meant, a weight says it better; where it is not, the rubric measures
less than its length promises.
`,
	Bad: writingBefore + "      - States that the refund window is 30 days\n" +
		"      - ⟦It states a refund window of 30 days⟧\n",
	Good: writingBefore + "      - States that the refund window is 30 days\n" +
		"      - States that the warranty is 90 days\n",
	Run: func(p *Pass) {
		p.rubrics(func(_ *rubric.Case, g *rubric.Grader) {
			sets := make([]map[string]bool, len(g.Criteria))
			for j, c := range g.Criteria {
				sets[j] = wordSet(c.Text)
				for i := range j {
					if alike(sets[i], sets[j]) {
						d := p.Report(c.TextSpan, "this says almost the same as `%s`", shortened(g.Criteria[i].ID))
						d.Notes = []diag.Note{{Span: g.Criteria[i].TextSpan, Message: "the other one"}}
						break
					}
				}
			}
		})
	},
})

// wordSet is a text's words, roughly without their endings, and its numbers.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		w = strings.Trim(w, ".,;:!?\"'`()[]{}")
		if w == "" || englishWords[w] {
			continue
		}
		for _, ending := range []string{"ing", "ed", "es", "s", "e"} {
			if root, cut := strings.CutSuffix(w, ending); cut && len(root) >= 4 {
				w = root
				break
			}
		}
		set[w] = true
	}
	return set
}

// alike reports whether two texts share four of five words, and all numbers.
func alike(a, b map[string]bool) bool {
	const fewest = 3
	if len(a) < fewest || len(b) < fewest {
		return false
	}
	shared := 0
	for w := range a {
		if b[w] {
			shared++
		} else if hasDigit(w) {
			return false
		}
	}
	for w := range b {
		if !a[w] && hasDigit(w) {
			return false
		}
	}
	return 5*shared >= 4*(len(a)+len(b)-shared)
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }
