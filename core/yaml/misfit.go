package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// misfits is the top-level parts that cannot stand in one document with most of
// the others: keys amid the items of a list, or items amid keys that have their
// values already.
func misfits(body string) []text.Span {
	var out []text.Span
	var s sides
	for _, part := range outline(body) {
		if isDocumentMark(body, part.Start) {
			out = append(out, s.fewer()...)
			s = sides{}
		}
		s.add(body, part)
	}
	return append(out, s.fewer()...)
}

// sides is the parts of one document, those of a list and those of a mapping.
type sides struct {
	items, keys []text.Span
	open        bool // the last key has no value yet, so that items may be it
}

func (s *sides) add(body string, part text.Span) {
	switch kindOf(body, part.Start) {
	case library.SequenceNode:
		if !s.open && indentation(body, part.Start) == 0 {
			s.items = append(s.items, part)
		}
	case library.MappingNode:
		s.keys = append(s.keys, part)
		s.open = awaitsValue(body[part.Start+keyEnd(body[part.Start:lineEnd(body, part.Start)]) : part.End])
	}
}

// fewer is the smaller of the two sides, the keys if they are equal and the
// list came first.
func (s *sides) fewer() []text.Span {
	switch {
	case len(s.items) == 0 || len(s.keys) == 0:
		return nil
	case len(s.items) > len(s.keys), len(s.items) == len(s.keys) && s.items[0].Start < s.keys[0].Start:
		return s.keys
	}
	return s.items
}

// awaitsValue reports whether nothing but comments stands in what follows a
// key, an anchor or a tag aside.
func awaitsValue(rest string) bool {
	end := lineEnd(rest, 0)
	if words := strings.TrimLeft(rest[:end], " \t"); words != "" && strings.IndexByte("#&!", words[0]) < 0 {
		return false
	}
	for line := nextLine(rest, end); line < len(rest); line = nextLine(rest, lineEnd(rest, line)) {
		if words := skipBlanks(rest, line); !isBlankLine(rest, line) && rest[words] != '#' {
			return false
		}
	}
	return true
}
