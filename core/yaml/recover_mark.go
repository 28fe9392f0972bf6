package yaml

import (
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// markRecovered marks the nodes that what was lost, in order, would have
// belonged to.
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
	var nodes []*Node // in order of place
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

// isAbsentValueAt reports whether n is the absent value that could stand at at.
func isAbsentValueAt(body string, n *Node, pos int) bool {
	return n.Kind == Scalar && n.Span.Empty() && skipBlanks(body, n.Span.Start) == pos
}

// itemAfterDash is the first of the nodes after lost if it is the item that lost stood
// at the beginning of, behind a dash; nil if it is not.
func itemAfterDash(body string, after []*Node, lost text.Span) *Node {
	dash := dashBefore(body, lost.Start)
	if dash < 0 || len(after) == 0 {
		return nil
	}
	list := after[0].Parent
	if list == nil || list.Kind != Sequence || list.Style != Block || columnOf(body, list.Span.Start) != columnOf(body, dash) {
		return nil
	}
	return after[0]
}

// dashBefore is where the dash stands that at is the item of, -1 without any.
func dashBefore(body string, pos int) int {
	l := layoutOfLine(body, lineStart(body, pos))
	if l.dashesEnd != pos || l.dashesEnd == l.indentEnd {
		return -1
	}
	return strings.LastIndexByte(body[:pos], '-')
}

// enclosingNode is the innermost node around the one before lost that lost stood in,
// by place or by indentation.
func enclosingNode(body string, before *Node, lost text.Span) *Node {
	column := columnOf(body, lost.Start)
	if dashBefore(body, lost.Start) >= 0 {
		column = indentation(body, lineStart(body, lost.Start))
	}
	n := before
	for n.Parent != nil && !n.Span.Contains(lost) && !(ownsLinesBelow(n) && columnOf(body, n.Span.Start) <= column) {
		n = n.Parent
	}
	return n
}

// ownsLinesBelow reports whether lines below n can belong to it by their indentation:
// a collection in block style, or what should have been one and is now a mere
// item.
func ownsLinesBelow(n *Node) bool {
	return n.Style == Block || n.Kind == Scalar && n.Parent.Kind == Sequence && n.Parent.Style == Block
}

func columnOf(body string, pos int) int { return pos - lineStart(body, pos) }
