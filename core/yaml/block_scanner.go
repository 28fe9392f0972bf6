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
	if len(src.Body) > MaxBytes || !isClean(src.Body) {
		return nil
	}
	t := &Tree{Source: src}
	if !t.parseBlock() {
		return nil
	}
	return t
}

// parseBlock is [ParseBlock] of a text that needs no disguise. Without success the tree
// stays as it was.
func (t *Tree) parseBlock() bool {
	body := t.Source.Body
	if strings.ContainsAny(body, "\t\r") || strings.Contains(body, byteOrderMark) {
		return false
	}
	b := blockScanner{jsonScanner: jsonScanner{body: body, items: make([]*Node, 0, initialCapacity), pairs: make([]*Pair, 0, initialCapacity)}}
	if !b.advanceLine() || b.column < 0 {
		return false
	}
	root := b.parseContent(-1, b.column)
	if root == nil || root.Style != Block || b.column >= 0 {
		return false
	}
	t.Docs = []*Document{{Root: root, Span: t.Source.Whole()}}
	b.reportDuplicates(t)
	return true
}

// initialCapacity is how many items and pairs of open collections there is room for at first.
const initialCapacity = 16

// blockScanner reads what stands by indentation. Where a text is anything else it gives nil,
// as the scanner does.
type blockScanner struct {
	jsonScanner
	column int // of what stands at the scanner's place, on a line of its own; -1 at the text's end
}

// advanceLine goes from the end of a value to the next line that holds something. False if
// something else follows on the value's line, or a comment, or a document's mark.
func (b *blockScanner) advanceLine() bool {
	start := b.pos
	for pos := b.pos; ; pos++ {
		for pos < len(b.body) && b.body[pos] == ' ' {
			pos++
		}
		if pos == len(b.body) {
			b.pos, b.column = pos, -1
			return true
		}
		if b.body[pos] != '\n' {
			if start > 0 && b.body[start-1] != '\n' {
				return false
			}
			b.pos, b.column = pos, pos-start
			return b.body[pos] != '#' && (b.column > 0 || !isDocumentMark(b.body, pos))
		}
		start = pos + 1
	}
}

// parseContent is what stands here, at a column of its own inside of a collection at another.
func (b *blockScanner) parseContent(parentColumn, column int) *Node {
	if b.isAtDash() {
		return b.parseBlockSequence(column)
	}
	if b.keyColon() > 0 {
		return b.parseBlockMapping(column)
	}
	return b.parseInline(parentColumn)
}

func (b *blockScanner) isAtDash() bool { return b.body[b.pos] == '-' && b.isSeparatedAt(b.pos+1) }

// isSeparatedAt reports whether an indicator before at stands alone.
func (b *blockScanner) isSeparatedAt(pos int) bool {
	return pos >= len(b.body) || b.body[pos] == ' ' || b.body[pos] == '\n'
}

// maxBlockDepth is how deep collections are read here: no deeper than a person would write.
const maxBlockDepth = 100

func (b *blockScanner) openCollection(kind Kind, tag string) *Node {
	if b.depth++; b.depth > maxBlockDepth {
		return nil
	}
	out := b.newNode(len(b.body) - b.pos)
	out.Kind, out.Style, out.Tag, out.Span.Start = kind, Block, tag, b.pos
	return out
}

func (b *blockScanner) parseBlockSequence(column int) *Node {
	out := b.openCollection(Sequence, TagSeq)
	if out == nil {
		return nil
	}
	first := len(b.items)
	for b.column = column; b.column == column && b.isAtDash(); {
		item := b.parseItem(column)
		if item == nil {
			return nil
		}
		b.addItem(item, out, first)
		out.Span.End = item.Span.End
	}
	out.Items = b.copyItems(b.items[first:])
	b.items = b.items[:first]
	b.depth--
	return out
}

// parseItem is what stands behind a dash, or below.
func (b *blockScanner) parseItem(column int) *Node {
	dash := b.pos
	b.pos++
	for b.pos < len(b.body) && b.body[b.pos] == ' ' {
		b.pos++
	}
	if b.pos < len(b.body) && b.body[b.pos] != '\n' {
		return b.parseContent(column, column+b.pos-dash)
	}
	return b.parseBelow(column, dash+1, false)
}

func (b *blockScanner) parseBlockMapping(column int) *Node {
	out := b.openCollection(Mapping, TagMap)
	if out == nil {
		return nil
	}
	first := len(b.pairs)
	for b.column = column; b.column == column; {
		p := b.parseEntry(column)
		if p == nil {
			return nil
		}
		p.Key.Parent, p.Key.Index = out, len(b.pairs)-first
		p.Value.Parent, p.Value.Index, p.Value.Key = out, len(b.pairs)-first, p
		b.pairs = append(b.pairs, p)
		out.Span.End = p.Value.Span.End
	}
	out.Pairs = b.copyPairs(b.pairs[first:])
	b.pairs = b.pairs[:first]
	if mayHaveDuplicates(out) {
		b.duplicateSuspects = append(b.duplicateSuspects, out)
	}
	b.depth--
	return out
}

// parseEntry is a key and what stands behind its colon, or below.
func (b *blockScanner) parseEntry(column int) *Pair {
	colon := b.keyColon()
	if colon == 0 {
		return nil
	}
	key := b.plainScalar(strings.TrimRight(b.body[b.pos:colon], " "))
	if key.Value == "<<" {
		return nil
	}
	p := b.newPair(key, nil, len(b.body)-b.pos)
	for b.pos = colon + 1; b.pos < len(b.body) && b.body[b.pos] == ' '; {
		b.pos++
	}
	if b.pos < len(b.body) && b.body[b.pos] != '\n' {
		p.Value = b.parseInline(column)
	} else {
		p.Value = b.parseBelow(column, colon+1, true)
	}
	if p.Value == nil {
		return nil
	}
	return p
}

// parseBelow is what stands below the line that ends here, deeper than a column or, if that
// is a key's, as a list at the same; nothing, at caret, if nothing does.
func (b *blockScanner) parseBelow(column, caret int, ofKey bool) *Node {
	if !b.advanceLine() {
		return nil
	}
	if b.column > column || ofKey && b.column == column && b.isAtDash() {
		return b.parseContent(column, b.column)
	}
	n := b.newNode(len(b.body) - b.pos)
	n.Tag, n.Span.Start, n.Span.End = TagNull, caret, caret
	return n
}
