package yaml

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// ParseJSON reads src if it is JSON in brackets. Trailing commas are allowed and returned. The tree
// equals that of [Parse]. ParseJSON returns nil for any other text, and for a tab outside the root
// or an invisible character, which Parse reports.
func ParseJSON(src *text.Source) (t *Tree, commas []text.Span) {
	s := jsonScanner{body: src.Body}
	if strings.HasPrefix(s.body, lines.ByteOrderMark) {
		s.pos = len(lines.ByteOrderMark)
	}
	return s.buildTree(src, s.parseDocument())
}

// ParseItems is [ParseJSON] for list items without their brackets. The root is the list and spans
// the whole text.
func ParseItems(src *text.Source) (t *Tree, commas []text.Span) {
	s := jsonScanner{body: src.Body}
	return s.buildTree(src, s.parseItems())
}

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
		s.commas = append(s.commas, text.Span{Start: pos, End: pos + 1})
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

// skipComma skips the comma after an item or pair. Without a comma the closing bracket must follow.
func (s *jsonScanner) skipComma(bracket byte) bool {
	c := s.peekByte()
	if c != ',' {
		return c == bracket
	}
	pos := s.pos
	s.pos++
	if s.peekByte() == bracket {
		s.commas = append(s.commas, text.Span{Start: pos, End: pos + 1})
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

// parseDoubleQuoted reads a string. Without escapes its value is a substring of the text.
func (s *jsonScanner) parseDoubleQuoted() *Node {
	start, escaped := s.pos, false
	for s.pos++; ; {
		s.pos = plainRunEnd(s.body, s.pos)
		if s.pos == len(s.body) {
			return nil
		}
		switch c := s.body[s.pos]; {
		case c == '"':
			s.pos++
			value := s.body[start+1 : s.pos-1]
			if escaped {
				_ = json.Unmarshal([]byte(s.body[start:s.pos]), &value) // valid, as scanned
			}
			return &Node{Style: DoubleQuoted, Tag: TagStr, Value: value, Span: text.Span{Start: start, End: s.pos}}
		case c == '\\':
			length := escapeLength(s.body[s.pos:])
			if length == 0 {
				return nil
			}
			s.pos, escaped = s.pos+length, true
		case c >= utf8.RuneSelf && !needsSanitizing(s.body[s.pos:]):
			_, size := utf8.DecodeRuneInString(s.body[s.pos:])
			s.pos += size
		default:
			return nil
		}
	}
}

// plainRunEnd returns the first offset from pos on of a byte that is not a plain ASCII character of
// a string.
func plainRunEnd(body string, pos int) int {
	for pos < len(body) && body[pos] >= ' ' && body[pos] != '"' && body[pos] != '\\' && body[pos] < utf8.RuneSelf {
		pos++
	}
	return pos
}

// needsSanitizing reports whether s begins with invalid UTF-8 or a character that is a problem.
func needsSanitizing(s string) bool {
	switch r, size := utf8.DecodeRuneInString(s); r {
	case nextLineRune, lineSepRune, paraSepRune, '\uFFFE', '\uFFFF':
		return true
	case utf8.RuneError:
		return size == 1
	}
	return false
}

// escapeLength returns the length of the escape at the start of text, 0 if it is invalid.
func escapeLength(text string) int {
	const hexDigits = decimalDigits + "abcdefABCDEF"
	switch {
	case len(text) > 1 && strings.IndexByte(`"\/bfnrt`, text[1]) >= 0:
		return len(`\n`)
	case len(text) >= len(`\u0000`) && text[1] == 'u' && strings.Trim(text[2:6], hexDigits) == "":
		return len(`\u0000`)
	}
	return 0
}

func (s *jsonScanner) parsePlain() *Node {
	rest := s.body[s.pos:]
	tag, length := "", 0
	switch rest[0] {
	case 't':
		tag, length = TagBool, prefixLength(rest, "true")
	case 'f':
		tag, length = TagBool, prefixLength(rest, "false")
	case 'n':
		tag, length = TagNull, prefixLength(rest, "null")
	default:
		tag, length = scanNumber(rest)
	}
	if length == 0 {
		return nil
	}
	s.pos += length
	return &Node{Tag: tag, Value: rest[:length], Span: text.Span{Start: s.pos - length, End: s.pos}}
}

func prefixLength(text, word string) int {
	if strings.HasPrefix(text, word) {
		return len(word)
	}
	return 0
}

// scanNumber returns the tag and length of the JSON number at the start of text, or 0.
func scanNumber(text string) (tag string, length int) {
	number := text[:len(text)-len(strings.TrimLeft(text, "+-.eE"+decimalDigits))]
	switch {
	case !json.Valid([]byte(number)):
		return "", 0
	case strings.ContainsAny(number, ".eE"):
		return TagFloat, len(number)
	}
	return TagInt, len(number)
}
