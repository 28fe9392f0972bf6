package adk

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
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

// ReadChunk reads a case that [SplitCases] has found in a file with a role: whole lines, of which the
// first begins with white space. Last says that no case follows.
func ReadChunk(role Role, src *text.Source, last bool) File {
	f := File{Role: role, Body: src.Body, JSON: true, IsChunk: true}
	f.Excess = findExcess(src.Body)
	parts, end := f.Excess, len(strings.TrimRight(blank(src.Body, f.Excess), " \t\r\n"))
	hasComma := end > 0 && src.Body[end-1] == ','
	if hasComma {
		parts = append(slices.Clip(parts), Excess{TrailingComma, text.Span{Start: end - 1, End: end}})
	}
	if last {
		f.Excess = parts
	}
	f.readJSON(src, parts)
	switch {
	case f.Fault != nil && f.Fault.Start >= end: // a closing bracket is missing
		f.Fault = &text.Span{Start: max(end-1, 0), End: end}
	case f.Fault == nil && !hasComma && !last:
		f.MissingComma = &text.Span{Start: max(end-1, 0), End: end}
	}
	return f
}

// ReadHeader reads a file from which the cases at an offset have been removed. The list is nil if
// the offset is not inside an empty list of cases.
func ReadHeader(name string, src *text.Source, at int) (f File, list *yaml.Pair) {
	f = OpenSource(name, src)
	switch f.Role {
	case EvalSet:
		list = f.emptiedList(CasesKey, at)
	case Results:
		list = f.emptiedList(resultsKey, at)
	}
	return f, list
}

// emptiedList returns the list from which the cases were removed and marks it as recovered. It
// returns nil if the offset is not inside an empty list.
func (f File) emptiedList(key string, at int) *yaml.Pair {
	root := f.Tree.Root()
	list := LookupPair(root, key)
	if list == nil || root.Pair(key) != nil && root.Pair(key) != list || len(f.Tree.Docs) > 1 {
		return nil
	}
	empty := list.Value
	if empty.Kind != yaml.Sequence || empty.Style != yaml.Flow || len(empty.Items) > 0 || empty.Span.Start >= at || at >= empty.Span.End {
		return nil
	}
	empty.Recovered = true
	return list
}
