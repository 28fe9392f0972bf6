package analysis

import "github.com/rubric-ls/rubric/core/text"

// headerStart stands for what is around the pieces.
var headerStart = chunkStart{index: -1}

// fileSpan is where a span of the piece that begins at is in the file.
func (cf *checkedFile) fileSpan(at chunkStart, span text.Span) text.Span {
	switch {
	case span.Start >= text.HeaderBase:
		return cf.headerSpan(span.Shift(-text.HeaderBase))
	case at.index < 0:
		return cf.headerSpan(span)
	}
	return span.Shift(at.offset)
}

// headerSpan is where a span of what stands around the pieces is in the file.
func (cf *checkedFile) headerSpan(span text.Span) text.Span {
	head, list := cf.begin().offset, cf.end().offset-cf.begin().offset
	switch {
	case span.Start >= head:
		return span.Shift(list)
	case span.End > head:
		return text.Span{Start: span.Start, End: span.End + list}
	}
	return span
}

// sourceAt is the source that an offset is in, and where that begins.
func (l *layout) sourceAt(offset int) (*text.Source, location) {
	if !l.isInChunk(offset) {
		return l.headerText(offset < l.begin().offset)
	}
	b, i := l.findOffset(offset)
	return l.blocks[b].entries[i].source, l.starts[b].add(l.blocks[b].starts[i]).location
}

// headerText is what stands before the pieces, or after them.
func (l *layout) headerText(before bool) (*text.Source, location) {
	if before {
		return text.New("", l.head), location{}
	}
	return text.New("", l.tail), l.end().location
}

// Length is that of the text, in bytes.
func (a *Analysis) Length() int { return a.layout.length() }

// Position converts an offset, as [text.Source.OffsetPosition] does.
func (a *Analysis) Position(offset int, enc text.Encoding) text.Position {
	offset = min(max(offset, 0), a.layout.length())
	source, at := a.layout.sourceAt(offset)
	return at.positionFrom(source.OffsetPosition(offset-at.offset, enc), enc)
}

// positionFrom is where a position is that counts from here.
func (l location) positionFrom(local text.Position, enc text.Encoding) text.Position {
	if local.Line == 0 {
		local.Character += l.columns[enc]
	}
	local.Line += l.line
	return local
}

// Range converts a span, as [text.Source.SpanRange] does.
func (a *Analysis) Range(span text.Span, enc text.Encoding) text.Range {
	length := a.layout.length()
	start, end := min(max(span.Start, 0), length), min(max(span.End, 0), length)
	source, at := a.layout.sourceAt(start)
	local := text.Span{Start: start - at.offset, End: end - at.offset}
	if local.End < local.Start || local.End > len(source.Body) {
		return text.Range{Start: a.Position(start, enc), End: a.Position(end, enc)}
	}
	return at.rangeFrom(source.SpanRange(local, enc), enc)
}

// rangeFrom is where a range is that counts from here.
func (l location) rangeFrom(local text.Range, enc text.Encoding) text.Range {
	return text.Range{Start: l.positionFrom(local.Start, enc), End: l.positionFrom(local.End, enc)}
}

// RangeOf is the Range of what At of a finding is, without looking for its place.
func (a *Analysis) RangeOf(f Finding, enc text.Encoding) text.Range {
	if f.source == nil {
		return a.Range(f.SpanInFile(), enc)
	}
	return f.start.rangeFrom(f.source.SpanRange(f.Span, enc), enc)
}

// Offset converts a position, as [text.Source.PositionOffset] does.
func (a *Analysis) Offset(p text.Position, enc text.Encoding) int {
	l := a.layout
	source, at := l.headerText(!l.begin().isAtOrBefore(p, enc))
	if i := l.chunkAtPosition(p, enc); i >= 0 {
		source, at = l.entry(i).source, l.startOf(i).location
	}
	if p.Line -= at.line; p.Line == 0 {
		p.Character -= at.columns[enc]
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
	return a.layout.slice(start, end)
}
