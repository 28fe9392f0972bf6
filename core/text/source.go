package text

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Encoding is the unit in which a client counts columns.
type Encoding uint8

const (
	UTF16 Encoding = iota // the protocol's default
	UTF8
	UTF32
)

// Position is a zero-based line and a zero-based column in units of an Encoding.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a pair of positions, end exclusive: a Span as clients see it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// HeaderBase is where the offsets and the lines of a text beside another begin. No
// text is that long.
const HeaderBase = 1 << 30

// Source is one immutable text with its line index. Name is how people know it
// (a path, or "" for a buffer) and is never opened.
type Source struct {
	Name string
	Body string

	starts  []int32      // byte offset of each line's first byte; starts[0] is 0
	columns *columnIndex // for columns in long lines
	header  *Source      // what offsets from Far on are of, if anything
}

// WithHeader is s with a second text to which offsets and lines from [Far] on belong:
// a part of a file, and the rest of it, which the part refers to.
func (s *Source) WithHeader(header *Source) *Source {
	both := *s
	both.header = header
	return &both
}

// resolve is the text that an offset or a line belongs to, and where it begins.
func (s *Source) resolve(at int) (*Source, int) {
	if at >= HeaderBase && s.header != nil {
		return s.header, HeaderBase
	}
	return s, 0
}

// New indexes body, which is shorter than [Far]. Any string is accepted, valid
// UTF-8 or not.
func New(name, body string) *Source {
	lines := 1 + strings.Count(body, "\n") // and a few more, if there are lone returns
	s := &Source{Name: name, Body: body, starts: make([]int32, 1, lines), columns: &columnIndex{}}
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '\r':
			if i+1 < len(body) && body[i+1] == '\n' {
				i++
			}
			s.starts = append(s.starts, int32(i+1))
		case '\n':
			s.starts = append(s.starts, int32(i+1))
		}
	}
	return s
}

// Lines is the number of lines; a final line break opens one more, empty, line.
func (s *Source) Lines() int { return len(s.starts) }

// Slice is the text inside span, clamped to the buffer.
func (s *Source) Slice(span Span) string {
	if s, base := s.resolve(span.Start); base > 0 {
		return s.Slice(span.Shift(-base))
	}
	start, end := s.clamp(span.Start), s.clamp(span.End)
	if start >= end {
		return ""
	}
	return s.Body[start:end]
}

// Whole spans the entire text.
func (s *Source) Whole() Span { return Span{0, len(s.Body)} }

// LineSpan is line's text without its line break. Lines outside the text are empty.
func (s *Source) LineSpan(line int) Span {
	if s, base := s.resolve(line); base > 0 {
		return s.LineSpan(line - base).Shift(base)
	}
	if line < 0 {
		return Span{}
	}
	if line >= len(s.starts) {
		return Span{len(s.Body), len(s.Body)}
	}
	start, end := int(s.starts[line]), len(s.Body)
	if line+1 < len(s.starts) {
		end = int(s.starts[line+1])
	}
	for end > start && (s.Body[end-1] == '\n' || s.Body[end-1] == '\r') {
		end--
	}
	return Span{start, end}
}

// OffsetLine is the zero-based line that holds offset.
func (s *Source) OffsetLine(offset int) int {
	if s, base := s.resolve(offset); base > 0 {
		return s.OffsetLine(offset-base) + base
	}
	offset = s.clamp(offset)
	return sort.Search(len(s.starts), func(line int) bool { return int(s.starts[line]) > offset }) - 1
}

// OffsetPosition converts a byte offset. An offset inside a line break belongs
// to the end of its line; one inside a character, to that character's start.
func (s *Source) OffsetPosition(offset int, enc Encoding) Position {
	if s, base := s.resolve(offset); base > 0 {
		p := s.OffsetPosition(offset-base, enc)
		return Position{p.Line + base, p.Character}
	}
	line := s.OffsetLine(offset)
	span := s.LineSpan(line)
	offset = s.runeStart(min(s.clamp(offset), span.End), span.Start)
	return Position{line, s.spanUnits(Span{span.Start, offset}, enc)}
}

// PositionOffset converts a position. A column past the line's end means the
// line's end, as the protocol demands; a line past the text means its end; a
// column inside a character means the character's start.
func (s *Source) PositionOffset(p Position, enc Encoding) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(s.starts) {
		return len(s.Body)
	}
	span := s.LineSpan(p.Line)
	offset, column := span.Start, 0
	for offset < span.End {
		r, size := utf8.DecodeRuneInString(s.Body[offset:span.End])
		width := runeUnits(r, size, enc)
		if column+width > p.Character {
			break
		}
		column += width
		offset += size
	}
	return offset
}

// SpanRange converts a span.
func (s *Source) SpanRange(span Span, enc Encoding) Range {
	return Range{s.OffsetPosition(span.Start, enc), s.OffsetPosition(span.End, enc)}
}

// runeStart moves an offset that lies inside a character to where it starts,
// not further back than line.
func (s *Source) runeStart(offset, line int) int {
	for back := 1; back < utf8.UTFMax && offset-back >= line && offset < len(s.Body); back++ {
		if _, size := utf8.DecodeRuneInString(s.Body[offset-back:]); size > back {
			return offset - back
		}
	}
	return offset
}

func (s *Source) clamp(offset int) int { return min(max(offset, 0), len(s.Body)) }

func countUnits(text string, enc Encoding) int {
	if enc == UTF8 {
		return len(text)
	}
	n := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		n += runeUnits(r, size, enc)
		i += size
	}
	return n
}

// runeUnits counts a broken byte as one unit in every encoding, which is what
// clients that replaced it by U+FFFD see.
func runeUnits(r rune, size int, enc Encoding) int {
	switch {
	case enc == UTF8:
		return size
	case enc == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}
