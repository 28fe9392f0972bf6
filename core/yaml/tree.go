package yaml

import "github.com/rubric-ls/rubric/core/text"

// Walk visits n and all nodes below it in order, keys before values, without following aliases. A
// visit that returns false skips the children.
func Walk(n *Node, visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, item := range n.Items {
		Walk(item, visit)
	}
	for _, p := range n.Pairs {
		Walk(p.Key, visit)
		Walk(p.Value, visit)
	}
}

// DocumentAt returns the document that holds offset.
func (t *Tree) DocumentAt(offset int) *Document {
	for _, doc := range t.Docs {
		if doc.Span.Touches(offset) && (offset < doc.Span.End || doc == t.Docs[len(t.Docs)-1]) {
			return doc
		}
	}
	for i := len(t.Docs) - 1; i > 0; i-- {
		if t.Docs[i].Span.Start <= offset {
			return t.Docs[i]
		}
	}
	return t.Docs[0]
}

// NodeAt returns the innermost node that contains or touches offset, including its anchor and tag.
// Where two nodes touch, the later one wins. Outside all nodes it is the document's root.
func (t *Tree) NodeAt(offset int) *Node {
	n := t.DocumentAt(offset).Root
	for {
		child := childAt(n, offset)
		if child == nil {
			return n
		}
		n = child
	}
}

func childAt(n *Node, offset int) *Node {
	for i := len(n.Items) - 1; i >= 0; i-- {
		if n.Items[i].fullSpan().Touches(offset) {
			return n.Items[i]
		}
	}
	for i := len(n.Pairs) - 1; i >= 0; i-- {
		for _, child := range []*Node{n.Pairs[i].Value, n.Pairs[i].Key} {
			if child.fullSpan().Touches(offset) {
				return child
			}
		}
	}
	return nil
}

func (n *Node) fullSpan() text.Span {
	if n.Props.Empty() {
		return n.Span
	}
	return n.Props.Cover(n.Span)
}

// AnchorsBefore returns the anchored nodes that begin before offset, by name. The last node with a
// name wins.
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

// MapSpans replaces every span of the tree, for example when the text is part of a longer one. Call
// it only right after parsing, while no other goroutine has the tree.
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
