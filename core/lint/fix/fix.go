// Package fix makes the fixes that several rules offer.
package fix

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Replace is the safe fix that replaces the text of a node.
func Replace(n *yaml.Node, with, title string) []diag.Fix {
	return []diag.Fix{{Title: title, Safe: true, Edits: []text.Edit{{Span: n.Span, New: with}}}}
}

// ChangeTo is the fix that replaces a scalar by the name that was probably meant, quoted as
// before. It is a guess, so it is not safe. There is none if the name is empty.
func ChangeTo(n *yaml.Node, name string) []diag.Fix {
	if name == "" {
		return nil
	}
	return change(n.Span, name, scalar.FormatLike(n, name), false)
}

// FreeID returns id with the first number from 2 that makes it an id that is not taken, and takes it.
func FreeID(id, separator string, taken map[string]bool) string {
	for n := 2; ; n++ {
		if free := id + separator + strconv.Itoa(n); !taken[free] {
			taken[free] = true
			return free
		}
	}
}

// ChangeToNumber is the unsafe fix that replaces a number.
func ChangeToNumber(n *yaml.Node, number float64) []diag.Fix {
	if n == nil {
		return nil
	}
	written := strconv.FormatFloat(number, 'f', -1, 64)
	return change(n.Span, written, written, false)
}

// ChangeNumbers is the unsafe fix that replaces several numbers. There is none if a span is empty.
func ChangeNumbers(title string, spans []text.Span, numbers func(i int) float64) []diag.Fix {
	f := diag.Fix{Title: title}
	for i, span := range spans {
		if span.Empty() {
			return nil
		}
		f.Edits = append(f.Edits, text.Edit{Span: span, New: strconv.FormatFloat(numbers(i), 'f', -1, 64)})
	}
	return []diag.Fix{f}
}

func change(span text.Span, name, written string, safe bool) []diag.Fix {
	return []diag.Fix{{Title: "change to `" + name + "`", Safe: safe, Edits: []text.Edit{{Span: span, New: written}}}}
}

// Suggest adds to a diagnostic about a scalar that name was probably meant, and the fix. It adds
// nothing if the name is empty.
func Suggest(d *diag.Diagnostic, n *yaml.Node, name string) {
	d.Message += spell.Suggestion(name)
	d.Fixes = ChangeTo(n, name)
}

// SuggestWord is [Suggest] for a diagnostic about a plain word in a text.
func SuggestWord(d *diag.Diagnostic, name string) {
	if name != "" {
		d.Message += spell.Suggestion(name)
		d.Fixes = change(d.Span, name, name, false)
	}
}

// RenameKey is the fix that changes the key at span in mapping n. There is none if the mapping
// already has the new key.
func RenameKey(n *yaml.Node, span text.Span, name string, safe bool) []diag.Fix {
	if name == "" || n.Pair(name) != nil {
		return nil
	}
	written := name
	for _, pair := range n.Entries() {
		if pair.Key.Span == span {
			written = scalar.FormatLike(pair.Key, name)
		}
	}
	return change(span, name, written, safe)
}

// AddEntry is the fix that adds an entry to a mapping, on its own line if the last entry
// has one. In block style, a comment after the last entry stays there. There is none for an empty mapping.
func AddEntry(src *text.Source, title string, n *yaml.Node, key, value string) []diag.Fix {
	pairs := n.Entries()
	if len(pairs) == 0 {
		return nil
	}
	last := pairs[len(pairs)-1]
	start := src.LineSpan(src.OffsetLine(last.Key.Span.Start)).Start
	indent, entry := src.Body[start:last.Key.Span.Start], scalar.FormatLike(last.Key, key)+": "+value
	end := last.Value.Span.End
	switch {
	case n.Style != yaml.Flow:
		entry = src.Newline() + strings.Repeat(" ", len(indent)) + entry
		end = src.LineSpan(src.OffsetLine(last.Span().End - 1)).End
	case strings.TrimSpace(indent) == "":
		entry = "," + src.Newline() + indent + entry
	default:
		entry = ", " + entry
	}
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: text.Span{Start: end, End: end}, New: entry}}}}
}

// RemoveComment is the safe fix that removes a comment: with the blanks before it at the end of a line, or
// with its whole line if nothing else is on it.
func RemoveComment(src *text.Source, comment text.Span) []diag.Fix {
	removed, line := comment, src.LineSpan(src.OffsetLine(comment.Start))
	next := src.OffsetLine(comment.End) + 1
	before := strings.TrimRight(src.Body[line.Start:comment.Start], " \t")
	switch {
	case comment.End > line.End || strings.TrimSpace(src.Body[comment.End:line.End]) != "":
	case before != "" || next >= src.Lines():
		removed.Start = line.Start + len(before)
	default:
		removed = text.Span{Start: line.Start, End: src.LineSpan(next).Start}
	}
	return []diag.Fix{{Title: "remove the comment", Safe: true, Edits: []text.Edit{{Span: removed}}}}
}

// RemoveItem is the unsafe fix that removes an item from its list.
func RemoveItem(src *text.Source, item *yaml.Node, title string) []diag.Fix {
	if item == nil || item.Parent == nil || item.Parent.Kind != yaml.Sequence {
		return nil
	}
	spans := generic.Map(item.Parent.Items, (*yaml.Node).FullSpan)
	return remove(src, item.Parent, spans, item.Index, title)
}

// RemoveEntry is the unsafe fix that removes an entry from its mapping. It takes the key or the value
// of the entry.
func RemoveEntry(src *text.Source, member *yaml.Node, title string) []diag.Fix {
	if member == nil || member.Parent == nil || member.Parent.Kind != yaml.Mapping {
		return nil
	}
	spans := generic.Map(member.Parent.Pairs, (*yaml.Pair).Span)
	return remove(src, member.Parent, spans, member.Index, title)
}

// remove removes spans[i] from a collection with at least two members: in flow style with the comma
// next to it, in block style with its lines. There is no fix if the member has an anchor, or if a comment
// or anchor of another member would go with it.
func remove(src *text.Source, n *yaml.Node, spans []text.Span, i int, title string) []diag.Fix {
	if len(spans) < 2 || spans[i].Start >= text.HeaderBase || hasAnchor(n, spans[i]) {
		return nil
	}
	removed := spans[i]
	switch {
	case n.Style == yaml.Flow && i > 0:
		removed.Start = spans[i-1].End
	case n.Style == yaml.Flow:
		removed.End = spans[1].Start
	case n.Kind == yaml.Mapping && i == 0 && strings.TrimSpace(src.Body[removed.End:spans[1].Start]) == "":
		removed.End = spans[1].Start // it may begin on the line of a list's dash
	default:
		lines := src.LineSpan(src.OffsetLine(removed.Start))
		before := strings.TrimSpace(src.Body[lines.Start:removed.Start])
		if before != "" && (before != "-" || n.Kind != yaml.Sequence) {
			return nil // it begins on the line of something else
		}
		last := src.OffsetLine(max(removed.End-1, removed.Start))
		removed = text.Span{Start: lines.Start, End: len(src.Body)}
		if last+1 < src.Lines() {
			removed.End = src.LineSpan(last + 1).Start
		}
	}
	if around := src.Body[removed.Start:spans[i].Start] + src.Body[spans[i].End:removed.End]; n.Style == yaml.Flow && strings.Trim(around, ", \t\r\n") != "" {
		return nil
	}
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: removed}}}}
}

// hasAnchor reports whether a node below n that begins in a span has an anchor.
func hasAnchor(n *yaml.Node, span text.Span) (found bool) {
	yaml.Walk(n, func(below *yaml.Node) bool {
		found = found || below != n && below.Anchor != "" && span.Contains(below.FullSpan())
		return !found
	})
	return found
}

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
