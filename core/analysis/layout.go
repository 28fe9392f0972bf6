package analysis

import (
	"sort"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// division is the way in which a file is divided into chunks.
type division uint8

const (
	undivided division = iota // one chunk
	yamlList                  // the items of a YAML list; the rest is the header
	jsonLines                 // the lines of JSONL
	adkCases                  // the cases of one of ADK's JSON files; the rest is the header
)

// hasHeader reports whether the file has text outside its chunks.
func (d division) hasHeader() bool { return d == yamlList || d == adkCases }

// layout divides a text into chunks.
type layout struct {
	source   *text.Source
	division division
	key      string      // with a header: the key of the list
	chunks   []text.Span // at least one; they touch, and the header is the text around them
}

// divide lays out a text.
func divide(path string, source *text.Source) *layout {
	l, body := &layout{source: source}, source.Body
	var list *yaml.ItemList
	switch {
	case agentv.CaseFormat(path) == "jsonl":
		l.division, l.chunks = jsonLines, yaml.SplitJSONL(body)
	case adk.IsJSON(path):
		l.division, list = adkCases, adk.SplitCases(body)
	default:
		l.division = yamlList
		if list = yaml.SplitItems(body, agentv.CasesKey); list == nil {
			list = yaml.SplitItems(body, agentv.CasesKeys...)
		}
	}
	if list != nil {
		l.key, l.chunks = list.Key, list.Items
	}
	if l.chunks == nil {
		return undividedLayout(source)
	}
	return l
}

// undividedLayout is the layout of a text as one chunk.
func undividedLayout(source *text.Source) *layout {
	return &layout{source: source, chunks: []text.Span{source.Whole()}}
}

// head and tail are the header's text before and after the chunks.
func (l *layout) head() string { return l.source.Body[:l.chunks[0].Start] }
func (l *layout) tail() string { return l.source.Body[l.chunks[len(l.chunks)-1].End:] }

func (l *layout) text(i int) string { return l.source.Body[l.chunks[i].Start:l.chunks[i].End] }

// chunkAt returns the index of the chunk at an offset, the later one at a boundary. It is -1 in
// the header.
func (l *layout) chunkAt(offset int) int {
	last := len(l.chunks) - 1
	if end := l.chunks[last].End; offset < l.chunks[0].Start || offset > end || offset == end && end < len(l.source.Body) {
		return -1
	}
	return sort.Search(last, func(i int) bool { return l.chunks[i+1].Start > offset })
}

// Placement maps spans of a chunk to the file. The zero Placement is that of the whole file.
type Placement struct {
	file  *checkedFile
	index int // of the chunk; -1 for the header
}

// ToFile converts a span of the chunk to the file.
func (p Placement) ToFile(span text.Span) text.Span {
	if p.file == nil {
		return span
	}
	return p.file.fileSpan(p.index, span)
}

// FromFile converts an offset of the file to the chunk.
func (p Placement) FromFile(offset int) int {
	if p.file == nil {
		return offset
	}
	if p.index >= 0 {
		return offset - p.file.chunks[p.index].Start
	}
	begin, end := p.file.chunks[0].Start, p.file.chunks[len(p.file.chunks)-1].End
	if offset < end {
		return min(offset, begin)
	}
	return offset - (end - begin)
}

// fileSpan converts a span of a chunk to the file. The index -1 stands for the header.
func (cf *checkedFile) fileSpan(i int, span text.Span) text.Span {
	switch {
	case span.Start >= text.HeaderBase:
		return cf.headerSpan(span.Shift(-text.HeaderBase))
	case i < 0:
		return cf.headerSpan(span)
	}
	return span.Shift(cf.chunks[i].Start)
}

// headerSpan converts a span of the header's text, which lacks the chunks, to the file.
func (cf *checkedFile) headerSpan(span text.Span) text.Span {
	begin, end := cf.chunks[0].Start, cf.chunks[len(cf.chunks)-1].End
	switch {
	case span.Start >= begin:
		return span.Shift(end - begin)
	case span.End > begin:
		return text.Span{Start: span.Start, End: span.End + end - begin}
	}
	return span
}

// Body returns the text.
func (a *Analysis) Body() string { return a.source.Body }

// Length returns the length of the text in bytes.
func (a *Analysis) Length() int { return len(a.source.Body) }

// Span converts a range. If its ends are swapped, the span is empty at its start.
func (a *Analysis) Span(r text.Range, enc text.Encoding) text.Span {
	start, end := a.source.PositionOffset(r.Start, enc), a.source.PositionOffset(r.End, enc)
	return text.Span{Start: start, End: max(start, end)}
}
