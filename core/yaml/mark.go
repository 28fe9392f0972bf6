package yaml

import "github.com/rubric-ls/rubric/core/text"

// markRecovered marks the nodes that what was lost would have belonged to.
func markRecovered(body string, doc *Document, lost []text.Span) {
	for _, span := range lost {
		if doc.Span.Contains(span) {
			ownerOf(body, doc.Root, span).Recovered = true
		}
	}
}

// ownerOf is the absent value that lost would have been, or else the innermost
// collection that it stood in, by place and by indentation.
func ownerOf(body string, root *Node, lost text.Span) *Node {
	column := lost.Start - lineStart(body, lost.Start)
	var owner *Node
	Walk(root, func(n *Node) bool {
		if n.Span.Start > lost.Start {
			return false
		}
		switch {
		case n.Kind == Scalar && n.Span.Empty() && skipBlanks(body, n.Span.Start) == lost.Start:
			owner = n
		case n.Kind == Mapping || n.Kind == Sequence:
			if n.Span.Contains(lost) || n.Style == Block && n.Span.Start-lineStart(body, n.Span.Start) <= column {
				owner = n
			}
		}
		return true
	})
	if owner == nil {
		return root
	}
	return owner
}
