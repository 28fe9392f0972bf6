package yaml_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func hasProblem(tree *yaml.Tree, kind yaml.ProblemKind) bool {
	for _, p := range tree.Problems {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

// nest fails the test unless all spans lie inside the text and inside one
// another, in order.
func nest(t testing.TB, tree *yaml.Tree) {
	t.Helper()
	whole := tree.Source.Whole()
	check := func(what string, outer, inner text.Span) {
		if inner.Start > inner.End || !outer.Contains(inner) {
			t.Fatalf("%s %v leaves %v", what, inner, outer)
		}
	}
	if len(tree.Docs) == 0 {
		t.Fatal("no document")
	}
	for _, doc := range tree.Docs {
		check("document", whole, doc.Span)
		check("root", doc.Span, doc.Root.Span)
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			pos := n.Span.Start
			for _, item := range n.Items {
				check("item", text.Span{Start: pos, End: n.Span.End}, item.Span)
				pos = item.Span.End
			}
			for _, p := range n.Pairs {
				check("key", text.Span{Start: pos, End: n.Span.End}, p.Key.Span)
				check("value", text.Span{Start: p.Key.Span.End, End: n.Span.End}, p.Value.Span)
				pos = p.Value.Span.End
			}
			if !n.Props.Empty() {
				check("properties", text.Span{Start: doc.Span.Start, End: n.Span.Start}, n.Props)
			}
			return true
		})
	}
	for _, c := range tree.Comments {
		check("comment", whole, c.Span)
		if tree.Source.Body[c.Span.Start] != '#' {
			t.Fatalf("comment %q", tree.Source.Slice(c.Span))
		}
	}
	last := 0
	for _, p := range tree.Problems {
		check("problem "+p.Message, whole, p.Span)
		check("note of "+p.Message, whole, p.Note)
		if p.Message == "" || p.Span.Start < last {
			t.Fatalf("problem %v is out of order", p)
		}
		last = p.Span.Start
	}
}
