package analysis

import "github.com/rubric-ls/rubric/core/text"

// edge stands for what is around the pieces.
var edge = start{piece: -1}

// place is where a span of the piece that begins at is in the file.
func (v *view) place(at start, span text.Span) text.Span {
	switch {
	case span.Start >= text.Far:
		return v.placeAround(span.Shift(-text.Far))
	case at.piece < 0:
		return v.placeAround(span)
	}
	return span.Shift(at.offset)
}

// placeAround is where a span of what stands around the pieces is in the file.
func (v *view) placeAround(span text.Span) text.Span {
	head, list := v.begin().offset, v.end().offset-v.begin().offset
	switch {
	case span.Start >= head:
		return span.Shift(list)
	case span.End > head:
		return text.Span{Start: span.Start, End: span.End + list}
	}
	return span
}

// stretch is the source that an offset is in, and where that begins.
func (l *layout) stretch(offset int) (*text.Source, place) {
	if !l.inPiece(offset) {
		return l.edge(offset < l.begin().offset)
	}
	b, i := l.holder(offset)
	return l.blocks[b].pieces[i].source, l.starts[b].plus(l.blocks[b].at[i]).place
}

// edge is what stands before the pieces, or after them.
func (l *layout) edge(before bool) (*text.Source, place) {
	if before {
		return text.New("", l.head), place{}
	}
	return text.New("", l.tail), l.end().place
}

// Length is that of the text, in bytes.
func (a *Analysis) Length() int { return a.layout.length() }

// Position converts an offset, as [text.Source.OffsetPosition] does.
func (a *Analysis) Position(offset int, enc text.Encoding) text.Position {
	offset = min(max(offset, 0), a.layout.length())
	source, at := a.layout.stretch(offset)
	return at.position(source.OffsetPosition(offset-at.offset, enc), enc)
}

// position is where a position is that counts from here.
func (p place) position(local text.Position, enc text.Encoding) text.Position {
	if local.Line == 0 {
		local.Character += p.column[enc]
	}
	local.Line += p.line
	return local
}

// Range converts a span, as [text.Source.SpanRange] does.
func (a *Analysis) Range(span text.Span, enc text.Encoding) text.Range {
	length := a.layout.length()
	start, end := min(max(span.Start, 0), length), min(max(span.End, 0), length)
	source, at := a.layout.stretch(start)
	local := text.Span{Start: start - at.offset, End: end - at.offset}
	if local.End < local.Start || local.End > len(source.Body) {
		return text.Range{Start: a.Position(start, enc), End: a.Position(end, enc)}
	}
	return at.toRange(source.SpanRange(local, enc), enc)
}

// toRange is where a range is that counts from here.
func (p place) toRange(local text.Range, enc text.Encoding) text.Range {
	return text.Range{Start: p.position(local.Start, enc), End: p.position(local.End, enc)}
}

// RangeOf is the Range of what At of a finding is, without looking for its place.
func (a *Analysis) RangeOf(f Finding, enc text.Encoding) text.Range {
	if f.source == nil {
		return a.Range(f.At(), enc)
	}
	return f.start.toRange(f.source.SpanRange(f.Span, enc), enc)
}

// Offset converts a position, as [text.Source.PositionOffset] does.
func (a *Analysis) Offset(p text.Position, enc text.Encoding) int {
	l := a.layout
	source, at := l.edge(!l.begin().upTo(p, enc))
	if i := l.pieceOf(p, enc); i >= 0 {
		source, at = l.at(i).source, l.start(i).place
	}
	if p.Line -= at.line; p.Line == 0 {
		p.Character -= at.column[enc]
	}
	return at.offset + source.PositionOffset(p, enc)
}

// Span converts a range; one whose ends are swapped is empty at its start.
func (a *Analysis) Span(r text.Range, enc text.Encoding) text.Span {
	start, end := a.Offset(r.Start, enc), a.Offset(r.End, enc)
	return text.Span{Start: start, End: max(start, end)}
}

// Slice is the text inside a span, clamped to the file.
func (a *Analysis) Slice(span text.Span) string {
	start, end := max(span.Start, 0), min(span.End, a.layout.length())
	if start >= end {
		return ""
	}
	return a.layout.part(start, end)
}
