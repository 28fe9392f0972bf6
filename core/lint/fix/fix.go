// Package fix makes the fixes that several rules offer.
package fix

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
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
// has one. There is none for an empty mapping.
func AddEntry(src *text.Source, title string, n *yaml.Node, key, value string) []diag.Fix {
	pairs := n.Entries()
	if len(pairs) == 0 {
		return nil
	}
	last := pairs[len(pairs)-1]
	start := src.LineSpan(src.OffsetLine(last.Key.Span.Start)).Start
	indent, entry := src.Body[start:last.Key.Span.Start], key+": "+value
	switch {
	case n.Style != yaml.Flow:
		entry = "\n" + strings.Repeat(" ", len(indent)) + entry
	case strings.TrimSpace(indent) == "":
		entry = ",\n" + indent + `"` + key + `": ` + value
	default:
		entry = `, "` + key + `": ` + value
	}
	end := last.Value.Span.End
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: text.Span{Start: end, End: end}, New: entry}}}}
}

// RemoveItem is the unsafe fix that removes an item from its flow list.
func RemoveItem(item *yaml.Node, title string) []diag.Fix {
	if item.Parent == nil {
		return nil
	}
	var spans []text.Span
	for _, n := range item.Parent.Items {
		spans = append(spans, n.Span)
	}
	return remove(item.Parent, spans, item.Index, title)
}

// RemoveEntry is the unsafe fix that removes an entry from a flow mapping.
func RemoveEntry(n *yaml.Node, entry *yaml.Pair, title string) []diag.Fix {
	var spans []text.Span
	index := len(n.Pairs)
	for i, p := range n.Pairs {
		if spans = append(spans, p.Span()); p == entry {
			index = i
		}
	}
	return remove(n, spans, index, title)
}

// remove removes spans[i] and the comma next to it from a flow collection with at least
// two members.
func remove(n *yaml.Node, spans []text.Span, i int, title string) []diag.Fix {
	if n.Style != yaml.Flow || len(spans) < 2 || i >= len(spans) {
		return nil
	}
	removed := text.Span{Start: spans[i].Start}
	if i > 0 {
		removed = text.Span{Start: spans[i-1].End, End: spans[i].End}
	} else {
		removed.End = spans[1].Start
	}
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: removed}}}}
}
