package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// removeFix takes something out of a list or a mapping in brackets, with the comma that
// parts it from what is left; nothing for one that is not in brackets, or is all there
// is. It is never safe: somebody has to choose.
func removeFix(in *yaml.Node, spans []text.Span, i int, title string) []diag.Fix {
	if in == nil || in.Style != yaml.Flow || len(spans) < 2 {
		return nil
	}
	out := text.Span{Start: spans[i].Start}
	if i > 0 {
		out = text.Span{Start: spans[i-1].End, End: spans[i].End}
	} else {
		out.End = spans[1].Start
	}
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: out}}}}
}

// removeItemFix takes an item out of its list.
func removeItemFix(item *yaml.Node, title string) []diag.Fix {
	if item.Parent == nil {
		return nil
	}
	var spans []text.Span
	for _, n := range item.Parent.Items {
		spans = append(spans, n.Span)
	}
	if item.Index >= len(spans) {
		return nil
	}
	return removeFix(item.Parent, spans, item.Index, title)
}

// removeEntryFix takes an entry out of its mapping.
func removeEntryFix(in *yaml.Node, entry *yaml.Pair, title string) []diag.Fix {
	var spans []text.Span
	at := -1
	for i, p := range in.Pairs {
		if spans = append(spans, p.Span()); p == entry {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return removeFix(in, spans, at, title)
}
