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
	s := scanner{body: src.Body}
	if strings.HasPrefix(s.body, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	return s.tree(src, s.document())
}

// ParseItems is [ParseJSON] of the items of a list, whose brackets do not stand in the
// text: the root is that list, and spans all of it.
func ParseItems(src *text.Source) (t *Tree, commas []text.Span) {
	s := scanner{body: src.Body}
	return s.tree(src, s.listed())
}

// tree is that of a text with the root that was found in it; nil without.
func (s *scanner) tree(src *text.Source, root *Node) (t *Tree, commas []text.Span) {
	if root == nil {
		return nil, nil
	}
	t = &Tree{Source: src, Docs: []*Document{{Root: root, Span: src.Whole()}}}
	s.settle(t)
	return t, s.commas
}

// scanner reads JSON in brackets to the same nodes that the library and the aligner
// come to. Where a text is anything else, or has anything that there is something
// to be said about, it gives nil, and who has called it asks those.
type scanner struct {
	slab
	body   string
	at     int
	depth  int
	commas []text.Span // before closing brackets

	// The items and pairs so far of the collections that are open.
	items []*Node
	pairs []*Pair

	suspects []*Node // mappings that may have a key twice
}

// settle notes what is wrong with what was read.
func (s *scanner) settle(t *Tree) {
	c := &checker{tree: t}
	for _, n := range s.suspects {
		c.duplicates(n)
	}
	t.inOrder()
}

// line is the root of what stands in body from at on, if it is JSON to the letter.
func (s *scanner) line(body string, at int) *Node {
	s.body, s.at, s.depth, s.commas, s.items, s.pairs = body, at, 0, nil, s.items[:0], s.pairs[:0]
	suspects := len(s.suspects)
	root := s.document()
	if root == nil || len(s.commas) > 0 {
		s.suspects = s.suspects[:suspects]
		return nil
	}
	return root
}

// document is the root of a text.
func (s *scanner) document() *Node {
	if len(s.body) > MaxBytes || !s.around() {
		return nil
	}
	root := s.collection()
	if root == nil || !s.around() || s.at < len(s.body) {
		return nil
	}
	return root
}

// listed is the list of which the text has the items.
func (s *scanner) listed() *Node {
	if len(s.body) > MaxBytes {
		return nil
	}
	out := s.node(len(s.body))
	out.Kind, out.Style, out.Tag, out.Span.End = Sequence, Flow, TagSeq, len(s.body)
	s.depth++
	for s.space(); s.at < len(s.body); s.space() {
		item := s.value()
		if item == nil || !s.parted() {
			return nil
		}
		s.add(item, out, 0)
	}
	out.Items = s.listItems(s.items)
	return out
}

// parted skips the comma after an item of a list without brackets, which has to come
// unless the text ends.
func (s *scanner) parted() bool {
	if s.space(); s.at == len(s.body) {
		return true
	}
	at := s.at
	s.at++
	if s.space(); s.at == len(s.body) {
		s.commas = append(s.commas, char(at))
	}
	return s.body[at] == ','
}

// around skips what stands before or after the root. Tabs there are a problem.
func (s *scanner) around() bool {
	from := s.at
	s.space()
	return strings.IndexByte(s.body[from:s.at], '\t') < 0
}

func (s *scanner) space() {
	at := s.at
	for at < len(s.body) && (s.body[at] == ' ' || s.body[at] == '\n' || s.body[at] == '\r' || s.body[at] == '\t') {
		at++
	}
	s.at = at
}

// next skips white space and gives the byte after it, 0 at the end.
func (s *scanner) next() byte {
	s.space()
	if s.at < len(s.body) {
		return s.body[s.at]
	}
	return 0
}

func (s *scanner) collection() *Node {
	if s.at == len(s.body) || s.depth == MaxDepth || s.body[s.at] != '[' && s.body[s.at] != '{' {
		return nil // before there is a slab for it, which most texts in YAML have no use for
	}
	out := s.node(len(s.body) - s.at)
	out.Style, out.Span.Start = Flow, s.at
	s.depth++
	closed := false
	switch s.body[s.at] {
	case '[':
		out.Kind, out.Tag = Sequence, TagSeq
		closed = s.sequence(out)
	case '{':
		out.Kind, out.Tag = Mapping, TagMap
		closed = s.mapping(out)
	}
	if !closed {
		return nil
	}
	s.depth--
	out.Span.End = s.at
	return out
}

func (s *scanner) sequence(out *Node) bool {
	first := len(s.items)
	for s.at++; s.next() != ']'; {
		item := s.value()
		if item == nil {
			return false
		}
		s.add(item, out, first)
		if !s.comma(']') {
			return false
		}
	}
	s.at++
	out.Items = s.listItems(s.items[first:])
	s.items = s.items[:first]
	return true
}

// add puts an item at the end of a list whose first one is that of s.items at first.
func (s *scanner) add(item, list *Node, first int) {
	item.Parent, item.Index = list, len(s.items)-first
	s.items = append(s.items, item)
}

func (s *scanner) mapping(out *Node) bool {
	first := len(s.pairs)
	for s.at++; s.next() != '}'; {
		p := s.pair()
		if p == nil {
			return false
		}
		p.Key.Parent, p.Key.Index = out, len(s.pairs)-first
		p.Value.Parent, p.Value.Index, p.Value.Key = out, len(s.pairs)-first, p
		s.pairs = append(s.pairs, p)
		if !s.comma('}') {
			return false
		}
	}
	s.at++
	out.Pairs = s.listPairs(s.pairs[first:])
	s.pairs = s.pairs[:first]
	if mayRepeat(out) {
		s.suspects = append(s.suspects, out)
	}
	return true
}

// comma skips the one after an item or pair; without, the bracket has to come.
func (s *scanner) comma(bracket byte) bool {
	c := s.next()
	if c != ',' {
		return c == bracket
	}
	at := s.at
	s.at++
	if s.next() == bracket {
		s.commas = append(s.commas, char(at))
	}
	return true
}

func (s *scanner) pair() *Pair {
	if s.next() != '"' {
		return nil
	}
	key := s.quoted()
	if key == nil || s.next() != ':' {
		return nil
	}
	s.at++
	s.next()
	value := s.value()
	if value == nil {
		return nil
	}
	return s.newPair(key, value, len(s.body)-s.at)
}

func (s *scanner) value() *Node {
	if s.at == len(s.body) {
		return nil
	}
	switch s.body[s.at] {
	case '{', '[':
		return s.collection()
	case '"':
		return s.quoted()
	}
	return s.plain()
}
