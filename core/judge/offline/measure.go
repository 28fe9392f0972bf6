package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/pattern"
)

const (
	amount = `(\d[\d,]*|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|single)`
	unit   = `(word|sentence|character|line|paragraph|bullet|item)(?:s|\s+points?)?\b`
)

// A length is an amount of units with a relation before it, between its two
// parts or after it: "under 30 words", "30 or fewer words", "30 words at most".
var (
	between = pattern.New(`(?i)\b(?:between\s+)?` + amount + `\s*(?:and|to|-|–)\s*` + amount + `[\s-]+` + unit)
	sized   = pattern.New(`(?i)\b(?:(under|below|(?:fewer|less|shorter)\s+than|at\s+most|(?:no|not)\s+(?:\w+\s+)?(?:more|longer)\s+than|` +
		`within|up\s+to|maximum\s+of|max\.?|(?:not|n['’]t)\s+exceed|not\s+exceeding|` +
		`at\s+least|(?:more|longer)\s+than|over|exceeds|minimum\s+of|(?:no|not)\s+(?:\w+\s+)?(?:fewer|less|shorter)\s+than|exactly|in|is|uses|has|as)\s+(?:an?\s+)?)?\b` +
		amount + `(?:\s+(or\s+(?:fewer|less|more)))?(\s+|-)` + unit + `(?:\s+(or\s+(?:fewer|less|more|shorter|longer)|at\s+(?:most|least)|max(?:imum)?))?`)
	sentenceEnd = pattern.New(`[.!?。！？]+(?:\s|$|["”)])`)
	blankLine   = pattern.New(`\n\s*\n`)
)

// limits takes out of a wish what sets a length, and measures it. A length that
// is missed earns credit for coming near, for the sake of ranges.
func (s *submission) limits(e *evidence, w *wish) {
	for _, m := range between().FindAllStringSubmatchIndex(w.rest, -1) {
		s.limit(e, w, m, w.rest[m[6]:m[7]], size(w.rest[m[2]:m[3]]), size(w.rest[m[4]:m[5]]))
	}
	for _, m := range sized().FindAllStringSubmatchIndex(w.rest, -1) {
		part := func(group int) string {
			if m[2*group] < 0 {
				return ""
			}
			return strings.ToLower(w.rest[m[2*group]:m[2*group+1]])
		}
		relation, unit := part(1), part(5)
		for _, after := range []string{part(3), part(6)} {
			if after != "" {
				relation = after
			}
		}
		switch hyphen := part(4) == "-"; {
		case relation != "":
		case hyphen && (unit == "word" || unit == "character"):
			relation = "at most"
		case hyphen:
			relation = "exactly"
		default:
			continue // a mention of words is no limit
		}
		lo, hi := bounds(relation, size(part(2)))
		s.limit(e, w, m, unit, lo, hi)
	}
}

func (s *submission) limit(e *evidence, w *wish, m []int, unit string, lo, hi int) {
	count := s.length(strings.ToLower(unit))
	credit := literal
	switch {
	case count < lo:
		credit = literal * count / lo
	case count > hi:
		credit = literal * max(hi, 0) / count
	}
	phrase := strings.Join(strings.Fields(w.raw[m[0]:m[1]]), " ")
	e.measured(fmt.Sprintf("%s (it has %d)", phrase, count), credit, lo <= count && count <= hi)
	w.blank(m[0], m[1])
}

// boundless is more than any submission has of anything.
const boundless = 1 << 30

// size reads an amount; one too large to read is no limit.
func size(text string) int {
	text = strings.ToLower(strings.ReplaceAll(text, ",", ""))
	switch text {
	case "a", "an", "one", "single":
		return 1
	}
	if digits := numerals[text]; digits != "" {
		text = digits
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return boundless
	}
	return min(n, boundless)
}

// bounds are the lengths that a relation to n allows, both included.
func bounds(relation string, n int) (lo, hi int) {
	words := strings.Fields(relation)
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	not, or := has("no", "not", "n't", "n’t"), has("or")
	fewer, more := has("fewer", "less", "shorter"), has("more", "longer")
	switch {
	case has("under", "below"), fewer && !not && !or:
		return 0, n - 1
	case has("over", "exceeds"), more && !not && !or:
		return n + 1, boundless
	case has("least", "minimum"), fewer && not, more && or:
		return n, boundless
	case has("exactly", "in", "is", "uses", "has", "as"):
		return n, n
	}
	return 0, n
}

// length counts a unit in the submission.
func (s *submission) length(unit string) int {
	text := strings.TrimSpace(s.text)
	switch unit {
	case "word":
		return len(strings.Fields(text))
	case "character":
		return utf8.RuneCountInString(text)
	case "sentence":
		return max(1, len(sentenceEnd().FindAllString(text, -1)))
	case "line":
		return strings.Count(text, "\n") + 1
	case "paragraph":
		return len(blankLine().Split(text, -1))
	}
	return len(bullet().FindAllString(text, -1)) + len(numbered().FindAllString(text, -1))
}
