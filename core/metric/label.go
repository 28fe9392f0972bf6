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
	openings = `:\s*\[*\s*"*`
	closings = `"*\s*\]*\s*[,\n}]`
	oneWord  = `([^"^\]\s]*)`
	words    = `([^"^\]\n]*?)`
)

var (
	validKey   = pattern.New(`"is_the_agent_response_valid"` + openings + oneWord + closings)
	userKey    = pattern.New(`"is_valid"` + openings + words + closings)
	invalidKey = pattern.New(`"is_the_agent_response_invalid"` + openings + oneWord + closings)

	good = []string{"valid", "true"}
	bad  = []string{"invalid", "almost", "false", "partially_valid", "partially valid", "partially"}
)

// ParseLabel finds the label in a judge's reply on a final response. It is
// compared to the letter, so "Valid" is none. A reply that has the key the wrong
// way round, ending in invalid, is valid by anything but a plain invalid or true.
func ParseLabel(reply string) Label {
	if m := validKey().FindStringSubmatch(reply); m != nil {
		return labelOf(bare(m[1]))
	}
	if m := invalidKey().FindStringSubmatch(reply); m != nil {
		if word := bare(m[1]); word == "true" || word == "invalid" {
			return Invalid
		}
		return Valid
	}
	return NotFound
}

func labelOf(word string) Label {
	switch {
	case slices.Contains(good, word):
		return Valid
	case slices.Contains(bad, word):
		return Invalid
	}
	return NotFound
}

// bare takes off what ADK takes off: beside commas and braces a backslash and,
// by an oversight in it, an s.
func bare(value string) string { return strings.Trim(value, `\s,}`) }

// ParseUserLabel finds the label in a judge's reply on a simulated user's turn. It
// may be written in capitals, and be of two words.
func ParseUserLabel(reply string) Label {
	m := userKey().FindStringSubmatch(reply)
	if m == nil {
		return NotFound
	}
	return labelOf(strings.ToLower(bare(m[1])))
}
