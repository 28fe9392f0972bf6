package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Keys of the lists of cases, in an evalset and in a result file.
const (
	CasesKey   = "eval_cases"
	resultsKey = "eval_case_results"
)

// SplitCases finds the cases of an evalset or a result file, as [yaml.SplitJSONItems] does. It
// returns nil if a comment spans several lines. Callers that parse the chunks must check them with
// [UnclosedBrackets].
func SplitCases(body string) *yaml.ItemList {
	if hasMultilineComment(body) {
		return nil
	}
	return yaml.SplitJSONItems(body, CasesKey, schema.CamelCase(CasesKey), resultsKey, schema.CamelCase(resultsKey))
}

// hasMultilineComment reports whether a comment extends beyond its line.
func hasMultilineComment(body string) bool {
	if !strings.Contains(body, "/*") {
		return false
	}
	for line := range strings.Lines(body) {
		for _, e := range findExcess(line) {
			if e.Kind == Comment && line[e.Span.Start+1] == '*' && (e.Span.Len() < len("/**/") || !strings.HasSuffix(line[:e.Span.End], "*/")) {
				return true
			}
		}
	}
	return false
}

// UnclosedBrackets returns the brackets of a text without their counterpart in it, in order. It
// ignores strings and comments. Concatenating the results for several texts and applying it
// again gives the result for the concatenated texts.
func UnclosedBrackets(body string) string {
	var left []byte
	for i := 0; i < len(body); {
		end := i + 1
		switch c := body[i]; c {
		case '"':
			end = stringEnd(body, i)
		case '/':
			if i+1 < len(body) && (body[i+1] == '/' || body[i+1] == '*') {
				end = commentEnd(body, i)
			}
		case '{', '[':
			left = append(left, c)
		case '}', ']':
			if n := len(left) - 1; n >= 0 && left[n] == c-2 { // in ASCII a closing bracket is two after its opening one
				left = left[:n]
			} else {
				left = append(left, c)
			}
		}
		i = end
	}
	return string(left)
}
