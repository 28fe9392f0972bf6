package offline

import (
	"regexp"
	"strings"
)

// submission is a text made ready to look things up in.
type submission struct {
	text   string
	folded string          // lower case, white space as single spaces
	stems  map[string]bool // of its words, numbers among them
}

func read(text string) *submission {
	s := &submission{text: text, folded: fold(text), stems: map[string]bool{}}
	for _, w := range words(text) {
		s.stems[stem(w)] = true
	}
	return s
}

func fold(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

var (
	quotes = regexp.MustCompile("`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]")
	// forbidding is how a criterion begins that asks for something's absence.
	forbidding = regexp.MustCompile(`(?i)^\s*(?:(?:the|it|its|this)\s+)?(?:(?:answer|response|reply|output|submission|assistant|agent|model|summary)\s+)?` +
		`(?:(?:does|do|did|is|are|must|should|may|can|will|has|have)\s*(?:not|n't|n’t)\b|cannot\b|never\b|avoids?\b|refrains?\s+from\b|omits?\b|` +
		`(?:contains?|includes?|mentions?|has|makes?|uses?|gives?)\s+no\b|no\b|without\b|free\s+of\b|is\s+free\s+of\b)`)
)

// look searches the submission for evidence of a wish.
func (s *submission) look(wish string) *evidence {
	e := &evidence{closeness: 1}
	if cue := forbidding.FindString(wish); cue != "" {
		e.forbids, wish = true, wish[len(cue):]
	}
	wish = s.measures(e, wish)
	wish = quotes.ReplaceAllStringFunc(wish, func(quote string) string {
		what := strings.Trim(quote, "`\"“”„«»")
		e.must(what, strings.Contains(s.folded, fold(what)))
		return " "
	})
	seen := map[string]bool{}
	for _, w := range words(wish) {
		root := stem(w)
		if seen[root] || stopWords[w] || stopWords[root] {
			continue
		}
		seen[root] = true
		if isNumber(w) && !e.forbids {
			e.must(w, s.stems[root])
		} else {
			e.add(w, 1, s.stems[root])
		}
	}
	return e
}
