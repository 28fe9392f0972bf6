package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// ParseJSON reads src if it is JSON in brackets. Trailing commas are allowed and returned. The
// tree equals that of [Parse]. ParseJSON returns nil for any other text, and for a tab outside
// the root or an invisible character, which Parse reports.
func ParseJSON(src *text.Source) (t *Tree, commas []text.Span) {
	s := jsonScanner{body: src.Body}
	if strings.HasPrefix(s.body, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	return s.buildTree(src, s.parseDocument())
}

// ParseItems is [ParseJSON] for list items without their brackets. The root is the list and
// spans the whole text.
func ParseItems(src *text.Source) (t *Tree, commas []text.Span) {
	s := jsonScanner{body: src.Body}
	return s.buildTree(src, s.parseItems())
}

// buildTree returns the tree with the given root, nil without one.
func (s *jsonScanner) buildTree(src *text.Source, root *Node) (t *Tree, commas []text.Span) {
	if root == nil {
		return nil, nil
	}
	t = &Tree{Source: src, Docs: []*Document{{Root: root, Span: src.Whole()}}}
	s.reportDuplicates(t)
	return t, s.commas
}

// A jsonScanner reads JSON in brackets into the same nodes as library and aligner. Its methods
// return nil for any other text and for text with problems; the caller then uses the library.
type jsonScanner struct {
	arena
	body   string
	pos    int
	depth  int
	commas []text.Span // before closing brackets

	// items and pairs are those of the collections that are still open.
	items []*Node
	pairs []*Pair

	duplicateSuspects []*Node // mappings that may have duplicate keys
}

// reportDuplicates checks the suspects for duplicate keys.
func (s *jsonScanner) reportDuplicates(t *Tree) {
	c := &checker{tree: t}
	for _, n := range s.duplicateSuspects {
		c.checkDuplicates(n)
	}
	t.sortProblems()
}

// parseLine returns the root of the text in body from pos on if it is strict JSON.
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

// parseDocument returns the root of the text.
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

// parseItems returns the list whose items are the text.
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

// skipItemComma skips the comma after an item of a list without brackets. The comma is required
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

// skipOuterSpace skips white space around the root. Tabs there are a problem.
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

// peekByte skips white space and returns the next byte, 0 at the end.
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

// addItem appends an item to a list whose first item is s.items[first].
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

// skipComma skips the comma after an item or pair. Without a comma the closing bracket must
// follow.
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

// An arena allocates nodes, pairs and lists of them in batches: a large text has millions.
type arena struct {
	freeNodes   []Node
	freePairs   []Pair
	freeItems   []*Node
	freeEntries []*Pair
}

// A batch has room for the nodes of about so many bytes of text, within bounds.
const (
	bytesPerNode = 32
	maxArenaSize = 256
)

func arenaSize(bytes int) int { return min(bytes/bytesPerNode+4, maxArenaSize) }

// newNode allocates a node. bytes is the length of the remaining text.
func (a *arena) newNode(bytes int) *Node {
	if len(a.freeNodes) == 0 {
		a.freeNodes = make([]Node, arenaSize(bytes))
	}
	n := &a.freeNodes[0]
	a.freeNodes = a.freeNodes[1:]
	return n
}

func (a *arena) newPair(key, value *Node, bytes int) *Pair {
	if len(a.freePairs) == 0 {
		a.freePairs = make([]Pair, arenaSize(bytes))
	}
	p := &a.freePairs[0]
	a.freePairs = a.freePairs[1:]
	p.Key, p.Value = key, value
	return p
}

func (a *arena) copyItems(items []*Node) []*Node { return copyInto(&a.freeItems, items) }

func (a *arena) copyPairs(pairs []*Pair) []*Pair { return copyInto(&a.freeEntries, pairs) }

// copyInto returns a copy of list, allocated from free; nil for an empty list.
func copyInto[T any](free *[]*T, list []*T) []*T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if len(*free) < n {
		*free = make([]*T, max(n, maxArenaSize/4))
	}
	copied := (*free)[:n:n]
	*free = (*free)[n:]
	copy(copied, list)
	return copied
}
