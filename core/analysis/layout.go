package analysis

import (
	"io"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
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

// layout is a file's text in chunks. It is immutable.
type layout struct {
	division division
	key      string // with a header: the key of the list
	column   int    // with a header: the column of the items' dashes or brackets; may be adk.InlineColumn
	head     string // with a header: the text before the chunks
	tail     string // with a header: the text after the chunks
	body     string // the whole text, or "" after an edit
	entries  []entry
	starts   []chunkStart // of each entry, and of the text after the last
}

// entry is a chunk in a layout. Layouts share the entries that an edit does not change.
type entry struct {
	source     *text.Source
	isLast     bool // see chunkText
	endColumns columnWidths
	*resultSlot
}

// resultSlot holds the result of a chunk; nil until the chunk is checked. All layouts with
// the entry share the slot.
type resultSlot struct{ result *chunkResult }

// chunkStart is the location and the index of a chunk. An index of -1 stands for the header.
type chunkStart struct {
	location
	index int
}

// headerStart is the chunkStart of the header.
var headerStart = chunkStart{index: -1}

// location is a place in a file: offset, line, and the width of the text before it on its
// line.
type location struct {
	offset, line int
	columns      columnWidths
}

// columnWidths is a width by text.Encoding.
type columnWidths [3]int

// endColumns returns the width of a text's last line.
func endColumns(source *text.Source) (c columnWidths) {
	for enc := range c {
		c[enc] = source.OffsetPosition(len(source.Body), text.Encoding(enc)).Character
	}
	return c
}

// after returns the location at the end of an entry that starts at l.
func (l location) after(e *entry) location {
	next := location{l.offset + len(e.source.Body), l.line + e.source.Lines() - 1, e.endColumns}
	if next.line == l.line {
		for enc, before := range l.columns {
			next.columns[enc] += before
		}
	}
	return next
}

// isAtOrBefore reports whether l is at or before a position.
func (l location) isAtOrBefore(p text.Position, enc text.Encoding) bool {
	return l.line < p.Line || l.line == p.Line && l.columns[enc] <= p.Character
}

// divide lays out a text. It reuses the entries with which the previous text starts and ends.
func divide(path, body string, previous []entry) *layout {
	l := &layout{body: body}
	var spans []text.Span
	if agentv.CaseFormat(path) == "jsonl" {
		l.division, spans = jsonLines, yaml.SplitJSONL(body)
	} else if adk.IsJSON(path) {
		if cases := adk.SplitCases(body); cases != nil {
			l.division, l.key, l.column, spans = adkCases, cases.Key, cases.Column, cases.Cases
		}
	} else if list := splitYAML(body); list != nil {
		l.division, l.key, l.column, spans = yamlList, list.Key, list.Column, list.Items
	}
	if spans == nil {
		return undividedLayout(body)
	}
	if l.division.hasHeader() {
		l.head, l.tail = body[:spans[0].Start], body[spans[len(spans)-1].End:]
	}
	head := text.New("", l.head)
	begin := location{len(l.head), head.Lines() - 1, endColumns(head)}
	l.setEntries(begin, reuseEntries(l.cutTexts(body, spans, true), previous))
	return l
}

// splitYAML splits a YAML file of any version.
func splitYAML(body string) *yaml.ItemList {
	if list := yaml.SplitItems(body, agentv.CasesKey); list != nil {
		return list
	}
	return yaml.SplitItems(body, v4.CasesKeys...)
}

// undividedLayout is the layout of a text as one chunk.
func undividedLayout(body string) *layout {
	l := &layout{body: body}
	l.setEntries(location{}, reuseEntries([]chunkText{{body: body}}, nil))
	return l
}

// DivideReader divides a large file as Of does, without reading all of it into memory. It
// returns nil for a file that Of does not divide. Its errors are those of r.
func DivideReader(path string, r io.ReaderAt, size int64) (*yaml.ChunkedText, error) {
	switch {
	case agentv.CaseFormat(path) == "jsonl":
		return yaml.ChunkJSONL(r, size)
	case adk.IsJSON(path):
		return adk.SplitLong(r, size)
	}
	chunked, err := yaml.ChunkYAML(r, size, agentv.CasesKey)
	if chunked != nil || err != nil {
		return chunked, err
	}
	return yaml.ChunkYAML(r, size, v4.CasesKeys...)
}

// chunkText is the text of a new chunk.
type chunkText struct {
	body   string
	isLast bool // the last of ADK's cases, which has no comma after it
}

// cutTexts cuts a part of the text into chunks. toEnd says that it reaches the end of the list.
func (l *layout) cutTexts(body string, spans []text.Span, toEnd bool) []chunkText {
	texts := make([]chunkText, len(spans))
	for i, span := range spans {
		texts[i] = chunkText{body[span.Start:span.End], l.division == adkCases && toEnd && i == len(spans)-1}
	}
	return texts
}

// reuseEntries returns entries for texts. It reuses equal ones at the start and the end of
// previous.
func reuseEntries(texts []chunkText, previous []entry) []entry {
	isEqual := func(e entry, t chunkText) bool { return e.source.Body == t.body && e.isLast == t.isLast }
	entries := make([]entry, len(texts))
	first := 0
	for first < min(len(texts), len(previous)) && isEqual(previous[first], texts[first]) {
		entries[first] = previous[first]
		first++
	}
	end, last := len(texts), len(previous)
	for end > first && last > first && isEqual(previous[last-1], texts[end-1]) {
		end, last = end-1, last-1
		entries[end] = previous[last]
	}
	for i := first; i < end; i++ {
		source := text.New("", texts[i].body)
		entries[i] = entry{source, texts[i].isLast, endColumns(source), &resultSlot{}}
	}
	return entries
}

func (l *layout) setEntries(begin location, entries []entry) {
	l.entries, l.starts = entries, make([]chunkStart, 1, len(entries)+1)
	l.starts[0].location = begin
	for i := range entries {
		l.starts = append(l.starts, chunkStart{l.starts[i].after(&entries[i]), i + 1})
	}
}

// begin is the start of the first chunk, and end the end of the last one.
func (l *layout) begin() chunkStart { return l.starts[0] }
func (l *layout) end() chunkStart   { return l.starts[len(l.entries)] }

// all iterates over the chunks in order.
func (l *layout) all() iter.Seq2[chunkStart, *entry] {
	return func(yield func(chunkStart, *entry) bool) {
		for i := range l.entries {
			if !yield(l.starts[i], &l.entries[i]) {
				return
			}
		}
	}
}

// length returns the length of the text in bytes.
func (l *layout) length() int { return l.end().offset + len(l.tail) }

// chunkAtOffset returns the index of the chunk at an offset, the later one at a boundary. It
// is -1 in the header.
func (l *layout) chunkAtOffset(offset int) int {
	begin, end := l.begin().offset, l.end().offset
	if offset < begin || offset > end || offset == end && l.tail != "" {
		return -1
	}
	return sort.Search(len(l.entries)-1, func(i int) bool { return l.starts[i+1].offset > offset })
}

// chunkAtPosition returns the index of the chunk at a position, or -1 in the header.
func (l *layout) chunkAtPosition(p text.Position, enc text.Encoding) int {
	if end := l.end(); end.isAtOrBefore(p, enc) && (l.tail != "" || p.Line > end.line) || !l.begin().isAtOrBefore(p, enc) {
		return -1
	}
	return sort.Search(len(l.entries)-1, func(i int) bool { return !l.starts[i+1].isAtOrBefore(p, enc) })
}

func (l *layout) wholeText() string { return l.slice(0, l.length()) }

// slice returns the text from start to end.
func (l *layout) slice(start, end int) string {
	if l.body != "" {
		return l.body[start:end]
	}
	var b strings.Builder
	b.Grow(end - start)
	add := func(offset int, body string) {
		if from, to := max(start-offset, 0), min(end-offset, len(body)); from < to {
			b.WriteString(body[from:to])
		}
	}
	add(0, l.head)
	for i := max(l.chunkAtOffset(start), 0); i < len(l.entries) && l.starts[i].offset < end; i++ {
		add(l.starts[i].offset, l.entries[i].source.Body)
	}
	add(l.end().offset, l.tail)
	return b.String()
}

// edit returns the layout after an edit.
func (l *layout) edit(path string, e text.Edit) *layout {
	if next := l.editChunks(e); next != nil {
		return next
	}
	return divide(path, l.slice(0, e.Span.Start)+e.New+l.slice(e.Span.End, l.length()), l.entries)
}

// editChunks returns the layout after an edit inside the chunks: it divides those that the
// edit touches and their neighbours again. It returns nil if that is not enough.
func (l *layout) editChunks(e text.Edit) *layout {
	first, last := l.chunkAtOffset(e.Span.Start), l.chunkAtOffset(max(e.Span.Start, e.Span.End-1))
	if l.division == undivided || first < 0 || last < 0 {
		return nil
	}
	first, last = max(first-1, 0), min(last+2, len(l.entries))
	begin, end := l.starts[first].offset, l.starts[last].offset
	body := l.slice(begin, e.Span.Start) + e.New + l.slice(e.Span.End, end)
	spans := l.resplit(body, first, last)
	if spans == nil {
		return nil
	}
	next := *l
	next.body = ""
	edited := reuseEntries(l.cutTexts(body, spans, last == len(l.entries)), l.entries[first:last])
	next.setEntries(l.begin().location, slices.Concat(l.entries[:first], edited, l.entries[last:]))
	return &next
}

// resplit splits the new text of the chunks from first to before last.
func (l *layout) resplit(body string, first, last int) []text.Span {
	moreFollows := l.starts[last].offset < l.length()
	switch l.division {
	case jsonLines:
		return yaml.ResplitJSONL(body, moreFollows)
	case adkCases:
		return adk.ResplitCases(body, l.column, first == 0, last < len(l.entries))
	}
	return yaml.ResplitItems(body, l.column, moreFollows)
}
