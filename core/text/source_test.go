package text_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

func at(line, character int) text.Position { return text.Position{Line: line, Character: character} }

// TestOffsetsAndPositions converts the start of a character in both directions, in each encoding.
func TestOffsetsAndPositions(t *testing.T) {
	for _, c := range []struct {
		name, body         string
		offset             int
		utf8, utf16, utf32 text.Position
	}{
		{"empty", "", 0, at(0, 0), at(0, 0), at(0, 0)},
		{"ascii", "ab\ncd", 4, at(1, 1), at(1, 1), at(1, 1)},
		{"end of text", "ab\ncd", 5, at(1, 2), at(1, 2), at(1, 2)},
		{"after the final break", "ab\n", 3, at(1, 0), at(1, 0), at(1, 0)},
		{"end of line", "ab\ncd", 2, at(0, 2), at(0, 2), at(0, 2)},
		{"two bytes", "é=x", 2, at(0, 2), at(0, 1), at(0, 1)},
		{"three bytes", "日本x", 6, at(0, 6), at(0, 2), at(0, 2)},
		{"astral", "😀x", 4, at(0, 4), at(0, 2), at(0, 1)},
		{"astral on a later line", "a\n😀😀x", 10, at(1, 8), at(1, 4), at(1, 2)},
		{"combining", "e\u0301x", 3, at(0, 3), at(0, 2), at(0, 2)},
		{"crlf", "a\r\nb", 3, at(1, 0), at(1, 0), at(1, 0)},
		{"lone cr", "a\rb", 2, at(1, 0), at(1, 0), at(1, 0)},
		{"cr cr lf", "a\r\r\nb", 4, at(2, 0), at(2, 0), at(2, 0)},
		{"lf cr", "a\n\rb", 3, at(2, 0), at(2, 0), at(2, 0)},
		{"byte order mark", "\uFEFFa", 3, at(0, 3), at(0, 1), at(0, 1)},
		{"next line is no break", "a\u0085b", 3, at(0, 3), at(0, 2), at(0, 2)},
		{"line separator is no break", "a\u2028b", 4, at(0, 4), at(0, 2), at(0, 2)},
		{"paragraph separator is no break", "a\u2029b", 4, at(0, 4), at(0, 2), at(0, 2)},
		{"form feed is no break", "a\fb", 2, at(0, 2), at(0, 2), at(0, 2)},
		{"a broken byte is one unit", "a\xffb", 2, at(0, 2), at(0, 2), at(0, 2)},
		{"half a character is units", "\xf0\x9f\x98x", 3, at(0, 3), at(0, 3), at(0, 3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := text.New("", c.body)
			for enc, want := range map[text.Encoding]text.Position{text.UTF8: c.utf8, text.UTF16: c.utf16, text.UTF32: c.utf32} {
				if got := src.OffsetPosition(c.offset, enc); got != want {
					t.Errorf("encoding %d: offset %d is at %v, want %v", enc, c.offset, got, want)
				}
				if got := src.PositionOffset(want, enc); got != c.offset {
					t.Errorf("encoding %d: %v is offset %d, want %d", enc, want, got, c.offset)
				}
			}
		})
	}
}

// TestNearest checks that invalid offsets and positions map to the nearest valid ones.
func TestNearest(t *testing.T) {
	src := text.New("", "a😀b\r\né")
	for _, c := range []struct {
		name   string
		offset int
		want   text.Position
	}{
		{"before the text", -3, at(0, 0)},
		{"second byte of a character", 2, at(0, 1)},
		{"last byte of a character", 4, at(0, 1)},
		{"inside a line break", 7, at(0, 4)},
		{"inside the last character", 9, at(1, 0)},
		{"after the text", 99, at(1, 1)},
	} {
		if got := src.OffsetPosition(c.offset, text.UTF16); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		name     string
		position text.Position
		want     int
	}{
		{"line before the text", at(-1, 5), 0},
		{"column before the line", at(1, -5), 8},
		{"inside a surrogate pair", at(0, 2), 1},
		{"column after the line", at(0, 99), 6},
		{"line after the text", at(9, 0), 10},
	} {
		if got := src.PositionOffset(c.position, text.UTF16); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	src := text.New("name", "a\r\n\nb\rc")
	want := []string{"a", "", "b", "c"}
	if src.Lines() != len(want) {
		t.Fatalf("%d lines", src.Lines())
	}
	for i, words := range want {
		if got := src.Slice(src.LineSpan(i)); got != words {
			t.Errorf("line %d is %q, want %q", i, got, words)
		}
	}
	if got := src.LineSpan(-1); got != (text.Span{}) {
		t.Errorf("line -1 is %v", got)
	}
	if got := src.LineSpan(9); got != (text.Span{Start: 7, End: 7}) {
		t.Errorf("line 9 is %v", got)
	}
	if got := src.OffsetLine(5); got != 2 {
		t.Errorf("offset 5 is on line %d", got)
	}
}

func TestRanges(t *testing.T) {
	src := text.New("", "a😀\nbc")
	span := text.Span{Start: 1, End: 7}
	want := text.Range{Start: at(0, 1), End: at(1, 1)}
	if got := src.SpanRange(span, text.UTF16); got != want {
		t.Errorf("range %v, want %v", got, want)
	}
	if got := src.Slice(text.Span{Start: -1, End: 99}); got != src.Body || src.Slice(src.Whole()) != src.Body {
		t.Errorf("clamped slice is %q", got)
	}
	if got := src.Slice(text.Span{Start: 4, End: 2}); got != "" {
		t.Errorf("swapped slice is %q", got)
	}
}

func FuzzPositions(f *testing.F) {
	for _, body := range []string{"", "a", "a\nb", "a\r\nb\r", "é日😀\n\xff\xf0\x9f\x98", "\uFEFFa\u0085b\u2028c", "\xe2\x82\n\xf0\r"} {
		f.Add(body, 1)
	}
	f.Fuzz(func(t *testing.T, body string, offset int) {
		src := text.New("", body)
		for _, enc := range []text.Encoding{text.UTF8, text.UTF16, text.UTF32} {
			p := src.OffsetPosition(offset, enc)
			back := src.PositionOffset(p, enc)
			if src.OffsetPosition(back, enc) != p {
				t.Fatalf("%d is at %v, which is %d, which is at %v", offset, p, back, src.OffsetPosition(back, enc))
			}
			if startsRune(src, offset) && back != offset {
				t.Fatalf("%d is at %v, which is %d", offset, p, back)
			}
		}
	})
}

// startsRune reports whether a cursor can be at offset.
func startsRune(src *text.Source, offset int) bool {
	if offset < 0 || offset > len(src.Body) {
		return false
	}
	line := src.LineSpan(src.OffsetLine(offset))
	for at := line.Start; at <= line.End; {
		if at == offset {
			return true
		}
		_, size := utf8.DecodeRuneInString(src.Body[at:line.End])
		at += max(size, 1)
	}
	return false
}

// TestWithHeader checks that offsets and lines from HeaderBase on refer to the header.
func TestWithHeader(t *testing.T) {
	src := text.New("", "a\nb").WithHeader(text.New("", "one\ntwo"))
	inHeader := text.Span{Start: text.HeaderBase + 4, End: text.HeaderBase + 7}
	if got := src.Slice(inHeader); got != "two" {
		t.Errorf("slice %q", got)
	}
	line := src.OffsetLine(inHeader.End)
	if line != text.HeaderBase+1 || src.LineSpan(line) != inHeader || src.OffsetPosition(inHeader.End, text.UTF16) != at(text.HeaderBase+1, 3) {
		t.Errorf("line %d, span %v", line, src.LineSpan(line))
	}
	if src.Slice(src.Whole()) != "a\nb" || src.OffsetLine(9) != 1 || text.New("", "ab").Slice(inHeader) != "" {
		t.Error("the text itself has changed")
	}
}

// TestLongLine compares columns in a long line with a count from its start.
func TestLongLine(t *testing.T) {
	line := strings.Repeat("a", 5000) + strings.Repeat("é\xff日😀-", 2000)
	for len(line)%4096 != 0 {
		line += "x"
	}
	src := text.New("", "é😀\n"+line)
	begin, column := len("é😀\n"), map[text.Encoding]int{}
	for offset, r := range line + "\n" {
		for enc, want := range column {
			if got := src.OffsetPosition(begin+offset, enc); got != at(1, want) {
				t.Fatalf("encoding %d: offset %d is at %v, want column %d", enc, offset, got, want)
			}
		}
		column[text.UTF32]++
		column[text.UTF16] += utf16.RuneLen(r)
	}
}
