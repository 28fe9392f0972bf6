package text

import "sync"

// columnIndex are the units before some places of a text, so that a column in a long
// line costs no walk over all that stands before it.
type columnIndex struct {
	once        sync.Once
	checkpoints []checkpoint // the nth is the first character from n * markEvery on
}

// checkpoint is a character's offset and what stands before it in the text.
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

// spanUnits is the width of a span that begins and ends with characters.
func (s *Source) spanUnits(span Span, enc Encoding) int {
	if enc == UTF8 || span.Len() < 2*checkpointEvery {
		return countUnits(s.Body[span.Start:span.End], enc)
	}
	s.columns.once.Do(func() { s.columns.build(s.Body) })
	return s.unitsBefore(span.End, enc) - s.unitsBefore(span.Start, enc)
}

// unitsBefore is the width of the text before an offset.
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
