package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// misplacedParts is the top-level parts that cannot stand in one document with most of
// the others: keys amid the items of a list, or items amid keys that have their
// values already.
func misplacedParts(body string) []text.Span {
	var out []text.Span
	var s topLevelParts
	for _, part := range splitParts(body) {
		if isDocumentMark(body, part.Start) {
			out = append(out, s.minority()...)
			s = topLevelParts{}
		}
		s.add(body, part)
	}
	return append(out, s.minority()...)
}

// topLevelParts is the parts of one document, those of a list and those of a mapping.
type topLevelParts struct {
	items, keys []text.Span
	open        bool // the last key has no value yet, so that items may be it
}

func (p *topLevelParts) add(body string, part text.Span) {
	switch partKind(body, part.Start) {
	case library.SequenceNode:
		if !p.open && indentation(body, part.Start) == 0 {
			p.items = append(p.items, part)
		}
	case library.MappingNode:
		p.keys = append(p.keys, part)
		p.open = awaitsValue(body[part.Start+keyLength(body[part.Start:lineEnd(body, part.Start)]) : part.End])
	}
}

// minority is the smaller of the two sides, the keys if they are equal and the
// list came first.
func (p *topLevelParts) minority() []text.Span {
	switch {
	case len(p.items) == 0 || len(p.keys) == 0:
		return nil
	case len(p.items) > len(p.keys), len(p.items) == len(p.keys) && p.items[0].Start < p.keys[0].Start:
		return p.keys
	}
	return p.items
}

// awaitsValue reports whether nothing but comments stands in what follows a
// key, an anchor or a tag aside.
func awaitsValue(rest string) bool {
	end := lineEnd(rest, 0)
	if content := strings.TrimLeft(rest[:end], " \t"); content != "" && strings.IndexByte("#&!", content[0]) < 0 {
		return false
	}
	for line := nextLine(rest, end); line < len(rest); line = nextLine(rest, lineEnd(rest, line)) {
		if content := skipBlanks(rest, line); !isBlankLine(rest, line) && rest[content] != '#' {
			return false
		}
	}
	return true
}
