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
func Parse(src *text.Source) *Tree { return parse(&Tree{Source: src}, text.Span{}, false) }

// ParsePart reads a part of a file. Aliases in it lead to anchors that stand
// before it, by their names, too.
func ParsePart(src *text.Source, before map[string]*Node) *Tree {
	return parse(&Tree{Source: src, before: before}, text.Span{}, false)
}

// ParseEdited reads all documents of src, of which the text inside edited has
// just changed. If src is broken, that is where the fault is looked for first,
// so that a line being typed costs only itself.
func ParseEdited(src *text.Source, edited text.Span) *Tree {
	return parse(&Tree{Source: src}, edited, true)
}

func parse(t *Tree, edited text.Span, hinted bool) *Tree {
	if asJSON, _ := ParseJSON(t.Source); asJSON != nil {
		return asJSON
	}
	body, d := t.begin()
	if t.Docs != nil {
		return t
	}
	if d == nil && t.asBlock() {
		return t
	}
	r := read(body, edited, hinted)
	a := &aligner{source: t.Source.Body, body: r.body, disguise: d}
	for _, doc := range r.docs {
		t.Docs = append(t.Docs, a.document(doc))
	}
	a.finish(t)
	t.Problems = append(t.Problems, r.problems...)
	t.settle(r.lost)
	return t
}

// begin is the text to read the documents from, which is disguised where the
// library would stumble over it. A tree that has a document already is done: its
// text is not worth reading.
func (t *Tree) begin() (body string, d *disguise) {
	if t.refuse() {
		return "", nil
	}
	if d = disguiseOf(t.Source.Body); d == nil {
		return t.Source.Body, nil
	}
	t.Problems = append(t.Problems, d.problems...)
	return d.body, d
}

// refuse gives an empty tree to a text that is not worth reading.
func (t *Tree) refuse() bool {
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

// settle checks what needs the whole tree and puts the problems in order.
func (t *Tree) settle(lost []text.Span) {
	for _, doc := range t.Docs {
		t.check(doc)
	}
	markRecovered(t.Source.Body, t.Docs, lost)
	t.inOrder()
}

// check notes what the grammar allows in a document and nobody wants.
func (t *Tree) check(doc *Document) {
	c := &checker{tree: t, anchors: map[string]*Node{}}
	maps.Copy(c.anchors, t.before)
	c.node(doc.Root)
	c.expansion(doc.Root)
}

// inOrder puts the problems in order of place.
func (t *Tree) inOrder() {
	slices.SortStableFunc(t.Problems, func(a, b Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}
