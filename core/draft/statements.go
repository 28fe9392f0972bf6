package draft

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint/rules/wording"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// IDPrefix starts the ids of criteria that were derived without a model and need a review.
const IDPrefix = "draft-"

// maxFromReference is how many statements of a reference answer are used.
const maxFromReference = 3

// Statements derives criteria without a model: one for each statement of the expected outcome, then
// optional ones for statements of the reference answer. Their ids start with [IDPrefix].
func Statements(c *rubric.Case) []Criterion {
	var criteria []Criterion
	add := func(statement string, required bool) {
		if len(criteria) < maxCriteria {
			c := newStatement(statement, criteria)
			c.Required = required
			criteria = append(criteria, c)
		}
	}
	for _, act := range requestedItems(c) {
		add(act, true)
	}
	taken := 0
	for _, s := range splitStatements(c.ReferenceAnswer) {
		if len(strings.Fields(s)) >= 4 && taken < maxFromReference {
			taken++
			add(`Conveys that "`+strings.ReplaceAll(s, `"`, `'`)+`"`, false)
		}
	}
	return criteria
}

// newStatement returns a criterion for a statement, with an id that no other one has.
func newStatement(statement string, others []Criterion) Criterion {
	return Criterion{ID: newID(statement, others), ExpectedOutcome: statement, Weight: 1}
}

// requestedItems returns the separate things that an expected outcome asks for.
func requestedItems(c *rubric.Case) (all []string) {
	for _, s := range splitStatements(c.ExpectedOutcome) {
		all = append(all, generic.Map(splitActs(s), wording.Capitalize)...)
	}
	return all
}

// overflowNotes lists requested items beyond the maximum number of criteria.
func overflowNotes(c *rubric.Case) []string {
	all := requestedItems(c)
	if len(all) <= maxCriteria {
		return nil
	}
	return []string{fmt.Sprintf("the expected outcome asks for %d things, but a draft has at most %d criteria; missing: `%s`", len(all), maxCriteria, strings.Join(all[maxCriteria:], "`, `"))}
}

var (
	// sentenceEnd matches the boundary between two statements.
	sentenceEnd = pattern.New(`[.!?;]+(?:\s+|$)|\s*\n\s*`)
	// unsplittable matches text without boundaries: code, quotations on one line, and abbreviations.
	unsplittable = pattern.New("`[^`\n]+`|\"[^\"\n]+\"|" + `\b(?:e\.g|i\.e|vs|cf|Mr|Mrs|Ms|Dr)\.\s`)
	bullet       = pattern.New(`^(?:[-*•]|\d+[.)])\s+`)
	// conjoinedVerb matches a second verb that has an object of its own. Plural nouns are rarely
	// followed by these words, and words in -as, -is, -ss or -us are rarely verbs.
	conjoinedVerb = pattern.New(`(?:,|,?\s+and)\s+(is|has|[a-z]*[b-hj-rtv-z]s)\s+(?:the|a|an|that|how|why|when|where|whether|what|its|it|for|to|no|any|at|on)\b`)
	subjectVerb   = pattern.New(`^(?:The (?:answer|response|assistant|agent|model|output|reply)\s+)?[A-Z]?[a-z]+s\s`)
)

// splitStatements returns the sentences and list items of a text.
func splitStatements(body string) (all []string) {
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		lines[i] = bullet().ReplaceAllString(strings.TrimSpace(line), "")
		if lines[i] != strings.TrimSpace(line) && i > 0 {
			lines[i-1] += "." // a list item ends the sentence before it
		}
	}
	const bound = "\u00a0" // a space that sentenceEnd does not match
	bind := strings.NewReplacer(" ", bound, "\n", bound).Replace
	for _, s := range sentenceEnd().Split(unsplittable().ReplaceAllStringFunc(strings.Join(joinWrappedLines(lines), "\n"), bind), -1) {
		s = strings.ReplaceAll(s, bound, " ")
		if s = strings.TrimRight(strings.TrimSpace(s), ".,;:!?"); strings.ContainsFunc(s, unicode.IsLetter) {
			all = append(all, s)
		}
	}
	return all
}

// joinWrappedLines joins the lines of wrapped sentences: a continuation starts in lower case.
func joinWrappedLines(lines []string) (all []string) {
	for _, line := range lines {
		first, _ := utf8.DecodeRuneInString(line)
		last := len(all) - 1
		if last >= 0 && unicode.IsLower(first) && all[last] != "" && !strings.ContainsAny(all[last][len(all[last])-1:], ".!?;:") {
			all[last] += " " + line
			continue
		}
		all = append(all, line)
	}
	return all
}

// splitActs splits a statement that asks for several actions.
func splitActs(s string) (all []string) {
	if !subjectVerb().MatchString(s) {
		return splitConcepts(s)
	}
	for {
		m := conjoinedVerb().FindStringSubmatchIndex(s)
		if m == nil || !strings.Contains(s[m[0]:], " and ") { // a comma alone does not make a list
			return append(all, splitConcepts(s)...)
		}
		all = append(all, splitConcepts(strings.TrimSpace(s[:m[0]]))...)
		s = s[m[2]:]
	}
}

// splitConcepts splits a statement where the lint rule for compound criteria would.
func splitConcepts(s string) []string {
	first, second, ok := wording.SplitConcepts(s)
	if !ok {
		return []string{s}
	}
	return append(splitConcepts(first), splitConcepts(second)...)
}

// stopWord matches words that say little in an id.
var stopWord = pattern.New(`^(?:the|a|an|of|to|in|on|and|or|is|are|be|that|for|with|its|it|this|conveys)$`)

// newID returns a short id for a statement that no other criterion has.
func newID(statement string, others []Criterion) string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(statement), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if !stopWord().MatchString(w) && len(words) < 3 {
			words = append(words, w)
		}
	}
	if words == nil {
		words = []string{"criterion"}
	}
	base := IDPrefix + strings.Join(words, "-")
	id := base
	for n := 2; slices.ContainsFunc(others, func(c Criterion) bool { return c.ID == id }); n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id
}
