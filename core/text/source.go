// Package text holds one immutable buffer and all conversions between byte offsets
// and line positions.
//
// Inside the program a place is a byte offset and an interval is a [Span]. Clients
// use a line and a column, counted in UTF-8, UTF-16 or UTF-32 code units. Only this
// package converts. Its methods are named source first: OffsetPosition converts an
// offset to a position.
//
// Lines follow the Language Server Protocol: they end at "\n", "\r\n" or a lone
// "\r". YAML also breaks lines at NEL, LS and PS; package yaml handles those.
//
// The package reads no files and never fails. It moves an offset or a position
// outside the text to the nearest place inside.
package text

import (
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Encoding is the code unit in which a client counts columns.
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

// Range is a Span as clients see it: two positions, end exclusive.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// HeaderBase is the first offset, and the first line number, that refers to a source's
// header. No text is that long.
const HeaderBase = 1 << 30

// Source is one immutable text with its line index. Name is a path, or "" for a buffer;
// the package never opens it.
type Source struct {
	Name string
	Body string

	starts  []int32      // byte offset of each line's first byte; starts[0] is 0
	columns *columnIndex // for columns in long lines
	header  *Source      // the text for offsets from HeaderBase on; may be nil
}

// WithHeader returns a copy of s in which offsets and lines from [HeaderBase] on refer to
// header. The source is then a chunk of a file, and header is the rest of the file.
func (s *Source) WithHeader(header *Source) *Source {
	both := *s
	both.header = header
	return &both
}

// resolve returns the text that holds an offset or line, and the base to subtract.
func (s *Source) resolve(at int) (*Source, int) {
	if at >= HeaderBase && s.header != nil {
		return s.header, HeaderBase
	}
	return s, 0
}

// New indexes body, which must be shorter than [HeaderBase]. Body may be any string,
// valid UTF-8 or not.
func New(name, body string) *Source {
	lines := 1 + strings.Count(body, "\n") // lone returns add more
	s := &Source{Name: name, Body: body, starts: make([]int32, 1, lines), columns: &columnIndex{}}
	hasReturns := strings.Contains(body, "\r")
	for start := 0; ; {
		end := strings.IndexByte(body[start:], '\n')
		line := body[start:]
		if end >= 0 {
			line = line[:end]
		}
		for i := 0; hasReturns && i < len(line); i++ {
			if line[i] == '\r' && (i+1 < len(line) || end < 0) {
				s.starts = append(s.starts, int32(start+i+1))
			}
		}
		if end < 0 {
			return s
		}
		start += end + 1
		s.starts = append(s.starts, int32(start))
	}
}

// Lines returns the number of lines. A final line break opens one more, empty, line.
func (s *Source) Lines() int { return len(s.starts) }

// IsFirstOnLine reports whether only white space precedes an offset on its line.
func (s *Source) IsFirstOnLine(offset int) bool {
	return strings.TrimSpace(s.Body[s.LineSpan(s.OffsetLine(offset)).Start:offset]) == ""
}

// Slice returns the text inside span, clamped to the buffer.
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

// Whole returns the span of the entire text.
func (s *Source) Whole() Span { return Span{0, len(s.Body)} }

// Newline returns the line break for text to insert: "\r\n" if the text has one, or "\n".
func (s *Source) Newline() string {
	if strings.Contains(s.Body, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// LineSpan returns the span of a line without its line break. It is empty for lines
// outside the text.
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

// OffsetLine returns the zero-based line that holds offset.
func (s *Source) OffsetLine(offset int) int {
	if s, base := s.resolve(offset); base > 0 {
		return s.OffsetLine(offset-base) + base
	}
	offset = s.clamp(offset)
	return sort.Search(len(s.starts), func(line int) bool { return int(s.starts[line]) > offset }) - 1
}

// OffsetPosition converts a byte offset. An offset inside a line break maps to the end of
// its line, and an offset inside a character to the start of that character.
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

// PositionOffset converts a position. A column past the line's end means the line's end,
// as the protocol demands. A line past the text means the end of the text. A column
// inside a character means the start of that character.
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

// runeStart returns the start of the character that contains offset, searching no further
// back than line.
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

// runeUnits returns the width of a character. An invalid byte counts as one unit in every
// encoding, because clients see it as U+FFFD.
func runeUnits(r rune, size int, enc Encoding) int {
	switch {
	case enc == UTF8:
		return size
	case enc == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}

// Span is a half-open interval of byte offsets, [Start, End). An empty span is a caret
// between two bytes. A diagnostic about a whole file points at
// its first line that is not blank or a comment.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of bytes inside the span.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether the span is a caret.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether inner lies within s; a span contains itself.
func (s Span) Contains(inner Span) bool { return s.Start <= inner.Start && inner.End <= s.End }

// Touches reports whether offset lies inside s or at either end, as a cursor is "on" a word.
func (s Span) Touches(offset int) bool { return s.Start <= offset && offset <= s.End }

// Meets reports whether two spans share an offset, counting their ends.
func (s Span) Meets(other Span) bool { return s.Start <= other.End && other.Start <= s.End }

// Cover returns the smallest span that contains both spans.
func (s Span) Cover(other Span) Span {
	return Span{min(s.Start, other.Start), max(s.End, other.End)}
}

// Shift returns the span moved by delta bytes.
func (s Span) Shift(delta int) Span { return Span{s.Start + delta, s.End + delta} }

// columnIndex holds column counts at checkpoints, so that a column in a long line needs no
// scan from the start of the line.
type columnIndex struct {
	once        sync.Once
	checkpoints []checkpoint // checkpoint n is the first character at or after n*checkpointEvery
}

// checkpoint is the offset of a character and the number of code units before it.
type checkpoint struct{ offset, utf16, utf32 int32 }

const checkpointEvery = 1 << 12

func (ci *columnIndex) build(body string) {
	var next checkpoint
	for offset, r := range body {
		if offset >= len(ci.checkpoints)*checkpointEvery {
			next.offset = int32(offset)
			ci.checkpoints = append(ci.checkpoints, next)
		}
		next.utf16++
		next.utf32++
		if r > 0xFFFF {
			next.utf16++
		}
	}
}

// spanUnits returns the width of a span that starts and ends at character boundaries.
func (s *Source) spanUnits(span Span, enc Encoding) int {
	if enc == UTF8 || span.Len() < 2*checkpointEvery {
		return countUnits(s.Body[span.Start:span.End], enc)
	}
	s.columns.once.Do(func() { s.columns.build(s.Body) })
	return s.unitsBefore(span.End, enc) - s.unitsBefore(span.Start, enc)
}

// unitsBefore returns the width of the text before an offset.
func (s *Source) unitsBefore(offset int, enc Encoding) int {
	n := min(offset/checkpointEvery, len(s.columns.checkpoints)-1)
	c := s.columns.checkpoints[n]
	if int(c.offset) > offset {
		c = s.columns.checkpoints[n-1]
	}
	before := c.utf32
	if enc == UTF16 {
		before = c.utf16
	}
	return int(before) + countUnits(s.Body[c.offset:offset], enc)
}

// IsDisplayControl reports whether r changes how a terminal shows the text after it. These
// are control characters except tab and line feed, Unicode line breaks, and characters
// that set the direction of text.
func IsDisplayControl(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || ' ' <= r && r <= '~':
		return false
	}
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}
