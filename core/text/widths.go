package text

import "sync"

// widths are the units before some places of a text, so that a column in a long
// line costs no walk over all that stands before it.
type widths struct {
	once  sync.Once
	marks []widthMark // the nth is the first character from n * markEvery on
}

// widthMark is a character's offset and what stands before it in the text.
type widthMark struct{ offset, utf16, utf32 int32 }

const markEvery = 1 << 12

func (w *widths) mark(body string) {
	var m widthMark
	for offset, r := range body {
		if offset >= len(w.marks)*markEvery {
			m.offset = int32(offset)
			w.marks = append(w.marks, m)
		}
		m.utf16++
		m.utf32++
		if r > 0xFFFF {
			m.utf16++
		}
	}
}

// units is the width of a span that begins and ends with characters.
func (s *Source) units(span Span, enc Encoding) int {
	if enc == UTF8 || span.Len() < 2*markEvery {
		return units(s.Body[span.Start:span.End], enc)
	}
	s.widths.once.Do(func() { s.widths.mark(s.Body) })
	return s.unitsBefore(span.End, enc) - s.unitsBefore(span.Start, enc)
}

// unitsBefore is the width of the text before an offset.
func (s *Source) unitsBefore(offset int, enc Encoding) int {
	n := min(offset/markEvery, len(s.widths.marks)-1)
	m := s.widths.marks[n]
	if int(m.offset) > offset {
		m = s.widths.marks[n-1]
	}
	before := m.utf32
	if enc == UTF16 {
		before = m.utf16
	}
	return int(before) + units(s.Body[m.offset:offset], enc)
}
