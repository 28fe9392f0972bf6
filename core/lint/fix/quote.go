package fix

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// Quote is the safe fix that quotes a span.
func Quote(src *text.Source, span text.Span) []diag.Fix {
	return []diag.Fix{{Title: "quote it", Safe: true, Edits: []text.Edit{{Span: span, New: strconv.Quote(src.Slice(span))}}}}
}

// lineValue matches a line and captures the part before the value and the value, without a
// comment after it.
var lineValue = pattern.New(`^([ \t]*(?:- +)*(?:[A-Za-z_][\w-]*: +)?)(.*?)[ \t]*(?:[ \t]#.*)?$`)

// unquotedStarts match texts that YAML misreads because of their first characters.
var unquotedStarts = []struct {
	text    pattern.Lazy
	misread string // a message with backticks; "" to use the parser's message
}{
	{pattern.New(`^\*\S*(?:\*| .)`), "a text that starts with `*` is taken for an alias"},
	{pattern.New(`^\{\{`), "a template's braces are brackets to YAML"},
	{pattern.New(`^\[[^\[\]]*\][^ ,]`), "a text that starts with `[` is taken for a list"},
	{pattern.New("^[`@%]|^& |^[|>] *[^ \t+0-9#-]"), ""},
	{pattern.New(`^"[^"\\]*".`), "a text that starts with a quote ends at the next one"},
	{pattern.New(`^'[^']*'[^']`), "a text that starts with a quote ends at the next one"},
}

// FindUnquoted returns the value on the line of span if it is a text that only lacks
// quotes, and how YAML misreads it.
func FindUnquoted(src *text.Source, span text.Span) (value text.Span, misread string, ok bool) {
	line := src.LineSpan(src.OffsetLine(span.Start))
	if span.End > line.End {
		return value, "", false
	}
	m := lineValue().FindStringSubmatchIndex(src.Slice(line))
	if m == nil {
		return value, "", false
	}
	value = text.Span{Start: line.Start + m[4], End: line.Start + m[5]}
	for _, start := range unquotedStarts {
		if start.text().MatchString(src.Slice(value)) {
			return value, start.misread, true
		}
	}
	return value, "", false
}
