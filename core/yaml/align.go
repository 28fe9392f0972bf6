package yaml

import (
	"cmp"
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// An aligner lays the library's tree over the text. The library says which nodes exist and in which
// order. The aligner finds where each one starts and ends by walking the text along with the tree.
// It ignores the library's line and column numbers: they give starts only, and count line breaks
// that editors do not have.
type aligner struct {
	source    string
	body      string // the text that the library read, as long as source
	pos       int    // everything before pos is accounted for
	sanitizer *sanitizer
	flowDepth int // number of open brackets
	comments  []Comment
	problems  []Problem
}

// alignNode places n, which starts at or after pos. column is the column of the innermost block
// collection around n, -1 at the root.
func (a *aligner) alignNode(n *library.Node, column int) *Node {
	out := &Node{}
	out.Tag, out.Tagged = n.Tag, n.Style&library.TaggedStyle != 0 || n.Tag == "!"
	if out.Anchor = n.Anchor; out.Anchor != "" || out.Tagged {
		a.alignProperties(n, out)
	}
	switch n.Kind {
	case library.MappingNode:
		out.Kind = Mapping
		a.alignMapping(n, out, column)
		out.Tag = cmp.Or(strings.TrimSuffix(n.Tag, "!"), TagMap) // the tag `!` alone names no type
	case library.SequenceNode:
		out.Kind = Sequence
		a.alignSequence(n, out, column)
		out.Tag = cmp.Or(strings.TrimSuffix(n.Tag, "!"), TagSeq)
	case library.AliasNode:
		out.Kind, out.Value = Alias, n.Value
		a.skipTrivia()
		out.Span = a.advance(len("*") + len(n.Value))
	default:
		a.alignScalar(n, out, column)
	}
	return out
}

// alignProperties consumes the anchor and the tag of n, in either order.
func (a *aligner) alignProperties(n *library.Node, out *Node) {
	wantAnchor, wantTag := n.Anchor != "", out.Tagged
	for wantAnchor || wantTag {
		pos := a.tokenStart()
		var length int
		switch {
		case wantAnchor && a.byteAt(pos) == '&':
			wantAnchor = false
			length = len("&") + len(n.Anchor)
		case wantTag && a.byteAt(pos) == '!':
			wantTag = false
			length = a.tagLength(pos)
		default:
			return
		}
		a.skipTrivia()
		span := a.advance(length)
		if out.Props.Empty() {
			out.Props = span
		}
		out.Props = out.Props.Cover(span)
	}
}

func (a *aligner) tagLength(pos int) int {
	rest := a.body[pos:]
	if strings.HasPrefix(rest, "!<") {
		return strings.IndexByte(rest+">", '>') + 1
	}
	if end := strings.IndexAny(rest, " \t\r\n,[]{}"); end >= 0 {
		return end
	}
	return len(rest)
}

func (a *aligner) alignSequence(n *library.Node, out *Node, parentColumn int) {
	a.skipTrivia()
	start := a.pos
	if n.Style&library.FlowStyle == 0 {
		out.Style = Block
		column := lines.Column(a.body, start)
		for _, child := range n.Content {
			a.skipTrivia()
			a.advance(len("-"))
			out.addItem(a.alignNode(child, column))
		}
		out.Span = text.Span{Start: start, End: a.pos}
		return
	}
	out.Style = Flow
	a.openFlow()
	for _, child := range n.Content {
		a.skipCommas()
		out.addItem(a.alignNode(child, parentColumn))
	}
	out.Span = a.closeFlow(start, parentColumn)
}

func (a *aligner) openFlow() {
	a.flowDepth++
	a.advance(1)
}

// closeFlow consumes a closing bracket and returns the span of the collection that began at start.
func (a *aligner) closeFlow(start, parentColumn int) text.Span {
	a.skipCommas()
	a.advance(1)
	a.flowDepth--
	span := text.Span{Start: start, End: a.pos}
	if a.flowDepth == 0 {
		a.checkContinuation(span, parentColumn)
	}
	return span
}

func (a *aligner) alignMapping(n *library.Node, out *Node, parentColumn int) {
	a.skipTrivia()
	start := a.pos
	column, bracketed := parentColumn, false
	if n.Style&library.FlowStyle != 0 {
		out.Style = Flow
		bracketed = a.byteAt(start) == '{' && !isLonePair(n)
	} else {
		out.Style = Block
		column = lines.Column(a.body, start)
	}
	if bracketed {
		a.openFlow()
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if out.Style == Flow {
			a.skipCommas()
		} else {
			a.skipTrivia()
		}
		if a.byteAt(a.pos) == '?' && a.isSeparated(a.pos+1) { // for the library, a bracket or comma does not end it
			a.advance(len("?"))
		}
		p := &Pair{Key: a.alignNode(n.Content[i], column)}
		if colon := a.tokenStart(); a.byteAt(colon) == ':' && (out.Style == Flow || a.isSeparated(colon+1)) {
			a.skipTrivia()
			a.advance(len(":"))
		}
		p.Value = a.alignNode(n.Content[i+1], column)
		out.addPair(p)
	}
	out.Span = text.Span{Start: start, End: a.pos}
	if bracketed {
		out.Span = a.closeFlow(start, parentColumn)
	}
}

// isLonePair distinguishes `[{a: b}: c]` from `[{a: b}]`. The implicit mapping of a lone pair
// begins where its key begins.
func isLonePair(n *library.Node) bool {
	return len(n.Content) > 0 && n.Content[0].Line == n.Line && n.Content[0].Column == n.Column
}

// alignDocument places the next document: directives, `---`, root and `...`. The spans of documents
// touch, so that every offset is inside one.
func (a *aligner) alignDocument(n *library.Node) *Document {
	doc := &Document{Span: text.Span{Start: a.pos}}
	if a.pos > 0 {
		doc.Span.Start = a.tokenStart()
	}
	a.skipTrivia()
	for a.byteAt(a.pos) == '%' || a.isMarkAt(a.pos, "...") {
		if a.byteAt(a.pos) == '%' {
			a.pos = lines.End(a.body, a.pos)
		} else {
			a.advance(len("..."))
		}
		a.skipTrivia()
	}
	if a.isMarkAt(a.pos, "---") {
		doc.ExplicitStart = true
		a.advance(len("---"))
	}
	if len(n.Content) > 0 {
		doc.Root = a.alignNode(n.Content[0], -1)
	} else {
		doc.Root = emptyDocument(text.Span{Start: a.pos}).Root
	}
	if end := a.tokenStart(); a.isMarkAt(end, "...") {
		doc.ExplicitEnd = true
		a.skipTrivia()
		a.advance(len("..."))
	}
	doc.Span.End = a.pos
	return doc
}

// finishTree collects the comments after the last document and makes the spans of documents touch.
func (a *aligner) finishTree(t *Tree) {
	for a.skipTrivia(); a.isMarkAt(a.pos, "...") || a.byteAt(a.pos) == '%'; a.skipTrivia() {
		a.pos = lines.End(a.body, a.pos)
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

// isMarkAt reports whether a document's mark, `---` or `...`, is at an offset.
func (a *aligner) isMarkAt(pos int, mark string) bool {
	return strings.HasPrefix(a.body[pos:], mark) && lines.Start(a.body, pos) == pos && lines.IsDocumentMark(a.body, pos)
}
