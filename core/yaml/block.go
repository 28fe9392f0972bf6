package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// ParseBlock reads src if it is YAML as most of it is written: mappings and lists by
// indentation, of values that stand on one line or are literal blocks. The tree is the
// one that [Parse] gives, several times as fast; nil if the text is anything else, or has
// a comment or whatever there is something to be said about.
func ParseBlock(src *text.Source) *Tree {
	if len(src.Body) > MaxBytes || !isOrdinary(src.Body) {
		return nil
	}
	t := &Tree{Source: src}
	if !t.asBlock() {
		return nil
	}
	return t
}

// asBlock is [ParseBlock] of a text that needs no disguise. Without success the tree
// stays as it was.
func (t *Tree) asBlock() bool {
	body := t.Source.Body
	if strings.ContainsAny(body, "\t\r") || strings.Contains(body, byteOrderMark) {
		return false
	}
	b := block{scanner: scanner{body: body, items: make([]*Node, 0, usual), pairs: make([]*Pair, 0, usual)}}
	if !b.next() || b.column < 0 {
		return false
	}
	root := b.content(-1, b.column)
	if root == nil || root.Style != Block || b.column >= 0 {
		return false
	}
	t.Docs = []*Document{{Root: root, Span: t.Source.Whole()}}
	b.settle(t)
	return true
}

// usual is how many items and pairs of open collections there is room for at first.
const usual = 16

// block reads what stands by indentation. Where a text is anything else it gives nil,
// as the scanner does.
type block struct {
	scanner
	column int // of what stands at the scanner's place, on a line of its own; -1 at the text's end
}

// next goes from the end of a value to the next line that holds something. False if
// something else follows on the value's line, or a comment, or a document's mark.
func (b *block) next() bool {
	start := b.at
	for at := b.at; ; at++ {
		for at < len(b.body) && b.body[at] == ' ' {
			at++
		}
		if at == len(b.body) {
			b.at, b.column = at, -1
			return true
		}
		if b.body[at] != '\n' {
			if start > 0 && b.body[start-1] != '\n' {
				return false
			}
			b.at, b.column = at, at-start
			return b.body[at] != '#' && (b.column > 0 || !isDocumentMark(b.body, at))
		}
		start = at + 1
	}
}

// content is what stands here, at a column of its own inside of a collection at another.
func (b *block) content(around, column int) *Node {
	if b.isDash() {
		return b.list(column)
	}
	if b.colon() > 0 {
		return b.keyed(column)
	}
	return b.inline(around)
}

func (b *block) isDash() bool { return b.body[b.at] == '-' && b.isEnd(b.at+1) }

// isEnd reports whether an indicator before at stands alone.
func (b *block) isEnd(at int) bool {
	return at >= len(b.body) || b.body[at] == ' ' || b.body[at] == '\n'
}

// deepest is how deep collections are read here: no deeper than a person would write.
const deepest = 100

func (b *block) open(kind Kind, tag string) *Node {
	if b.depth++; b.depth > deepest {
		return nil
	}
	out := b.node(len(b.body) - b.at)
	out.Kind, out.Style, out.Tag, out.Span.Start = kind, Block, tag, b.at
	return out
}

func (b *block) list(column int) *Node {
	out := b.open(Sequence, TagSeq)
	if out == nil {
		return nil
	}
	first := len(b.items)
	for b.column = column; b.column == column && b.isDash(); {
		item := b.item(column)
		if item == nil {
			return nil
		}
		b.add(item, out, first)
		out.Span.End = item.Span.End
	}
	out.Items = b.listItems(b.items[first:])
	b.items = b.items[:first]
	b.depth--
	return out
}

// item is what stands behind a dash, or below.
func (b *block) item(column int) *Node {
	dash := b.at
	b.at++
	for b.at < len(b.body) && b.body[b.at] == ' ' {
		b.at++
	}
	if b.at < len(b.body) && b.body[b.at] != '\n' {
		return b.content(column, column+b.at-dash)
	}
	return b.below(column, dash+1, false)
}

func (b *block) keyed(column int) *Node {
	out := b.open(Mapping, TagMap)
	if out == nil {
		return nil
	}
	first := len(b.pairs)
	for b.column = column; b.column == column; {
		p := b.entry(column)
		if p == nil {
			return nil
		}
		p.Key.Parent, p.Key.Index = out, len(b.pairs)-first
		p.Value.Parent, p.Value.Index, p.Value.Key = out, len(b.pairs)-first, p
		b.pairs = append(b.pairs, p)
		out.Span.End = p.Value.Span.End
	}
	out.Pairs = b.listPairs(b.pairs[first:])
	b.pairs = b.pairs[:first]
	if mayRepeat(out) {
		b.suspects = append(b.suspects, out)
	}
	b.depth--
	return out
}

// entry is a key and what stands behind its colon, or below.
func (b *block) entry(column int) *Pair {
	colon := b.colon()
	if colon == 0 {
		return nil
	}
	key := b.bare(strings.TrimRight(b.body[b.at:colon], " "))
	if key.Value == "<<" {
		return nil
	}
	p := b.newPair(key, nil, len(b.body)-b.at)
	for b.at = colon + 1; b.at < len(b.body) && b.body[b.at] == ' '; {
		b.at++
	}
	if b.at < len(b.body) && b.body[b.at] != '\n' {
		p.Value = b.inline(column)
	} else {
		p.Value = b.below(column, colon+1, true)
	}
	if p.Value == nil {
		return nil
	}
	return p
}

// below is what stands below the line that ends here, deeper than a column or, if that
// is a key's, as a list at the same; nothing, at caret, if nothing does.
func (b *block) below(column, caret int, ofKey bool) *Node {
	if !b.next() {
		return nil
	}
	if b.column > column || ofKey && b.column == column && b.isDash() {
		return b.content(column, b.column)
	}
	n := b.node(len(b.body) - b.at)
	n.Tag, n.Span.Start, n.Span.End = TagNull, caret, caret
	return n
}
