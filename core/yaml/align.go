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
	source   string
	body     string // what the library read: the source, or something of the same length
	pos      int    // everything before is accounted for
	disguise *disguise
	flow     int // how many brackets are open
	comments []Comment
	problems []Problem
	made     slab
}

// node places n, which starts at or after pos. column is that of the innermost
// block collection around it, -1 at the root.
func (a *aligner) node(n *library.Node, column int) *Node {
	out := a.made.node(len(a.body) - a.pos)
	out.Tag, out.Tagged = n.Tag, n.Style&library.TaggedStyle != 0 || n.Tag == "!"
	a.properties(n, out)
	switch n.Kind {
	case library.MappingNode:
		out.Kind = Mapping
		a.mapping(n, out, column)
		out.Tag = orDefault(n.Tag, TagMap)
	case library.SequenceNode:
		out.Kind = Sequence
		a.sequence(n, out, column)
		out.Tag = orDefault(n.Tag, TagSeq)
	case library.AliasNode:
		out.Kind, out.Value = Alias, n.Value
		a.skip()
		out.Span = a.advance(len("*") + len(n.Value))
	default:
		a.scalar(n, out, column)
	}
	return out
}

func orDefault(tag, fallback string) string {
	if tag == "" || tag == "!" {
		return fallback
	}
	return tag
}

// properties consumes n's anchor and tag, in either order.
func (a *aligner) properties(n *library.Node, out *Node) {
	out.Anchor = n.Anchor
	wantAnchor, wantTag := n.Anchor != "", out.Tagged
	for wantAnchor || wantTag {
		at := a.peek()
		var length int
		switch {
		case wantAnchor && a.at(at) == '&':
			wantAnchor = false
			length = len("&") + len(n.Anchor)
		case wantTag && a.at(at) == '!':
			wantTag = false
			length = a.tagLength(at)
		default:
			return
		}
		a.skip()
		span := a.advance(length)
		if out.Props.Empty() {
			out.Props = span
		}
		out.Props = out.Props.Cover(span)
	}
}

func (a *aligner) tagLength(at int) int {
	rest := a.body[at:]
	if strings.HasPrefix(rest, "!<") {
		return strings.IndexByte(rest+">", '>') + 1
	}
	if end := strings.IndexAny(rest, " \t\r\n,[]{}"); end >= 0 {
		return end
	}
	return len(rest)
}

func (a *aligner) sequence(n *library.Node, out *Node, around int) {
	a.skip()
	start := a.pos
	out.Items = slices.Grow(out.Items, len(n.Content))
	if n.Style&library.FlowStyle == 0 {
		out.Style = Block
		column := a.column(start)
		for _, child := range n.Content {
			a.skip()
			a.advance(len("-"))
			a.addItem(out, a.node(child, column))
		}
		out.Span = text.Span{Start: start, End: a.pos}
		return
	}
	out.Style = Flow
	a.open()
	for _, child := range n.Content {
		a.skipCommas()
		a.addItem(out, a.node(child, around))
	}
	out.Span = a.close(start, around)
}

// open and close consume brackets.
func (a *aligner) open() {
	a.flow++
	a.advance(1)
}

func (a *aligner) close(start, around int) text.Span {
	a.skipCommas()
	a.advance(1)
	a.flow--
	span := text.Span{Start: start, End: a.pos}
	if a.flow == 0 {
		a.continuation(span, around)
	}
	return span
}

func (a *aligner) addItem(out, item *Node) {
	item.Parent, item.Index = out, len(out.Items)
	out.Items = append(out.Items, item)
}

func (a *aligner) mapping(n *library.Node, out *Node, around int) {
	a.skip()
	start := a.pos
	column, bracketed := around, false
	if n.Style&library.FlowStyle != 0 {
		out.Style = Flow
		bracketed = a.at(start) == '{' && !isLonePair(n)
	} else {
		out.Style = Block
		column = a.column(start)
	}
	if bracketed {
		a.open()
	}
	out.Pairs = slices.Grow(out.Pairs, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		a.pair(n.Content[i], n.Content[i+1], out, column)
	}
	out.Span = text.Span{Start: start, End: a.pos}
	if bracketed {
		out.Span = a.close(start, around)
	}
}

// isLonePair tells `[{a: b}: c]` from `[{a: b}]`: the mapping of a lone pair
// begins where its key does.
func isLonePair(n *library.Node) bool {
	return len(n.Content) > 0 && n.Content[0].Line == n.Line && n.Content[0].Column == n.Column
}

func (a *aligner) pair(key, value *library.Node, out *Node, column int) {
	if out.Style == Flow {
		a.skipCommas()
	} else {
		a.skip()
	}
	if a.at(a.pos) == '?' && a.separated(a.pos+1, out.Style) {
		a.advance(len("?"))
	}
	p := a.made.newPair(a.node(key, column), nil, len(a.body)-a.pos)
	if colon := a.peek(); a.at(colon) == ':' && (out.Style == Flow || a.separated(colon+1, Block)) {
		a.skip()
		a.advance(len(":"))
	}
	p.Value = a.node(value, column)
	for _, n := range []*Node{p.Key, p.Value} {
		n.Parent, n.Index = out, len(out.Pairs)
	}
	p.Value.Key = p
	out.Pairs = append(out.Pairs, p)
}
