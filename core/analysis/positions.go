package analysis

import "github.com/rubric-ls/rubric/core/text"

// Placement maps spans of a chunk to the file. The zero Placement is that of the whole file.
type Placement struct {
	start chunkStart
	file  *checkedFile
}

// ToFile converts a span of the chunk to the file.
func (p Placement) ToFile(span text.Span) text.Span {
	if p.file == nil {
		return span
	}
	return p.file.fileSpan(p.start, span)
}

// FromFile converts an offset of the file to the chunk.
func (p Placement) FromFile(offset int) int {
	if p.file == nil {
		return offset
	}
	begin, end := p.file.begin().offset, p.file.end().offset
	switch {
	case p.start.index >= 0:
		return offset - p.start.offset
	case offset < end:
		return min(offset, begin)
	}
	return offset - (end - begin)
}

// fileSpan converts a span of the chunk at start, or of the header, to the file.
func (cf *checkedFile) fileSpan(start chunkStart, span text.Span) text.Span {
	switch {
	case span.Start >= text.HeaderBase:
		return cf.headerSpan(span.Shift(-text.HeaderBase))
	case start.index < 0:
		return cf.headerSpan(span)
	}
	return span.Shift(start.offset)
}

// headerSpan converts a span of the header's text, which lacks the chunks, to the file.
func (cf *checkedFile) headerSpan(span text.Span) text.Span {
	begin, chunks := cf.begin().offset, cf.end().offset-cf.begin().offset
	switch {
	case span.Start >= begin:
		return span.Shift(chunks)
	case span.End > begin:
		return text.Span{Start: span.Start, End: span.End + chunks}
	}
	return span
}

// sourceAt returns the chunk or the part of the header at an offset, and its location.
func (l *layout) sourceAt(offset int) (*text.Source, location) {
	if i := l.chunkAtOffset(offset); i >= 0 {
		return l.entries[i].source, l.starts[i].location
	}
	return l.headerSource(offset < l.begin().offset)
}

// headerSource returns the header's text before or after the chunks, and its location.
func (l *layout) headerSource(before bool) (*text.Source, location) {
	if before {
		return text.New("", l.head), location{}
	}
	return text.New("", l.tail), l.end().location
}

// Length returns the length of the text in bytes.
func (a *Analysis) Length() int { return a.layout.length() }

// Position converts an offset, as [text.Source.OffsetPosition] does.
func (a *Analysis) Position(offset int, enc text.Encoding) text.Position {
	offset = min(max(offset, 0), a.layout.length())
	source, at := a.layout.sourceAt(offset)
	return at.position(source.OffsetPosition(offset-at.offset, enc), enc)
}

// position converts a position relative to l.
func (l location) position(relative text.Position, enc text.Encoding) text.Position {
	if relative.Line == 0 {
		relative.Character += l.columns[enc]
	}
	relative.Line += l.line
	return relative
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
	return at.shiftRange(source.SpanRange(local, enc), enc)
}

// shiftRange moves a range that is relative to l to its place in the file.
func (l location) shiftRange(relative text.Range, enc text.Encoding) text.Range {
	return text.Range{Start: l.position(relative.Start, enc), End: l.position(relative.End, enc)}
}

// RangeOf returns the range of a finding, as Range of its span does. For a finding of a chunk it
// uses the chunk's own text and start, and does not search the file for them.
func (a *Analysis) RangeOf(f Finding, enc text.Encoding) text.Range {
	if f.source == nil {
		return a.Range(f.SpanInFile(), enc)
	}
	return f.start.shiftRange(f.source.SpanRange(f.Span, enc), enc)
}

// Offset converts a position, as [text.Source.PositionOffset] does.
func (a *Analysis) Offset(p text.Position, enc text.Encoding) int {
	l := a.layout
	source, at := l.headerSource(!l.begin().isAtOrBefore(p, enc))
	if i := l.chunkAtPosition(p, enc); i >= 0 {
		source, at = l.entries[i].source, l.starts[i].location
	}
	if p.Line -= at.line; p.Line == 0 {
		p.Character -= at.columns[enc]
	}
	return at.offset + source.PositionOffset(p, enc)
}

// Span converts a range. If its ends are swapped, the span is empty at its start.
func (a *Analysis) Span(r text.Range, enc text.Encoding) text.Span {
	start, end := a.Offset(r.Start, enc), a.Offset(r.End, enc)
	return text.Span{Start: start, End: max(start, end)}
}

// Slice returns the text of a span, clamped to the file.
func (a *Analysis) Slice(span text.Span) string {
	start, end := max(span.Start, 0), min(span.End, a.layout.length())
	if start >= end {
		return ""
	}
	return a.layout.slice(start, end)
}
