package metric

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

// Label is a judge's word on an answer.
type Label string

const (
	Valid    Label = "VALID"
	Invalid  Label = "INVALID"
	NotFound Label = "NOT_FOUND" // the reply has no label that counts
)

func (l Label) score() *float64 {
	switch l {
	case Valid:
		return number(1)
	case Invalid:
		return number(0)
	}
	return nil
}

// The value of a key stands in brackets, in quotes or bare, and a comma, a line's
// end or a closing brace comes after it. No JSON is parsed: ADK takes the first
// place that looks so.
const (
	valueOpening  = `:\s*\[*\s*"*`
	valueClosing  = `"*\s*\]*\s*[,\n}]`
	wordPattern   = `([^"^\]\s]*)`
	phrasePattern = `([^"^\]\n]*?)`
)

var (
	validKey   = pattern.New(`"is_the_agent_response_valid"` + valueOpening + wordPattern + valueClosing)
	userKey    = pattern.New(`"is_valid"` + valueOpening + phrasePattern + valueClosing)
	invalidKey = pattern.New(`"is_the_agent_response_invalid"` + valueOpening + wordPattern + valueClosing)

	validWords   = []string{"valid", "true"}
	invalidWords = []string{"invalid", "almost", "false", "partially_valid", "partially valid", "partially"}
)

// ParseLabel finds the label in a judge's reply on a final response. It is
// compared to the letter, so "Valid" is none. A reply that has the key the wrong
// way round, ending in invalid, is valid by anything but a plain invalid or true.
func ParseLabel(reply string) Label {
	if m := validKey().FindStringSubmatch(reply); m != nil {
		return classifyLabel(trimLabel(m[1]))
	}
	if m := invalidKey().FindStringSubmatch(reply); m != nil {
		if word := trimLabel(m[1]); word == "true" || word == "invalid" {
			return Invalid
		}
		return Valid
	}
	return NotFound
}

func classifyLabel(word string) Label {
	switch {
	case slices.Contains(validWords, word):
		return Valid
	case slices.Contains(invalidWords, word):
		return Invalid
	}
	return NotFound
}

// trimLabel takes off what ADK takes off: beside commas and braces a backslash and,
// by an oversight in it, an s.
func trimLabel(value string) string { return strings.Trim(value, `\s,}`) }

// ParseUserLabel finds the label in a judge's reply on a simulated user's turn. It
// may be written in capitals, and be of two words.
func ParseUserLabel(reply string) Label {
	m := userKey().FindStringSubmatch(reply)
	if m == nil {
		return NotFound
	}
	return classifyLabel(strings.ToLower(trimLabel(m[1])))
}
