package yaml

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// ChunkedText is how a long text divides into pieces, few of which need be held at a time.
// The pieces touch, and what stands around them is Head and Tail.
type ChunkedText struct {
	Head, Tail string
	Chunks     []text.Span
	Separator  string // what ends each piece but the last, before white space, and is no part of it; "" for nothing

	lastItems int // how many items or lines the last piece has
}

// A piece of a long text has so many items or lines, or bytes, about: enough for
// the work at its ends not to count.
const (
	itemsPerChunk = 64
	chunkBytes    = 1 << 18
)

// A long text is looked at through a window, which is made wider up to a limit
// where what it shows may mean something else in sight of what comes after.
const (
	minWindow = 1 << 20
	maxWindow = 16 << 20
)

// A ItemFinder gives the items that a window on a text shows, which touch, and where the last
// of them ends: at the end of the window if it may go on behind that, -1 if that cannot
// be told. First and last say which ends of the text it shows.
type ItemFinder func(body string, first, last bool) (items []text.Span, end int)

// ChunkYAML divides a text of so many bytes as [Split] does, into pieces of some
// items. It gives nil where Split would, and where too much of the text has to be
// seen to tell. An error is r's.
func ChunkYAML(r io.ReaderAt, size int64, keys ...string) (*ChunkedText, error) {
	l := &ItemList{}
	return ChunkFunc(r, size, wholeLines(func(body string, first, last bool) ([]text.Span, int) {
		from := 0
		if first {
			if from = l.findFirstItem(body, keys); from < 0 {
				return nil, -1
			}
		}
		l.Items = nil
		end := l.scanItems(body, from)
		if end < 0 || last && hasMoreLists(body, end, keys) {
			return nil, -1
		}
		return l.Items, end
	}))
}

// ChunkJSONL divides JSONL of so many bytes as [SplitLines] does, into pieces
// of some lines; see [SplitLong].
func ChunkJSONL(r io.ReaderAt, size int64) (*ChunkedText, error) {
	return ChunkFunc(r, size, wholeLines(func(body string, _, _ bool) ([]text.Span, int) {
		if spans := SplitJSONL(body); spans != nil {
			return spans, len(body)
		}
		return nil, -1
	}))
}

// wholeLines is a cut that is shown whole lines, none of them odd.
func wholeLines(find ItemFinder) ItemFinder {
	return func(body string, first, last bool) ([]text.Span, int) {
		shown := body
		if !last {
			shown = body[:strings.LastIndexByte(body, '\n')+1]
		}
		if isUnsplittable(shown) {
			return nil, -1
		}
		items, end := find(shown, first, last)
		if end == len(shown) {
			end = len(body)
		}
		return items, end
	}
}

// ChunkFunc divides a text of so many bytes into pieces of some of the items that cut
// finds. It gives nil where those cannot be told, or too much of the text has to be
// seen to tell. An error is r's.
func ChunkFunc(r io.ReaderAt, size int64, find ItemFinder) (*ChunkedText, error) {
	c, width := &ChunkedText{}, minWindow
	for pos := 0; ; {
		last := int(size)-pos <= width
		body, err := readWindow(r, pos, min(width, int(size)-pos))
		if err != nil {
			return nil, err
		}
		items, end := find(body, pos == 0, last)
		if pos == 0 && len(items) > 0 {
			c.Head = strings.Clone(body[:items[0].Start])
		}
		switch {
		case end < 0:
			return nil, nil
		case last:
			c.Tail = strings.Clone(body[end:])
			c.addItems(pos, items)
			return c, nil
		case end == len(body) && len(items) > 1: // of which the last may go on
			next := len(items) - 1
			c.addItems(pos, items[:next])
			pos, width = pos+items[next].Start, minWindow
		case width == maxWindow:
			return nil, nil
		default:
			width *= 2
		}
	}
}

// readWindow is what a window at some place shows.
func readWindow(r io.ReaderAt, pos, width int) (string, error) {
	var b strings.Builder
	b.Grow(width)
	_, err := io.CopyN(&b, io.NewSectionReader(r, int64(pos), int64(width)), int64(width))
	return b.String(), err
}

// addItems puts items of the window at some place into pieces.
func (c *ChunkedText) addItems(pos int, items []text.Span) {
	for _, item := range items {
		item = item.Shift(pos)
		if n := len(c.Chunks) - 1; n >= 0 && c.lastItems < itemsPerChunk && item.End-c.Chunks[n].Start <= chunkBytes {
			c.Chunks[n].End = item.End
			c.lastItems++
			continue
		}
		c.Chunks, c.lastItems = append(c.Chunks, item), 1
	}
}
