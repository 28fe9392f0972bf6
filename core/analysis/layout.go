package analysis

import (
	"slices"
	"sort"
	"strings"

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
)

// layout is a file's text in pieces. It never changes.
type layout struct {
	form   form
	key    string // listed: what the list is under
	column int    // listed: of the items' dashes
	head   string // listed: what stands before the pieces
	tail   string // listed: and after them
	pieces []piece
	places []place // where each piece begins, and the last one ends
}

// place is where a piece begins: its first byte and its first line.
type place struct{ offset, line int }

// divide lays out a text. What stands in old as it is there is taken over.
func divide(path, body string, old []piece) *layout {
	l := &layout{}
	var spans []text.Span
	if agentv.Format(path) == "jsonl" {
		l.form, spans = lines, yaml.SplitLines(body)
	} else if o := outline(body); o != nil {
		l.form, l.key, l.column, spans = listed, o.Key, o.Column, o.Items
		l.head, l.tail = body[:spans[0].Start], body[spans[len(spans)-1].End:]
	}
	if spans == nil {
		return whole(body)
	}
	l.pieces = shared(cut(body, spans), old)
	l.places = lay(place{len(l.head), strings.Count(l.head, "\n")}, l.pieces)
	return l
}

// whole is the layout of a text in one piece.
func whole(body string) *layout {
	l := &layout{pieces: []piece{{source: text.New("", body)}}}
	l.places = lay(place{}, l.pieces)
	return l
}

// outline divides a YAML file of any version.
func outline(body string) *yaml.Outline {
	if o := yaml.Split(body, agentv.CasesKey); o != nil {
		return o
	}
	return yaml.Split(body, newer.CasesKeys...)
}

func cut(body string, spans []text.Span) []string {
	texts := make([]string, len(spans))
	for i, span := range spans {
		texts[i] = body[span.Start:span.End]
	}
	return texts
}

// shared are pieces for some texts: those that old begins and ends with are
// taken from there.
func shared(texts []string, old []piece) []piece {
	pieces := make([]piece, len(texts))
	first := 0
	for first < min(len(texts), len(old)) && texts[first] == old[first].source.Body {
		pieces[first] = old[first]
		first++
	}
	end, last := len(texts), len(old)
	for end > first && last > first && texts[end-1] == old[last-1].source.Body {
		end, last = end-1, last-1
		pieces[end] = old[last]
	}
	for i := first; i < end; i++ {
		pieces[i].source = text.New("", texts[i])
		if len(texts) == len(old) {
			pieces[i].was = old[i].last()
		}
	}
	return pieces
}

// lay gives places to pieces, the first of which is at begin, and to the end.
func lay(begin place, pieces []piece) []place {
	places := make([]place, 1, len(pieces)+1)
	places[0] = begin
	for _, p := range pieces {
		begin.offset += len(p.source.Body)
		begin.line += p.source.Lines() - 1
		places = append(places, begin)
	}
	return places
}

// begin and end are where the pieces do.
func (l *layout) begin() int { return l.places[0].offset }
func (l *layout) end() int   { return l.places[len(l.pieces)].offset }

// length is that of the text in bytes.
func (l *layout) length() int { return l.end() + len(l.tail) }

// pieceAt is the piece that holds an offset; where two meet, the later one. It
// is -1 in what stands around them.
func (l *layout) pieceAt(offset int) int {
	if offset < l.begin() || offset > l.end() || offset == l.end() && l.tail != "" {
		return -1
	}
	after := sort.Search(len(l.pieces), func(i int) bool { return l.places[i].offset > offset })
	return after - 1
}

// pieceOfLine is the piece that a line begins in, -1 if none.
func (l *layout) pieceOfLine(line int) int {
	last := l.places[len(l.pieces)]
	if line < l.places[0].line || line > last.line || line == last.line && l.tail != "" {
		return -1
	}
	after := sort.Search(len(l.pieces), func(i int) bool { return l.places[i].line > line })
	return after - 1
}

// slice is the text from start to end.
func (l *layout) slice(start, end int) string {
	var b strings.Builder
	b.Grow(end - start)
	add := func(at int, body string) {
		if from, to := max(start-at, 0), min(end-at, len(body)); from < to {
			b.WriteString(body[from:to])
		}
	}
	add(0, l.head)
	for i := max(l.pieceAt(max(start, l.begin())), 0); i < len(l.pieces) && l.places[i].offset < end; i++ {
		add(l.places[i].offset, l.pieces[i].source.Body)
	}
	add(l.end(), l.tail)
	return b.String()
}

// edited is the layout after an edit: the pieces it touches and those beside them
// are divided anew, or, where the edit changes more than pieces, all of it.
func (l *layout) edited(path string, e text.Edit) *layout {
	if next := l.within(e); next != nil {
		return next
	}
	return divide(path, l.slice(0, e.Span.Start)+e.New+l.slice(e.Span.End, l.length()), l.pieces)
}

// within is the layout after an edit inside some pieces, nil if it is none.
func (l *layout) within(e text.Edit) *layout {
	first, last := l.pieceAt(e.Span.Start), l.pieceAt(max(e.Span.Start, e.Span.End-1))
	if l.form == undivided || first < 0 || last < 0 {
		return nil
	}
	first, last = max(first-1, 0), min(last+2, len(l.pieces))
	begin, end := l.places[first], l.places[last]
	body := l.slice(begin.offset, e.Span.Start) + e.New + l.slice(e.Span.End, end.offset)
	spans := l.resplit(body, end.offset < l.length())
	if spans == nil {
		return nil
	}
	next := *l
	between := shared(cut(body, spans), l.pieces[first:last])
	next.pieces = slices.Concat(l.pieces[:first], between, l.pieces[last:])
	next.places = slices.Grow(slices.Clone(l.places[:first]), len(next.pieces)+1-first)
	next.places = append(next.places, lay(begin, between)...)
	moved := next.places[len(next.places)-1]
	for _, p := range l.places[last+1:] {
		next.places = append(next.places, place{p.offset + moved.offset - end.offset, p.line + moved.line - end.line})
	}
	return &next
}

// resplit divides a stretch of the text that begins and ends where pieces did.
func (l *layout) resplit(body string, more bool) []text.Span {
	if l.form == lines {
		return yaml.ResplitLines(body, more)
	}
	return yaml.Resplit(body, l.column, more)
}
