package analysis

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// division is how a file is divided.
type division uint8

const (
	undivided division = iota // one piece, which is all
	yamlList                  // the items of a YAML list, and what stands around it
	jsonLines                 // the lines of JSONL
	adkCases                  // the cases of a file of ADK in JSON, and what stands around them
)

// hasHeader reports whether something stands around the pieces.
func (d division) hasHeader() bool { return d == yamlList || d == adkCases }

// layout is a file's text in pieces. It never changes.
type layout struct {
	division division
	key      string // framed: what the list is under
	column   int    // framed: of the items' dashes or brackets; of cases that share lines adk.Inline
	head     string // framed: what stands before the pieces
	tail     string // framed: and after them
	body     string // all of it, where it is at hand in one; else ""
	chunkIndex
}

// divide lays out a text. What begins or ends it as it does old is taken over.
func divide(path, body string, previous []entry) *layout {
	l := &layout{body: body}
	var spans []text.Span
	if agentv.CaseFormat(path) == "jsonl" {
		l.division, spans = jsonLines, yaml.SplitJSONL(body)
	} else if adk.IsJSON(path) {
		if o := adk.SplitCases(body); o != nil {
			l.division, l.key, l.column, spans = adkCases, o.Key, o.Column, o.Cases
		}
	} else if o := splitYAML(body); o != nil {
		l.division, l.key, l.column, spans = yamlList, o.Key, o.Column, o.Items
	}
	if spans == nil {
		return undividedLayout(body)
	}
	if l.division.hasHeader() {
		l.head, l.tail = body[:spans[0].Start], body[spans[len(spans)-1].End:]
	}
	head := text.New("", l.head)
	l.chunkIndex = newChunkIndex(location{len(l.head), head.Lines() - 1, endColumns(head)}, reuseEntries(l.cutTexts(body, spans, true), previous))
	return l
}

// DivideReader divides a long file of cases as Of does, while few of them are held. It
// gives nil for what is read as a whole. An error is r's.
func DivideReader(path string, r io.ReaderAt, size int64) (*yaml.ChunkedText, error) {
	switch {
	case agentv.CaseFormat(path) == "jsonl":
		return yaml.ChunkJSONL(r, size)
	case adk.IsJSON(path):
		return adk.SplitLong(r, size)
	}
	long, err := yaml.ChunkYAML(r, size, agentv.CasesKey)
	if long != nil || err != nil {
		return long, err
	}
	return yaml.ChunkYAML(r, size, v4.CasesKeys...)
}

// undividedLayout is the layout of a text in one piece.
func undividedLayout(body string) *layout {
	return &layout{body: body, chunkIndex: newChunkIndex(location{}, []entry{newEntry(body, false)})}
}

// splitYAML divides a YAML file of any version.
func splitYAML(body string) *yaml.ItemList {
	if o := yaml.SplitItems(body, agentv.CasesKey); o != nil {
		return o
	}
	return yaml.SplitItems(body, v4.CasesKeys...)
}

// chunkText is the text of a piece to be.
type chunkText struct {
	body   string
	isLast bool // no piece comes after it, for a form in which that makes a difference
}

// cutTexts are what a stretch of the text is cut into; all says that it goes to the
// end of the list.
func (l *layout) cutTexts(body string, spans []text.Span, toEnd bool) []chunkText {
	texts := make([]chunkText, len(spans))
	for i, span := range spans {
		texts[i] = chunkText{body[span.Start:span.End], l.division == adkCases && toEnd && i == len(spans)-1}
	}
	return texts
}

// reuseEntries are pieces for some texts: those that old begins and ends with are
// taken from there.
func reuseEntries(texts []chunkText, previous []entry) []entry {
	pieces := make([]entry, len(texts))
	first := 0
	for first < min(len(texts), len(previous)) && previous[first].hasText(texts[first]) {
		pieces[first] = previous[first]
		first++
	}
	end, last := len(texts), len(previous)
	for end > first && last > first && previous[last-1].hasText(texts[end-1]) {
		end, last = end-1, last-1
		pieces[end] = previous[last]
	}
	for i := first; i < end; i++ {
		pieces[i] = newEntry(texts[i].body, texts[i].isLast)
	}
	return pieces
}

// length is that of the text in bytes.
func (l *layout) length() int { return l.end().offset + len(l.tail) }

// chunkAtOffset is the piece that holds an offset; where two meet, the later one. It
// is -1 in what stands around them.
func (l *layout) chunkAtOffset(offset int) int {
	if !l.isInChunk(offset) {
		return -1
	}
	b, i := l.findOffset(offset)
	return l.starts[b].index + i
}

// isInChunk reports whether an offset is in a piece, not in what stands around them.
func (l *layout) isInChunk(offset int) bool {
	begin, end := l.begin().offset, l.end().offset
	return begin <= offset && (offset < end || offset == end && l.tail == "")
}

// chunkAtPosition is the piece that holds a position, -1 if none.
func (l *layout) chunkAtPosition(p text.Position, enc text.Encoding) int {
	if end := l.end().location; end.isAtOrBefore(p, enc) && (l.tail != "" || p.Line > end.line) || !l.begin().isAtOrBefore(p, enc) {
		return -1
	}
	return l.findLast(func(at location) bool { return at.isAtOrBefore(p, enc) })
}

// isAtOrBefore reports whether a position is here or after this.
func (l location) isAtOrBefore(at text.Position, enc text.Encoding) bool {
	return l.line < at.Line || l.line == at.Line && l.columns[enc] <= at.Character
}

// slice is the text from start to end.
func (l *layout) slice(start, end int) string {
	if l.body != "" {
		return l.body[start:end]
	}
	var b strings.Builder
	b.Grow(end - start)
	add := func(at int, body string) {
		if from, to := max(start-at, 0), min(end-at, len(body)); from < to {
			b.WriteString(body[from:to])
		}
	}
	add(0, l.head)
	i := max(l.chunkAtOffset(max(start, l.begin().offset)), 0)
	for at := l.startOf(i).location; i < l.chunkCount() && at.offset < end; i++ {
		p := l.entry(i)
		add(at.offset, p.source.Body)
		at = at.addEntry(*p)
	}
	add(l.end().offset, l.tail)
	return b.String()
}

// edit is the layout after an edit: the pieces it touches and those beside them
// are divided anew, or, where the edit changes more than pieces, all of it.
func (l *layout) edit(path string, e text.Edit) *layout {
	if next := l.editChunks(e); next != nil {
		return next
	}
	return divide(path, l.slice(0, e.Span.Start)+e.New+l.slice(e.Span.End, l.length()), l.entryRange(0, l.chunkCount()))
}

// editChunks is the layout after an edit inside some pieces, nil if it is none.
func (l *layout) editChunks(e text.Edit) *layout {
	first, last := l.chunkAtOffset(e.Span.Start), l.chunkAtOffset(max(e.Span.Start, e.Span.End-1))
	if l.division == undivided || first < 0 || last < 0 {
		return nil
	}
	first, last = max(first-1, 0), min(last+2, l.chunkCount())
	begin, end := l.startOf(first).offset, l.startOf(last).offset
	body := l.slice(begin, e.Span.Start) + e.New + l.slice(e.Span.End, end)
	spans := l.resplit(body, first, last)
	if spans == nil {
		return nil
	}
	next := *l
	next.body = ""
	next.chunkIndex = l.splice(first, last, reuseEntries(l.cutTexts(body, spans, last == l.chunkCount()), l.entryRange(first, last)))
	return &next
}

// resplit divides a stretch of the text that begins where the first of some pieces
// did, and ends where the one before last did.
func (l *layout) resplit(body string, first, last int) []text.Span {
	end := l.startOf(last).offset
	switch l.division {
	case jsonLines:
		return yaml.ResplitJSONL(body, end < l.length())
	case adkCases:
		return adk.ResplitCases(body, l.column, first == 0, last < l.chunkCount())
	}
	return yaml.ResplitItems(body, l.column, end < l.length())
}
