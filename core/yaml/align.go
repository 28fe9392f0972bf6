package yaml

import (
	"slices"
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

const byteOrderMark = "\uFEFF"

// aligner lays the library's tree over the text it was read from. The library
// says what there is and in which order; where each thing starts and ends is
// found by walking the text along with the tree. Its own line and column
// numbers are not used: they give starts only, and count lines that editors do
// not have.
type aligner struct {
	source    string
	body      string // what the library read: the source, or something of the same length
	pos       int    // everything before is accounted for
	sanitizer *sanitizer
	flowDepth int // how many brackets are open
	comments  []Comment
	problems  []Problem
	arena     arena
}

// alignNode places n, which starts at or after pos. column is that of the innermost
// block collection around it, -1 at the root.
func (a *aligner) alignNode(n *library.Node, column int) *Node {
	out := a.arena.newNode(len(a.body) - a.pos)
	out.Tag, out.Tagged = n.Tag, n.Style&library.TaggedStyle != 0 || n.Tag == "!"
	a.alignProperties(n, out)
	switch n.Kind {
	case library.MappingNode:
		out.Kind = Mapping
		a.alignMapping(n, out, column)
		out.Tag = tagOrDefault(n.Tag, TagMap)
	case library.SequenceNode:
		out.Kind = Sequence
		a.alignSequence(n, out, column)
		out.Tag = tagOrDefault(n.Tag, TagSeq)
	case library.AliasNode:
		out.Kind, out.Value = Alias, n.Value
		a.skipTrivia()
		out.Span = a.advance(len("*") + len(n.Value))
	default:
		a.alignScalar(n, out, column)
	}
	return out
}

func tagOrDefault(tag, fallback string) string {
	if tag == "" || tag == "!" {
		return fallback
	}
	return tag
}

// alignProperties consumes n's anchor and tag, in either order.
func (a *aligner) alignProperties(n *library.Node, out *Node) {
	out.Anchor = n.Anchor
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
	out.Items = slices.Grow(out.Items, len(n.Content))
	if n.Style&library.FlowStyle == 0 {
		out.Style = Block
		column := a.columnOf(start)
		for _, child := range n.Content {
			a.skipTrivia()
			a.advance(len("-"))
			a.addItem(out, a.alignNode(child, column))
		}
		out.Span = text.Span{Start: start, End: a.pos}
		return
	}
	out.Style = Flow
	a.openFlow()
	for _, child := range n.Content {
		a.skipCommas()
		a.addItem(out, a.alignNode(child, parentColumn))
	}
	out.Span = a.closeFlow(start, parentColumn)
}

// openFlow and close consume brackets.
func (a *aligner) openFlow() {
	a.flowDepth++
	a.advance(1)
}

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

func (a *aligner) addItem(out, item *Node) {
	item.Parent, item.Index = out, len(out.Items)
	out.Items = append(out.Items, item)
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
		column = a.columnOf(start)
	}
	if bracketed {
		a.openFlow()
	}
	out.Pairs = slices.Grow(out.Pairs, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		a.alignPair(n.Content[i], n.Content[i+1], out, column)
	}
	out.Span = text.Span{Start: start, End: a.pos}
	if bracketed {
		out.Span = a.closeFlow(start, parentColumn)
	}
}

// isLonePair tells `[{a: b}: c]` from `[{a: b}]`: the mapping of a lone pair
// begins where its key does.
func isLonePair(n *library.Node) bool {
	return len(n.Content) > 0 && n.Content[0].Line == n.Line && n.Content[0].Column == n.Column
}

func (a *aligner) alignPair(key, value *library.Node, out *Node, column int) {
	if out.Style == Flow {
		a.skipCommas()
	} else {
		a.skipTrivia()
	}
	if a.byteAt(a.pos) == '?' && a.isSeparated(a.pos+1, out.Style) {
		a.advance(len("?"))
	}
	p := a.arena.newPair(a.alignNode(key, column), nil, len(a.body)-a.pos)
	if colon := a.tokenStart(); a.byteAt(colon) == ':' && (out.Style == Flow || a.isSeparated(colon+1, Block)) {
		a.skipTrivia()
		a.advance(len(":"))
	}
	p.Value = a.alignNode(value, column)
	for _, n := range []*Node{p.Key, p.Value} {
		n.Parent, n.Index = out, len(out.Pairs)
	}
	p.Value.Key = p
	out.Pairs = append(out.Pairs, p)
}
