package lint

import (
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// pathAt is the dotted path of what a span covers: of the outermost value with
// exactly that span, of a key, or of the innermost value around it.
func pathAt(tree *yaml.Tree, span text.Span) string {
	n := tree.Document(span.Start).Root
	for n.Span != span {
		child, key := within(n, span)
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

// within is the child of n that holds span, or the pair whose key does.
func within(n *yaml.Node, span text.Span) (child *yaml.Node, key *yaml.Pair) {
	for _, item := range n.Items {
		if item.Span.Contains(span) {
			return item, nil
		}
	}
	for _, p := range n.Pairs {
		switch {
		case p.Key.Span.Contains(span):
			return nil, p
		case p.Value.Span.Contains(span):
			return p.Value, nil
		}
	}
	return nil, nil
}
