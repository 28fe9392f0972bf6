package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// alignDocument places the next document: directives, `---`, the root, `...`.
// Spans of documents touch, so that every offset is inside one.
func (a *aligner) alignDocument(n *library.Node) *Document {
	doc := &Document{Span: text.Span{Start: a.pos}}
	if a.pos > 0 {
		doc.Span.Start = a.tokenStart()
	}
	a.skipTrivia()
	for a.byteAt(a.pos) == '%' || a.isAtMark("...") {
		if a.byteAt(a.pos) == '%' {
			a.pos = lineEnd(a.body, a.pos)
		} else {
			a.advance(len("..."))
		}
		a.skipTrivia()
	}
	if a.isAtMark("---") {
		doc.ExplicitStart = true
		a.advance(len("---"))
	}
	if len(n.Content) > 0 {
		doc.Root = a.alignNode(n.Content[0], -1)
	} else {
		doc.Root = emptyDocument(text.Span{Start: a.pos}).Root
	}
	if end := a.tokenStart(); isDocumentMarkAt(a.body, end, "...") {
		doc.ExplicitEnd = true
		a.skipTrivia()
		a.advance(len("..."))
	}
	doc.Span.End = a.pos
	return doc
}

// finishTree collects the comments after the last document and makes the
// documents' spans meet.
func (a *aligner) finishTree(t *Tree) {
	for a.skipTrivia(); a.isAtMark("...") || a.byteAt(a.pos) == '%'; a.skipTrivia() {
		a.pos = lineEnd(a.body, a.pos)
	}
	if len(t.Docs) == 0 {
		t.Docs = []*Document{emptyDocument(text.Span{Start: 0, End: len(a.body)})}
	}
	for i := 1; i < len(t.Docs); i++ {
		t.Docs[i-1].Span.End = t.Docs[i].Span.Start
	}
	t.Docs[0].Span.Start = 0
	t.Docs[len(t.Docs)-1].Span.End = len(a.body)
	t.Comments = append(t.Comments, a.comments...)
	t.Problems = append(t.Problems, a.problems...)
}

func (a *aligner) isAtMark(mark string) bool { return isDocumentMarkAt(a.body, a.pos, mark) }

func isDocumentMarkAt(body string, pos int, mark string) bool {
	return strings.HasPrefix(body[pos:], mark) && lineStart(body, pos) == pos && isDocumentMark(body, pos)
}
