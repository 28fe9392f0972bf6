package offline

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/pattern"
)

// form is something about a submission's form that can be tested.
type form struct {
	name  string
	said  pattern.Lazy // how criteria call it
	holds func(*submission) bool
}

var (
	bullet   = pattern.New(`(?m)^\s*[-*•]\s+\S`)
	numbered = pattern.New(`(?m)^\s*\d+[.)]\s+\S`)
	row      = pattern.New(`(?m)^\s*\|.*\|\s*$`)
	heading  = pattern.New(`(?m)^#{1,6}\s+\S`)
	address  = pattern.New(`(?i)\bhttps?://\S|\bwww\.\S`)
	fence    = pattern.New("(?s)^\\s*```[a-zA-Z]*\\s*\n(.*?)\n?```\\s*$")
)

var forms = []form{
	{"valid JSON", phrase(`(?:(?:is|as|in|returns?|outputs?|only)\s+(?:only\s+)?(?:an?\s+)?(?:(?:valid|well-formed|pars[ea]*ble)\s+)?|(?:valid|well-formed|pars[ea]*ble)\s+)JSON(?:\s+(?:object|format|array))?`), isJSON},
	{"a bulleted list", phrase(`bullet(?:ed)?(?:[\s-]+(?:points?|lists?))|bullets`), having(bullet)},
	{"a numbered list", phrase(`(?:numbered|ordered)\s+(?:lists?|steps)`), having(numbered)},
	{"a table", phrase(`(?:as|in|is|contains?|includes?|uses?|has)\s+an?\s+(?:(?:markdown|comparison|summary)\s+)?table|(?:markdown|comparison)\s+tables?`), having(row)},
	{"a heading", phrase(`headings?`), having(heading)},
	{"a code block", phrase(`(?:fenced\s+)?code\s+(?:blocks?|fences?)`), func(s *submission) bool { return strings.Contains(s.text, "```") }},
	{"a question", phrase(`(?:ends\s+with|asks|is|contains|poses)\s+an?\s+(?:[\w-]+\s+)?question`), func(s *submission) bool { return strings.ContainsAny(s.text, "?？") }},
	{"a URL", phrase(`(?:an?\s+|any\s+)?(?:URLs?|hyperlinks?|web\s+address(?:es)?)`), having(address)},
	{"an exclamation mark", phrase(`exclamation\s+(?:marks?|points?)`), func(s *submission) bool { return strings.ContainsAny(s.text, "!！") }},
	{"an emoji", phrase(`emojis?`), func(s *submission) bool { return strings.ContainsFunc(s.text, emoji) }},
	{"lower case only", phrase(`(?:in\s+|all\s+|is\s+)+lower[\s-]?case`), func(s *submission) bool { return s.text == strings.ToLower(s.text) }},
	{"upper case only", phrase(`(?:in\s+|all\s+|is\s+)+(?:upper[\s-]?case|caps|capitals)`), func(s *submission) bool { return s.text == strings.ToUpper(s.text) }},
}

func phrase(words string) pattern.Lazy { return pattern.New(`(?i)\b(?:` + words + `)\b`) }

func having(p pattern.Lazy) func(*submission) bool {
	return func(s *submission) bool { return p().MatchString(s.text) }
}

// isJSON takes a fence around the value for a habit of models, no fault.
func isJSON(s *submission) bool {
	body := s.text
	if m := fence().FindStringSubmatch(body); m != nil {
		body = m[1]
	}
	return json.Valid([]byte(body))
}

func emoji(r rune) bool {
	return r >= 0x1F300 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF && unicode.IsSymbol(r)
}
