package wording

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// subjectPattern matches the start of a criterion that names the submission.
const subjectPattern = `(?:(?:the|this|its?)\s+)?(?:(?:answer|response|reply|output|result|summary|submission|text|message|explanation|assistant|agent|model|code|tone)\s+)?`

// englishWords are common words of which nearly every English sentence has one.
var englishWords = map[string]bool{
	"the": true, "and": true, "is": true, "are": true, "of": true, "with": true, "that": true, "for": true, "does": true, "not": true,
	"has": true, "to": true, "it": true, "its": true, "a": true, "an": true, "or": true, "by": true, "from": true, "be": true,
	"were": true, "how": true, "which": true, "what": true, "when": true, "why": true, "who": true,
}

// eachEnglishCriterion visits the yes-or-no criteria whose text may be English.
func eachEnglishCriterion(p *lint.Pass, visit func(*rubric.Criterion)) {
	for _, c := range englishCriteria(p) {
		visit(c)
	}
}

var englishCriteria = lint.PerPass(func(p *lint.Pass) []*rubric.Criterion {
	return slices.DeleteFunc(slices.Clone(allCriteria(p)), func(c *rubric.Criterion) bool { return !isEnglishCriterion(c) })
})

// allCriteria returns the criteria of all rubrics, each once.
var allCriteria = lint.PerPass(func(p *lint.Pass) (all []*rubric.Criterion) {
	seen := map[*rubric.Criterion]bool{}
	for _, g := range p.AllRubrics() {
		for _, c := range g.Criteria {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
})

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
