package yaml

import (
	"sort"

	"github.com/rubric-ls/rubric/core/text"
)

// markRecovered marks the nodes that what was lost, in order, would have
// belonged to.
func markRecovered(body string, docs []*Document, lost []text.Span) {
	for _, doc := range docs {
		from := sort.Search(len(lost), func(i int) bool { return lost[i].Start >= doc.Span.Start })
		to := sort.Search(len(lost), func(i int) bool { return lost[i].Start >= doc.Span.End })
		if from < to {
			markDocument(body, doc.Root, lost[from:to])
		}
	}
}

func markDocument(body string, root *Node, lost []text.Span) {
	var nodes []*Node // in order of place
	Walk(root, func(n *Node) bool { nodes = append(nodes, n); return true })
	for _, span := range lost {
		next := sort.Search(len(nodes), func(i int) bool { return nodes[i].Span.Start > span.Start })
		ownerOf(body, nodes[max(next-1, 0)], span).Recovered = true
	}
}

// ownerOf is the absent value that lost would have been, if that is the node
// before it, or else the innermost collection around that node in which lost
// stood, by place or by indentation.
func ownerOf(body string, before *Node, lost text.Span) *Node {
	if before.Kind == Scalar && before.Span.Empty() && skipBlanks(body, before.Span.Start) == lost.Start {
		return before
	}
	column := lost.Start - lineStart(body, lost.Start)
	n := before
	for n.Parent != nil && !(n.Span.Contains(lost) || n.Style == Block && n.Span.Start-lineStart(body, n.Span.Start) <= column) {
		n = n.Parent
	}
	return n
}
