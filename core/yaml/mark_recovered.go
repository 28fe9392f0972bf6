package yaml

import (
	"sort"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
	"github.com/rubric-ls/rubric/core/yaml/recover"
)

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
