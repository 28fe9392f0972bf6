package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// ParseJSON reads src if it is JSON in brackets, but for commas after the last item
// or pair of a collection, which it gives too. The tree is the one that [Parse]
// gives; nil if the text is anything else, or has a tab or an invisible character
// that Parse has something to say about.
func ParseJSON(src *text.Source) (t *Tree, commas []text.Span) {
	s := jsonScanner{body: src.Body}
	if strings.HasPrefix(s.body, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	return s.buildTree(src, s.parseDocument())
}

// ParseItems is [ParseJSON] of the items of a list, whose brackets do not stand in the
// text: the root is that list, and spans all of it.
func ParseItems(src *text.Source) (t *Tree, commas []text.Span) {
	s := jsonScanner{body: src.Body}
	return s.buildTree(src, s.parseItems())
}

// buildTree is that of a text with the root that was found in it; nil without.
func (s *jsonScanner) buildTree(src *text.Source, root *Node) (t *Tree, commas []text.Span) {
	if root == nil {
		return nil, nil
	}
	t = &Tree{Source: src, Docs: []*Document{{Root: root, Span: src.Whole()}}}
	s.reportDuplicates(t)
	return t, s.commas
}

// jsonScanner reads JSON in brackets to the same nodes that the library and the aligner
// come to. Where a text is anything else, or has anything that there is something
// to be said about, it gives nil, and who has called it asks those.
type jsonScanner struct {
	arena
	body   string
	pos    int
	depth  int
	commas []text.Span // before closing brackets

	// The items and pairs so far of the collections that are open.
	items []*Node
	pairs []*Pair

	duplicateSuspects []*Node // mappings that may have a key twice
}

// reportDuplicates notes what is wrong with what was read.
func (s *jsonScanner) reportDuplicates(t *Tree) {
	c := &checker{tree: t}
	for _, n := range s.duplicateSuspects {
		c.checkDuplicates(n)
	}
	t.sortProblems()
}

// parseLine is the root of what stands in body from at on, if it is JSON to the letter.
func (s *jsonScanner) parseLine(body string, pos int) *Node {
	s.body, s.pos, s.depth, s.commas, s.items, s.pairs = body, pos, 0, nil, s.items[:0], s.pairs[:0]
	suspects := len(s.duplicateSuspects)
	root := s.parseDocument()
	if root == nil || len(s.commas) > 0 {
		s.duplicateSuspects = s.duplicateSuspects[:suspects]
		return nil
	}
	return root
}

// parseDocument is the root of a text.
func (s *jsonScanner) parseDocument() *Node {
	if len(s.body) > MaxBytes || !s.skipOuterSpace() {
		return nil
	}
	root := s.parseCollection()
	if root == nil || !s.skipOuterSpace() || s.pos < len(s.body) {
		return nil
	}
	return root
}

// parseItems is the list of which the text has the items.
func (s *jsonScanner) parseItems() *Node {
	if len(s.body) > MaxBytes {
		return nil
	}
	out := s.newNode(len(s.body))
	out.Kind, out.Style, out.Tag, out.Span.End = Sequence, Flow, TagSeq, len(s.body)
	s.depth++
	for s.skipSpace(); s.pos < len(s.body); s.skipSpace() {
		item := s.parseValue()
		if item == nil || !s.skipItemComma() {
			return nil
		}
		s.addItem(item, out, 0)
	}
	out.Items = s.copyItems(s.items)
	return out
}

// skipItemComma skips the comma after an item of a list without brackets, which has to come
// unless the text ends.
func (s *jsonScanner) skipItemComma() bool {
	if s.skipSpace(); s.pos == len(s.body) {
		return true
	}
	pos := s.pos
	s.pos++
	if s.skipSpace(); s.pos == len(s.body) {
		s.commas = append(s.commas, byteSpan(pos))
	}
	return s.body[pos] == ','
}

// skipOuterSpace skips what stands before or after the root. Tabs there are a problem.
func (s *jsonScanner) skipOuterSpace() bool {
	from := s.pos
	s.skipSpace()
	return strings.IndexByte(s.body[from:s.pos], '\t') < 0
}

func (s *jsonScanner) skipSpace() {
	pos := s.pos
	for pos < len(s.body) && (s.body[pos] == ' ' || s.body[pos] == '\n' || s.body[pos] == '\r' || s.body[pos] == '\t') {
		pos++
	}
	s.pos = pos
}

// peekByte skips white space and gives the byte after it, 0 at the end.
func (s *jsonScanner) peekByte() byte {
	s.skipSpace()
	if s.pos < len(s.body) {
		return s.body[s.pos]
	}
	return 0
}

func (s *jsonScanner) parseCollection() *Node {
	if s.pos == len(s.body) || s.depth == MaxDepth || s.body[s.pos] != '[' && s.body[s.pos] != '{' {
		return nil // before there is a slab for it, which most texts in YAML have no use for
	}
	out := s.newNode(len(s.body) - s.pos)
	out.Style, out.Span.Start = Flow, s.pos
	s.depth++
	closed := false
	switch s.body[s.pos] {
	case '[':
		out.Kind, out.Tag = Sequence, TagSeq
		closed = s.parseSequence(out)
	case '{':
		out.Kind, out.Tag = Mapping, TagMap
		closed = s.parseMapping(out)
	}
	if !closed {
		return nil
	}
	s.depth--
	out.Span.End = s.pos
	return out
}

func (s *jsonScanner) parseSequence(out *Node) bool {
	first := len(s.items)
	for s.pos++; s.peekByte() != ']'; {
		item := s.parseValue()
		if item == nil {
			return false
		}
		s.addItem(item, out, first)
		if !s.skipComma(']') {
			return false
		}
	}
	s.pos++
	out.Items = s.copyItems(s.items[first:])
	s.items = s.items[:first]
	return true
}

// addItem puts an item at the end of a list whose first one is that of s.items at first.
func (s *jsonScanner) addItem(item, list *Node, first int) {
	item.Parent, item.Index = list, len(s.items)-first
	s.items = append(s.items, item)
}

func (s *jsonScanner) parseMapping(out *Node) bool {
	first := len(s.pairs)
	for s.pos++; s.peekByte() != '}'; {
		p := s.parsePair()
		if p == nil {
			return false
		}
		p.Key.Parent, p.Key.Index = out, len(s.pairs)-first
		p.Value.Parent, p.Value.Index, p.Value.Key = out, len(s.pairs)-first, p
		s.pairs = append(s.pairs, p)
		if !s.skipComma('}') {
			return false
		}
	}
	s.pos++
	out.Pairs = s.copyPairs(s.pairs[first:])
	s.pairs = s.pairs[:first]
	if mayHaveDuplicates(out) {
		s.duplicateSuspects = append(s.duplicateSuspects, out)
	}
	return true
}

// skipComma skips the one after an item or pair; without, the bracket has to come.
func (s *jsonScanner) skipComma(bracket byte) bool {
	c := s.peekByte()
	if c != ',' {
		return c == bracket
	}
	pos := s.pos
	s.pos++
	if s.peekByte() == bracket {
		s.commas = append(s.commas, byteSpan(pos))
	}
	return true
}

func (s *jsonScanner) parsePair() *Pair {
	if s.peekByte() != '"' {
		return nil
	}
	key := s.parseDoubleQuoted()
	if key == nil || s.peekByte() != ':' {
		return nil
	}
	s.pos++
	s.peekByte()
	value := s.parseValue()
	if value == nil {
		return nil
	}
	return s.newPair(key, value, len(s.body)-s.pos)
}

func (s *jsonScanner) parseValue() *Node {
	if s.pos == len(s.body) {
		return nil
	}
	switch s.body[s.pos] {
	case '{', '[':
		return s.parseCollection()
	case '"':
		return s.parseDoubleQuoted()
	}
	return s.parsePlain()
}
