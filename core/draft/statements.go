package draft

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// IDPrefix begins the ids of criteria that nobody has thought about yet.
const IDPrefix = "draft-"

// maxFromReference is how many statements of a reference answer are taken.
const maxFromReference = 3

// Statements are criteria made without a model: each statement of the expected
// outcome, then some of the reference answer, which are not required. Their ids
// begin with [Mark].
func Statements(c *rubric.Case) []Criterion {
	var criteria []Criterion
	add := func(statement string, required bool) {
		if len(criteria) < maxCriteria {
			criteria = append(criteria, Criterion{ID: newID(statement, criteria), ExpectedOutcome: statement, Weight: 1, Required: required})
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

// requestedItems are the things that an expected outcome asks for.
func requestedItems(c *rubric.Case) (all []string) {
	for _, s := range splitStatements(c.ExpectedOutcome) {
		for _, act := range splitActs(s) {
			all = append(all, capitalize(act))
		}
	}
	return all
}

// overflowNotes says which of them [Statements] has no room for.
func overflowNotes(c *rubric.Case) []string {
	all := requestedItems(c)
	if len(all) <= maxCriteria {
		return nil
	}
	return []string{fmt.Sprintf("the expected outcome asks for %d things, and a draft has at most %d criteria: none is for `%s`", len(all), maxCriteria, strings.Join(all[maxCriteria:], "`, `"))}
}

var (
	// sentenceEnd are the places at which one statement ends and another begins.
	sentenceEnd = pattern.New(`[.!?;]+(?:\s+|$)|\s*\n\s*`)
	// unsplittable is what nothing ends in: code, what is quoted on a line, and words that have a
	// full stop of their own.
	unsplittable = pattern.New("`[^`\n]+`|\"[^\"\n]+\"|" + `\b(?:e\.g|i\.e|vs|cf|Mr|Mrs|Ms|Dr)\.\s`)
	bullet       = pattern.New(`^(?:[-*•]|\d+[.)])\s+`)
	// conjoinedVerb are two things that somebody does: the second verb has an object
	// of its own. A plural noun is rarely followed by one of these words; what ends in
	// -as, -is, -ss or -us is rarely a verb.
	conjoinedVerb = pattern.New(`(?:,|,?\s+and)\s+(is|has|[a-z]*[b-hj-rtv-z]s)\s+(?:the|a|an|that|how|why|when|where|whether|what|its|it|for|to|no|any|at|on)\b`)
	subjectVerb   = pattern.New(`^(?:The (?:answer|response|assistant|agent|model|output|reply)\s+)?[A-Z]?[a-z]+s\s`)
)

// splitStatements are the sentences and the list items of a text.
func splitStatements(body string) (all []string) {
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		lines[i] = bullet().ReplaceAllString(strings.TrimSpace(line), "")
		if lines[i] != strings.TrimSpace(line) && i > 0 {
			lines[i-1] += "." // an item ends what stands before it
		}
	}
	const bound = "\u00a0" // a space, and none to ends
	bind := strings.NewReplacer(" ", bound, "\n", bound).Replace
	for _, s := range sentenceEnd().Split(unsplittable().ReplaceAllStringFunc(strings.Join(joinWrappedLines(lines), "\n"), bind), -1) {
		s = strings.ReplaceAll(s, bound, " ")
		if s = strings.TrimRight(strings.TrimSpace(s), ".,;:!?"); strings.ContainsFunc(s, unicode.IsLetter) {
			all = append(all, s)
		}
	}
	return all
}

// joinWrappedLines puts lines together that are one sentence wrapped: the next one goes on
// in lower case.
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

// splitActs are the things that a statement asks for, where it names several.
func splitActs(s string) (all []string) {
	if !subjectVerb().MatchString(s) {
		return splitConcepts(s)
	}
	for {
		m := conjoinedVerb().FindStringSubmatchIndex(s)
		if m == nil || !strings.Contains(s[m[0]:], " and ") { // a comma alone makes no list
			return append(all, splitConcepts(s)...)
		}
		all = append(all, splitConcepts(strings.TrimSpace(s[:m[0]]))...)
		s = s[m[2]:]
	}
}

// splitConcepts are the things that a rule would find a statement to ask for at once.
func splitConcepts(s string) []string {
	first, second, ok := lint.SplitConcepts(s)
	if !ok {
		return []string{s}
	}
	return append(splitConcepts(first), splitConcepts(second)...)
}

func capitalize(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// stopWord are words that say little in an id.
var stopWord = pattern.New(`^(?:the|a|an|of|to|in|on|and|or|is|are|be|that|for|with|its|it|this|conveys)$`)

// newID is a short id for a statement that no other criterion has.
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
	id := IDPrefix + strings.Join(words, "-")
	for n := 2; hasID(id, others); n++ {
		id = IDPrefix + strings.Join(words, "-") + "-" + string(rune('0'+n)) // at most seven
	}
	return id
}

func hasID(id string, by []Criterion) bool {
	for _, c := range by {
		if c.ID == id {
			return true
		}
	}
	return false
}
