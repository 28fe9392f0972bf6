package analysis

import "github.com/rubric-ls/rubric/core/text"

// Placement is where a part is in its file. The zero Spot is that of the whole file.
type Placement struct {
	start chunkStart // where it begins; edge for what stands around the pieces
	view  *checkedFile
}

// ToFile is where a span of the part is in the file.
func (p Placement) ToFile(span text.Span) text.Span {
	if p.view == nil {
		return span
	}
	return p.view.fileSpan(p.start, span)
}

// FromFile is where an offset of the file is in the part.
func (p Placement) FromFile(offset int) int {
	if p.view == nil {
		return offset
	}
	begin, end := p.view.begin().offset, p.view.end().offset
	switch {
	case p.start.index >= 0:
		return offset - p.start.offset
	case offset < end:
		return min(offset, begin)
	}
	return offset - (end - begin)
}
