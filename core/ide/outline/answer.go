package outline

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the symbols of a file that touch a span, as a flat list for clients without tree
// support.
func InRange(f *ide.File, within text.Span) any {
	if f.Client.HasSymbolTree {
		return Tree(f, within)
	}
	flat := []ide.SymbolInformation{}
	var ancestors []string // names of the enclosing symbols
	for depth, s := range visitOutline(f.Analysis, within) {
		container := ""
		if depth > 0 {
			container = ancestors[depth-1]
		}
		flat = append(flat, s.information(f, container))
		ancestors = append(ancestors[:depth], s.Name)
	}
	return flat
}

// Tree returns the symbols of a file that touch a span, as a tree.
func Tree(f *ide.File, within text.Span) []ide.DocumentSymbol {
	root := ide.DocumentSymbol{Children: []ide.DocumentSymbol{}}
	path := []*ide.DocumentSymbol{&root} // to the last symbol, from the root
	for depth, s := range visitOutline(f.Analysis, within) {
		parent := path[depth]
		parent.Children = append(parent.Children, ide.DocumentSymbol{
			Name: s.Name, Detail: s.Detail, Kind: s.Kind.LSPKind(), Range: f.SpanRange(s.Span), SelectionRange: f.SpanRange(s.NameSpan),
		})
		path = append(path[:depth+1], &parent.Children[len(parent.Children)-1])
	}
	return root.Children
}
