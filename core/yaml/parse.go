package yaml

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/text"
)

// MaxBytes is the largest text that is read.
const MaxBytes = 64 << 20

// Parse reads all documents of src.
func Parse(src *text.Source) *Tree { return parseTree(&Tree{Source: src}, text.Span{}, false) }

// ParseChunk reads a part of a file. Aliases in it lead to anchors that stand
// before it, by their names, too.
func ParseChunk(src *text.Source, before map[string]*Node) *Tree {
	return parseTree(&Tree{Source: src, anchorsBefore: before}, text.Span{}, false)
}

// ParseEdited reads all documents of src, of which the text inside edited has
// just changed. If src is broken, that is where the fault is looked for first,
// so that a line being typed costs only itself.
func ParseEdited(src *text.Source, edited text.Span) *Tree {
	return parseTree(&Tree{Source: src}, edited, true)
}

func parseTree(t *Tree, edited text.Span, hinted bool) *Tree {
	if asJSON, _ := ParseJSON(t.Source); asJSON != nil {
		return asJSON
	}
	body, s := t.prepareText()
	if t.Docs != nil {
		return t
	}
	if s == nil && t.parseBlock() {
		return t
	}
	r := loadOrRecover(body, edited, hinted)
	a := &aligner{source: t.Source.Body, body: r.body, sanitizer: s}
	for _, doc := range r.docs {
		t.Docs = append(t.Docs, a.alignDocument(doc))
	}
	a.finishTree(t)
	t.Problems = append(t.Problems, r.problems...)
	t.checkDocuments(r.lost)
	return t
}

// prepareText is the text to read the documents from, which is disguised where the
// library would stumble over it. A tree that has a document already is done: its
// text is not worth reading.
func (t *Tree) prepareText() (body string, s *sanitizer) {
	if t.rejectUnreadable() {
		return "", nil
	}
	if s = sanitize(t.Source.Body); s == nil {
		return t.Source.Body, nil
	}
	t.Problems = append(t.Problems, s.problems...)
	return s.body, s
}

// rejectUnreadable gives an empty tree to a text that is not worth reading.
func (t *Tree) rejectUnreadable() bool {
	body := t.Source.Body
	switch {
	case len(body) > MaxBytes:
		t.Problems = []Problem{{Kind: TooLargeProblem, Span: t.Source.LineSpan(0),
			Message: fmt.Sprintf("a text of %d MiB is not read, the limit is %d MiB", len(body)>>20, MaxBytes>>20)}}
	case len(body) >= 2 && (body[:2] == "\xff\xfe" || body[:2] == "\xfe\xff"):
		t.Problems = []Problem{{Kind: EncodingProblem, Span: t.Source.LineSpan(0),
			Message: "this text is encoded as UTF-16, save it as UTF-8"}}
	default:
		return false
	}
	t.Docs = []*Document{emptyDocument(t.Source.Whole())}
	return true
}

func emptyDocument(span text.Span) *Document {
	return &Document{Root: &Node{Tag: TagNull, Span: text.Span{Start: span.Start, End: span.Start}}, Span: span}
}

// checkDocuments checks what needs the whole tree and puts the problems in order.
func (t *Tree) checkDocuments(lost []text.Span) {
	for _, doc := range t.Docs {
		t.checkDocument(doc)
	}
	markRecovered(t.Source.Body, t.Docs, lost)
	t.sortProblems()
}

// checkDocument notes what the grammar allows in a document and nobody wants.
func (t *Tree) checkDocument(doc *Document) {
	c := &checker{tree: t, anchors: map[string]*Node{}}
	maps.Copy(c.anchors, t.anchorsBefore)
	c.checkNode(doc.Root)
	c.checkExpansion(doc.Root)
}

// sortProblems puts the problems in order of place.
func (t *Tree) sortProblems() {
	slices.SortStableFunc(t.Problems, func(a, b Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}
