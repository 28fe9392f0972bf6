package lint

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// englishExample is the start of an example; the criteria follow.
const englishExample = `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
    rubrics:
`

// subjectPattern matches the start of a criterion that names the submission.
const subjectPattern = `(?:(?:the|this|its?)\s+)?(?:(?:answer|response|reply|output|result|summary|submission|text|message|explanation|assistant|agent|model|code|tone)\s+)?`

// englishWords are common words of which nearly every English sentence has one.
var englishWords = map[string]bool{
	"the": true, "and": true, "is": true, "are": true, "of": true, "with": true, "that": true, "for": true, "does": true, "not": true,
	"has": true, "to": true, "it": true, "its": true, "a": true, "an": true, "or": true, "by": true, "from": true, "be": true,
}

// eachEnglishCriterion visits the yes-or-no criteria whose text may be English.
func (p *Pass) eachEnglishCriterion(visit func(*rubric.Criterion)) {
	if !p.hasEnglish {
		p.hasEnglish = true
		p.eachCriterion(func(c *rubric.Criterion) {
			if isEnglishCriterion(c) {
				p.englishCriteria = append(p.englishCriteria, c)
			}
		})
	}
	for _, c := range p.englishCriteria {
		visit(c)
	}
}

func isEnglishCriterion(c *rubric.Criterion) bool {
	return !c.HasBands() && c.BandsSpan.Empty() && mayBeEnglish(c.Text)
}

// mayBeEnglish reports whether a text has ASCII letters only and either a common English
// word or at most three words.
func mayBeEnglish(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) && r > unicode.MaxASCII {
			return false
		}
	}
	words := strings.Fields(strings.ToLower(text))
	for _, w := range words {
		if englishWords[strings.Trim(w, ".,;:!?\"'`()")] {
			return true
		}
	}
	return len(words) <= 3
}

// ignoreCase compiles a pattern that ignores letter case.
func ignoreCase(expr string) pattern.Lazy { return pattern.New(`(?i)` + expr) }

// rangesExample is the start of an example; the score ranges follow.
const rangesExample = `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
`

const goodRangesExample = rangesExample + `          - { score_range: [0, 4], expected_outcome: Cold }
          - { score_range: [5, 10], expected_outcome: Warm }
`

// Field tables have score ranges in two forms: a mapping from scores, and a list with the
// key score_range.
func isScoreMap(t *schema.Type) bool    { return t != nil && t.Name == "score-map" }
func isScoreRange(f *schema.Field) bool { return f != nil && f.Key == "score_range" }

// eachRangedCriterion visits every criterion with bands, if each band by itself is valid.
func (p *Pass) eachRangedCriterion(visit func(*rubric.Criterion)) {
	p.eachCriterion(func(c *rubric.Criterion) {
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
