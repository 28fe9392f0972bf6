package yaml

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// ChunkedText is the division of a long text into chunks, of which only a few need to be in memory.
// The chunks touch; Head and Tail are the text around them.
type ChunkedText struct {
	Head, Tail string
	Chunks     []text.Span
	Separator  string // ends each chunk but the last, before white space, and is no part of it; "" for none

	lastItems int // number of items or lines in the last chunk
}

// A chunk holds about so many items or lines, or so many bytes. This is enough to make the work at
// its ends negligible.
const (
	itemsPerChunk = 64
	chunkBytes    = 1 << 18
)

// A long text is read through a window. The window grows to maxWindow while its items depend on the
// text after it.
const (
	minWindow = 1 << 20
	maxWindow = 16 << 20
)

// An ItemFinder returns the touching items in a window on a text, and where the last of them ends.
// The end is len(body) if the last item may continue behind the window, -1 if the items cannot be
// determined. first and last say which ends of the text the window shows.
type ItemFinder func(body string, first, last bool) (items []text.Span, end int)

// ChunkYAML divides a text of size bytes as [SplitItems] does, into chunks of items. It returns nil
// where SplitItems would, and where too much of the text is needed to decide. The error is that of
// r.
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

// ChunkJSONL divides JSONL of size bytes as [SplitJSONL] does, into chunks of lines. See
// [ChunkYAML].
func ChunkJSONL(r io.ReaderAt, size int64) (*ChunkedText, error) {
	return ChunkFunc(r, size, wholeLines(func(body string, _, _ bool) ([]text.Span, int) {
		if spans := SplitJSONL(body); spans != nil {
			return spans, len(body)
		}
		return nil, -1
	}))
}

// wholeLines wraps find so that it sees whole lines of splittable text only.
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

// ChunkFunc divides a text of size bytes into chunks of the items that find returns. It returns nil
// where the items cannot be determined, or where too much of the text is needed to decide. The
// error is that of r.
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
		case end == len(body) && len(items) > 1: // the last item may continue
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

func readWindow(r io.ReaderAt, pos, width int) (string, error) {
	var b strings.Builder
	b.Grow(width)
	_, err := io.CopyN(&b, io.NewSectionReader(r, int64(pos), int64(width)), int64(width))
	return b.String(), err
}

// addItems adds the items of the window at pos to the chunks.
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
