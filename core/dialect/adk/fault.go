package adk

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/text"
)

// pythonNumbers are the numbers that Python reads in JSON and Go does not, and one of
// the same length that both do.
var pythonNumbers = map[string]string{"NaN": "0  ", "Infinity": "0       "}

// faultSpan is [fault] as a place; nil if there is none.
func faultSpan(body string, parts []Excess) *text.Span {
	start, found := findFault(body, parts)
	if !found {
		return nil
	}
	end := min(start+1, len(body))
	return &text.Span{Start: min(start, end), End: end}
}

// WithoutComments is the text with spaces for the comments, and that of a part as a list, unless
// it stood inline.
func (f File) WithoutComments() string {
	plain := blankComments(f.Body, f.Excess)
	if f.IsChunk {
		return asList(plain)
	}
	return plain
}

// findFault is the first place where a text is not the JSON that Python reads, but
// for comments and trailing commas; false if there is none.
func findFault(body string, parts []Excess) (at int, found bool) {
	clean := []byte(blankExcess(body, parts))
	for i := 0; i < len(clean); {
		if clean[i] == '"' {
			i = stringEnd(body, i)
			continue
		}
		if clean[i] == 'N' || clean[i] == 'I' {
			for word, digit := range pythonNumbers {
				if bytes.HasPrefix(clean[i:], []byte(word)) {
					copy(clean[i:], digit)
				}
			}
		}
		i++
	}
	var value json.RawMessage
	err := json.Unmarshal(clean, &value)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return max(0, int(syntax.Offset)-1), true
	}
	return 0, err != nil
}

// blankExcess is a text with spaces for comments and trailing commas.
func blankExcess(body string, parts []Excess) string {
	out := []byte(blankComments(body, parts))
	for _, p := range parts {
		if p.Kind == TrailingComma {
			out[p.Span.Start] = ' '
		}
	}
	return string(out)
}
