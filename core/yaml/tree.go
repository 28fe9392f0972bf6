package yaml

import (
	"iter"
	"sort"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
	"github.com/rubric-ls/rubric/core/yaml/recover"
)

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

// ColumnOf returns the column of a node in bytes.
func ColumnOf(src *text.Source, n *Node) int {
	return src.OffsetPosition(n.Span.Start, text.UTF8).Character
}

// ListIndent is how lists are indented.
type ListIndent struct {
	Dash int // columns from a key to the dashes of its list
	Step int // columns from a dash to the item; 0 if no list is there to measure
}

// MeasureListIndent measures the first block list that is the value of a block mapping.
func MeasureListIndent(src *text.Source, root *Node) (l ListIndent) {
	Walk(root, func(n *Node) bool {
		for _, p := range n.Pairs {
			v := p.Value
			if l.Step > 0 || n.Style != Block || v.Kind != Sequence || v.Style != Block || len(v.Items) == 0 {
				continue
			}
			dash, item := ColumnOf(src, v), src.OffsetPosition(v.Items[0].FullSpan().Start, text.UTF8).Character
			l = ListIndent{max(dash-ColumnOf(src, p.Key), 0), item - dash}
		}
		return l.Step == 0
	})
	return l
}

// Nodes iterates over the nodes of all documents in order, keys before values, without following aliases.
func (t *Tree) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		stopped := false
		for _, doc := range t.Docs {
			Walk(doc.Root, func(n *Node) bool {
				stopped = stopped || !yield(n)
				return !stopped
			})
		}
	}
}

// NodeAt returns the innermost node that contains or touches offset, including its anchor and tag.
// Where two nodes touch, the later one wins. Outside all nodes it is the document's root.
func (t *Tree) NodeAt(offset int) *Node {
	n := t.Docs[0].Root
	for _, doc := range t.Docs[1:] {
		if doc.Span.Start <= offset {
			n = doc.Root
		}
	}
	for {
		child := childAt(n, offset)
		if child == nil {
			return n
		}
		n = child
	}
}

// childAt returns the last child that contains or touches offset, or nil. Children are in the order of the text.
func childAt(n *Node, offset int) *Node {
	var children []*Node
	if i := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].FullSpan().Start > offset }); i > 0 {
		children = n.Items[i-1 : i]
	}
	if i := sort.Search(len(n.Pairs), func(i int) bool { return n.Pairs[i].Key.FullSpan().Start > offset }); i > 0 {
		children = []*Node{n.Pairs[i-1].Value, n.Pairs[i-1].Key}
	}
	for _, child := range children {
		if child.FullSpan().Touches(offset) {
			return child
		}
	}
	return nil
}

// NodeWithSpan returns the innermost node with exactly this span, or nil.
func (t *Tree) NodeWithSpan(span text.Span) *Node {
	n := t.NodeAt(span.Start)
	for n != nil && n.Span != span {
		n = n.Parent
	}
	return n
}

// FullSpan returns the span of the node with its anchor and tag.
func (n *Node) FullSpan() text.Span {
	if n.Props.Empty() {
		return n.Span
	}
	return n.Props.Cover(n.Span)
}

// FirstKeySpan returns the span that stands for a whole mapping: its first key. For a list it is that of its first item.
func (n *Node) FirstKeySpan() text.Span {
	if items := n.List(); len(items) > 0 {
		n = items[0]
	}
	if pairs := n.Entries(); len(pairs) > 0 {
		return pairs[0].Key.Span
	}
	return n.Span
}

// AnchorsBefore returns the anchored nodes that begin before offset, by name. The last node with a
// name wins.
func (t *Tree) AnchorsBefore(offset int) map[string]*Node {
	found := map[string]*Node{}
	Walk(t.Root(), func(n *Node) bool {
		if n.Anchor != "" && n.Kind != Alias && n.Span.Start < offset {
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

// markRecovered sets Recovered on the nodes that the lost spans, in order, would have belonged to.
func markRecovered(body string, docs []*Document, lost []text.Span) {
	for _, doc := range docs {
		from := sort.Search(len(lost), func(i int) bool { return lost[i].Start >= doc.Span.Start })
		to := sort.Search(len(lost), func(i int) bool { return lost[i].Start >= doc.Span.End })
		if from < to {
			markNodes(body, doc.Root, lost[from:to])
		}
	}
}

func markNodes(body string, root *Node, lost []text.Span) {
	var nodes []*Node // in order of position
	Walk(root, func(n *Node) bool { nodes = append(nodes, n); return true })
	for _, span := range lost {
		next := sort.Search(len(nodes), func(i int) bool { return nodes[i].Span.Start > span.Start })
		before := nodes[max(next-1, 0)]
		owner := before
		if !isAbsentValueAt(body, before, span.Start) {
			if owner = itemAfterDash(body, nodes[next:], span); owner == nil {
				owner = enclosingNode(body, before, span)
			}
		}
		owner.Recovered = true
	}
}

// isAbsentValueAt reports whether n is an absent value for which text at pos could be the value.
func isAbsentValueAt(body string, n *Node, pos int) bool {
	return n.Kind == Scalar && n.Span.Empty() && lines.SkipBlanks(body, n.Span.Start) == pos
}

// itemAfterDash returns the first node after lost if lost was the beginning of that item, behind a
// dash; else nil.
func itemAfterDash(body string, after []*Node, lost text.Span) *Node {
	dash := recover.DashBefore(body, lost.Start)
	if dash < 0 || len(after) == 0 {
		return nil
	}
	list := after[0].Parent
	if list == nil || list.Kind != Sequence || list.Style != Block || lines.Column(body, list.Span.Start) != lines.Column(body, dash) {
		return nil
	}
	return after[0]
}

// enclosingNode returns the innermost node around before that contained lost, by position or by
// indentation.
func enclosingNode(body string, before *Node, lost text.Span) *Node {
	column := lines.Column(body, lost.Start)
	if recover.DashBefore(body, lost.Start) >= 0 {
		column = lines.Indentation(body, lines.Start(body, lost.Start))
	}
	n := before
	for n.Parent != nil && !n.Span.Contains(lost) && !(ownsLinesBelow(n) && lines.Column(body, n.Span.Start) <= column) {
		n = n.Parent
	}
	return n
}

// ownsLinesBelow reports whether lines below n can belong to it by indentation. This holds for
// block collections, and for scalar items that may have been collections before the recovery.
func ownsLinesBelow(n *Node) bool {
	return n.Style == Block || n.Kind == Scalar && n.Parent.Kind == Sequence && n.Parent.Style == Block
}
