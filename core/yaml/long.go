package yaml

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// Long is how a long text divides into pieces, few of which need be held at a time.
// The pieces touch, and what stands around them is Head and Tail.
type Long struct {
	Head, Tail string
	Pieces     []text.Span
	Joint      string // what ends each piece but the last, before white space, and is no part of it; "" for nothing

	last int // how many items or lines the last piece has
}

// A piece of a long text has so many items or lines, or bytes, about: enough for
// the work at its ends not to count.
const (
	perPiece   = 64
	pieceBytes = 1 << 18
)

// A long text is looked at through a window, which is made wider up to a limit
// where what it shows may mean something else in sight of what comes after.
const (
	window     = 1 << 20
	mostWindow = 16 << 20
)

// A Cut gives the items that a window on a text shows, which touch, and where the last
// of them ends: at the end of the window if it may go on behind that, -1 if that cannot
// be told. First and last say which ends of the text it shows.
type Cut func(body string, first, last bool) (items []text.Span, end int)

// SplitLong divides a text of so many bytes as [Split] does, into pieces of some
// items. It gives nil where Split would, and where too much of the text has to be
// seen to tell. An error is r's.
func SplitLong(r io.ReaderAt, size int64, keys ...string) (*Long, error) {
	o := &Outline{}
	return DivideLong(r, size, inLines(func(body string, first, last bool) ([]text.Span, int) {
		from := 0
		if first {
			if from = o.begin(body, keys); from < 0 {
				return nil, -1
			}
		}
		o.Items = nil
		end := o.items(body, from)
		if end < 0 || last && resumes(body, end, keys) {
			return nil, -1
		}
		return o.Items, end
	}))
}

// SplitLongLines divides JSONL of so many bytes as [SplitLines] does, into pieces
// of some lines; see [SplitLong].
func SplitLongLines(r io.ReaderAt, size int64) (*Long, error) {
	return DivideLong(r, size, inLines(func(body string, _, _ bool) ([]text.Span, int) {
		if spans := SplitLines(body); spans != nil {
			return spans, len(body)
		}
		return nil, -1
	}))
}

// inLines is a cut that is shown whole lines, none of them odd.
func inLines(cut Cut) Cut {
	return func(body string, first, last bool) ([]text.Span, int) {
		shown := body
		if !last {
			shown = body[:strings.LastIndexByte(body, '\n')+1]
		}
		if odd(shown) {
			return nil, -1
		}
		items, end := cut(shown, first, last)
		if end == len(shown) {
			end = len(body)
		}
		return items, end
	}
}

// DivideLong divides a text of so many bytes into pieces of some of the items that cut
// finds. It gives nil where those cannot be told, or too much of the text has to be
// seen to tell. An error is r's.
func DivideLong(r io.ReaderAt, size int64, cut Cut) (*Long, error) {
	l, width := &Long{}, window
	for at := 0; ; {
		last := int(size)-at <= width
		body, err := look(r, at, min(width, int(size)-at))
		if err != nil {
			return nil, err
		}
		items, end := cut(body, at == 0, last)
		if at == 0 && len(items) > 0 {
			l.Head = strings.Clone(body[:items[0].Start])
		}
		switch {
		case end < 0:
			return nil, nil
		case last:
			l.Tail = strings.Clone(body[end:])
			l.add(at, items)
			return l, nil
		case end == len(body) && len(items) > 1: // of which the last may go on
			next := len(items) - 1
			l.add(at, items[:next])
			at, width = at+items[next].Start, window
		case width == mostWindow:
			return nil, nil
		default:
			width *= 2
		}
	}
}

// look is what a window at some place shows.
func look(r io.ReaderAt, at, width int) (string, error) {
	var b strings.Builder
	b.Grow(width)
	_, err := io.CopyN(&b, io.NewSectionReader(r, int64(at), int64(width)), int64(width))
	return b.String(), err
}

// add puts items of the window at some place into pieces.
func (l *Long) add(at int, items []text.Span) {
	for _, item := range items {
		item = item.Shift(at)
		if n := len(l.Pieces) - 1; n >= 0 && l.last < perPiece && item.End-l.Pieces[n].Start <= pieceBytes {
			l.Pieces[n].End = item.End
			l.last++
			continue
		}
		l.Pieces, l.last = append(l.Pieces, item), 1
	}
}
