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
	body              string
	pos               int
	depth             int
	commas            []text.Span // before closing brackets
	duplicateSuspects []*Node     // mappings that may have duplicate keys
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
	s.body, s.pos, s.depth, s.commas = body, pos, 0, nil
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
	out := &Node{Kind: Sequence, Style: Flow, Tag: TagSeq, Span: text.Span{End: len(s.body)}}
	s.depth++
	for s.skipSpace(); s.pos < len(s.body); s.skipSpace() {
		item := s.parseValue()
		if item == nil || !s.skipItemComma() {
			return nil
		}
		out.addItem(item)
	}
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
		return nil
	}
	out := &Node{Style: Flow, Span: text.Span{Start: s.pos}}
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
	for s.pos++; s.peekByte() != ']'; {
		item := s.parseValue()
		if item == nil {
			return false
		}
		out.addItem(item)
		if !s.skipComma(']') {
			return false
		}
	}
	s.pos++
	return true
}

func (s *jsonScanner) parseMapping(out *Node) bool {
	for s.pos++; s.peekByte() != '}'; {
		p := s.parsePair()
		if p == nil {
			return false
		}
		out.addPair(p)
		if !s.skipComma('}') {
			return false
		}
	}
	s.pos++
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
	return &Pair{Key: key, Value: value}
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
