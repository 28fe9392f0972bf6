package yaml

import "github.com/rubric-ls/rubric/core/text"

// Walk visits n and everything below it in order, keys before their values,
// and does not follow aliases. A visit that answers false skips what is below.
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

// DocumentAt is the one that holds offset.
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

// NodeAt is the innermost node that offset is in or touches, its anchor and tag
// included; where two touch, the later one. Outside of everything it is the
// document's root.
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

// fullSpan is the node's span with its anchor and tag.
func (n *Node) fullSpan() text.Span {
	if n.Props.Empty() {
		return n.Span
	}
	return n.Props.Cover(n.Span)
}
