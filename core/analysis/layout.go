package analysis

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// form is how a file is divided.
type form uint8

const (
	undivided form = iota // one piece, which is all
	listed                // the items of a YAML list, and what stands around it
	lines                 // the lines of JSONL
	cases                 // the cases of a file of ADK in JSON, and what stands around them
)

// framed reports whether something stands around the pieces.
func (f form) framed() bool { return f == listed || f == cases }

// layout is a file's text in pieces. It never changes.
type layout struct {
	form   form
	key    string // framed: what the list is under
	column int    // framed: of the items' dashes or brackets; of cases that share lines adk.Inline
	head   string // framed: what stands before the pieces
	tail   string // framed: and after them
	body   string // all of it, where it is at hand in one; else ""
	row
}

// divide lays out a text. What begins or ends it as it does old is taken over.
func divide(path, body string, old []piece) *layout {
	l := &layout{body: body}
	var spans []text.Span
	if agentv.Format(path) == "jsonl" {
		l.form, spans = lines, yaml.SplitLines(body)
	} else if adk.IsJSON(path) {
		if o := adk.Split(body); o != nil {
			l.form, l.key, l.column, spans = cases, o.Key, o.Column, o.Cases
		}
	} else if o := outline(body); o != nil {
		l.form, l.key, l.column, spans = listed, o.Key, o.Column, o.Items
	}
	if spans == nil {
		return whole(body)
	}
	if l.form.framed() {
		l.head, l.tail = body[:spans[0].Start], body[spans[len(spans)-1].End:]
	}
	head := text.New("", l.head)
	l.row = newRow(place{len(l.head), head.Lines() - 1, ending(head)}, shared(l.pieces(body, spans, true), old))
	return l
}

// DivideLong divides a long file of cases as Of does, while few of them are held. It
// gives nil for what is read as a whole. An error is r's.
func DivideLong(path string, r io.ReaderAt, size int64) (*yaml.Long, error) {
	switch {
	case agentv.Format(path) == "jsonl":
		return yaml.SplitLongLines(r, size)
	case adk.IsJSON(path):
		return adk.SplitLong(r, size)
	}
	long, err := yaml.SplitLong(r, size, agentv.CasesKey)
	if long != nil || err != nil {
		return long, err
	}
	return yaml.SplitLong(r, size, newer.CasesKeys...)
}

// whole is the layout of a text in one piece.
func whole(body string) *layout {
	return &layout{body: body, row: newRow(place{}, []piece{newPiece(body, false)})}
}

// outline divides a YAML file of any version.
func outline(body string) *yaml.Outline {
	if o := yaml.Split(body, agentv.CasesKey); o != nil {
		return o
	}
	return yaml.Split(body, newer.CasesKeys...)
}

// cutting is the text of a piece to be.
type cutting struct {
	body string
	last bool // no piece comes after it, for a form in which that makes a difference
}

// pieces are what a stretch of the text is cut into; all says that it goes to the
// end of the list.
func (l *layout) pieces(body string, spans []text.Span, all bool) []cutting {
	texts := make([]cutting, len(spans))
	for i, span := range spans {
		texts[i] = cutting{body[span.Start:span.End], l.form == cases && all && i == len(spans)-1}
	}
	return texts
}

// shared are pieces for some texts: those that old begins and ends with are
// taken from there.
func shared(texts []cutting, old []piece) []piece {
	pieces := make([]piece, len(texts))
	first := 0
	for first < min(len(texts), len(old)) && old[first].is(texts[first]) {
		pieces[first] = old[first]
		first++
	}
	end, last := len(texts), len(old)
	for end > first && last > first && old[last-1].is(texts[end-1]) {
		end, last = end-1, last-1
		pieces[end] = old[last]
	}
	for i := first; i < end; i++ {
		pieces[i] = newPiece(texts[i].body, texts[i].last)
	}
	return pieces
}

// length is that of the text in bytes.
func (l *layout) length() int { return l.end().offset + len(l.tail) }

// pieceAt is the piece that holds an offset; where two meet, the later one. It
// is -1 in what stands around them.
func (l *layout) pieceAt(offset int) int {
	if !l.inPiece(offset) {
		return -1
	}
	b, i := l.holder(offset)
	return l.starts[b].piece + i
}

// inPiece reports whether an offset is in a piece, not in what stands around them.
func (l *layout) inPiece(offset int) bool {
	begin, end := l.begin().offset, l.end().offset
	return begin <= offset && (offset < end || offset == end && l.tail == "")
}

// pieceOf is the piece that holds a position, -1 if none.
func (l *layout) pieceOf(p text.Position, enc text.Encoding) int {
	if end := l.end().place; end.upTo(p, enc) && (l.tail != "" || p.Line > end.line) || !l.begin().upTo(p, enc) {
		return -1
	}
	return l.find(func(at place) bool { return at.upTo(p, enc) })
}

// upTo reports whether a position is here or after this.
func (p place) upTo(at text.Position, enc text.Encoding) bool {
	return p.line < at.Line || p.line == at.Line && p.column[enc] <= at.Character
}

// part is the text from start to end.
func (l *layout) part(start, end int) string {
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
	i := max(l.pieceAt(max(start, l.begin().offset)), 0)
	for at := l.start(i).place; i < l.count() && at.offset < end; i++ {
		p := l.at(i)
		add(at.offset, p.source.Body)
		at = at.after(*p)
	}
	add(l.end().offset, l.tail)
	return b.String()
}

// edited is the layout after an edit: the pieces it touches and those beside them
// are divided anew, or, where the edit changes more than pieces, all of it.
func (l *layout) edited(path string, e text.Edit) *layout {
	if next := l.within(e); next != nil {
		return next
	}
	return divide(path, l.part(0, e.Span.Start)+e.New+l.part(e.Span.End, l.length()), l.some(0, l.count()))
}

// within is the layout after an edit inside some pieces, nil if it is none.
func (l *layout) within(e text.Edit) *layout {
	first, last := l.pieceAt(e.Span.Start), l.pieceAt(max(e.Span.Start, e.Span.End-1))
	if l.form == undivided || first < 0 || last < 0 {
		return nil
	}
	first, last = max(first-1, 0), min(last+2, l.count())
	begin, end := l.start(first).offset, l.start(last).offset
	body := l.part(begin, e.Span.Start) + e.New + l.part(e.Span.End, end)
	spans := l.resplit(body, first, last)
	if spans == nil {
		return nil
	}
	next := *l
	next.body = ""
	next.row = l.spliced(first, last, shared(l.pieces(body, spans, last == l.count()), l.some(first, last)))
	return &next
}

// resplit divides a stretch of the text that begins where the first of some pieces
// did, and ends where the one before last did.
func (l *layout) resplit(body string, first, last int) []text.Span {
	end := l.start(last).offset
	switch l.form {
	case lines:
		return yaml.ResplitLines(body, end < l.length())
	case cases:
		return adk.Resplit(body, l.column, first == 0, last < l.count())
	}
	return yaml.Resplit(body, l.column, end < l.length())
}
