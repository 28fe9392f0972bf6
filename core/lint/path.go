package lint

import (
	"sort"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// pathAt is the dotted path of what a span covers: of the outermost value with
// exactly that span, of a key, or of the innermost value around it.
func pathAt(tree *yaml.Tree, span text.Span) string {
	n := tree.DocumentAt(span.Start).Root
	for n.Span != span {
		child, key := childAt(n, span)
		if key != nil {
			return key.Value.Path()
		}
		if child == nil {
			break
		}
		n = child
	}
	return n.Path()
}

// childAt is the child of n that holds span, or the pair whose key does. Children
// stand in the order of the text.
func childAt(n *yaml.Node, span text.Span) (child *yaml.Node, key *yaml.Pair) {
	after := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].Span.Start > span.Start })
	if after > 0 && n.Items[after-1].Span.Contains(span) {
		return n.Items[after-1], nil
	}
	after = sort.Search(len(n.Pairs), func(i int) bool { return n.Pairs[i].Key.Span.Start > span.Start })
	if after == 0 {
		return nil, nil
	}
	switch p := n.Pairs[after-1]; {
	case p.Key.Span.Contains(span):
		return nil, p
	case p.Value.Span.Contains(span):
		return p.Value, nil
	}
	return nil, nil
}
