package yaml

import "github.com/rubric-ls/rubric/core/text"

// AnchorsBefore are the anchored nodes that begin before offset, by name; of several
// with one name the last.
func (t *Tree) AnchorsBefore(offset int) map[string]*Node {
	var found map[string]*Node
	Walk(t.Root(), func(n *Node) bool {
		if n.Anchor != "" && n.Kind != Alias && n.Span.Start < offset {
			if found == nil {
				found = map[string]*Node{}
			}
			found[n.Anchor] = n
		}
		return true
	})
	return found
}

// MapSpans puts everything in a tree where to says, as when the text is taken for a
// stretch of a longer one. It is for who has just parsed it: nobody else may
// have seen the tree yet.
func (t *Tree) MapSpans(mapSpan func(text.Span) text.Span) {
	for _, doc := range t.Docs {
		doc.Span = mapSpan(doc.Span)
		Walk(doc.Root, func(n *Node) bool {
			n.Span = mapSpan(n.Span)
			if !n.Props.Empty() {
				n.Props = mapSpan(n.Props)
			}
			return true
		})
	}
	for i, c := range t.Comments {
		t.Comments[i].Span = mapSpan(c.Span)
	}
	for i, p := range t.Problems {
		t.Problems[i].Span = mapSpan(p.Span)
		if !p.Note.Empty() {
			t.Problems[i].Note = mapSpan(p.Note)
		}
	}
}
