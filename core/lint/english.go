package lint

import (
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// englishWords are small words that a sentence in English has one of and one in
// another language hardly.
var englishWords = map[string]bool{
	"the": true, "and": true, "is": true, "are": true, "of": true, "with": true, "that": true, "for": true, "does": true, "not": true,
	"has": true, "to": true, "it": true, "its": true, "a": true, "an": true, "or": true, "by": true, "from": true, "be": true,
}

// subject is what a criterion may begin with and means the submission.
const subjectPattern = `(?:(?:the|this|its?)\s+)?(?:(?:answer|response|reply|output|result|summary|submission|text|message|explanation|assistant|agent|model|code|tone)\s+)?`

// eachEnglishCriterion visits the criteria of rubrics that are judged yes or no and written
// in English, or in words that are English alone.
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

// isEnglishCriterion reports whether a criterion is judged yes or no and its text may be
// English.
func isEnglishCriterion(c *rubric.Criterion) bool {
	return !c.HasBands() && c.BandsSpan.Empty() && mayBeEnglish(c.Text)
}

// mayBeEnglish reports whether a text may be English: plain letters only, and one
// of the small words unless it is no more than a few words long.
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

// ignoreCase is a pattern without regard to case.
func ignoreCase(words string) pattern.Lazy { return pattern.New(`(?i)` + words) }

// englishExample is what stands before the criterion in an example.
const englishExample = `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
    rubrics:
`
