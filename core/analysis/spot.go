package analysis

import "github.com/rubric-ls/rubric/core/text"

// Spot is where a part is in its file. The zero Spot is that of the whole file.
type Spot struct {
	start start // where it begins; edge for what stands around the pieces
	view  *view
}

// Place is where a span of the part is in the file.
func (s Spot) Place(span text.Span) text.Span {
	if s.view == nil {
		return span
	}
	return s.view.place(s.start, span)
}

// Local is where an offset of the file is in the part.
func (s Spot) Local(offset int) int {
	if s.view == nil {
		return offset
	}
	begin, end := s.view.begin().offset, s.view.end().offset
	switch {
	case s.start.piece >= 0:
		return offset - s.start.offset
	case offset < end:
		return min(offset, begin)
	}
	return offset - (end - begin)
}
