// Package diagjson encodes a file's diagnostics as a JSON list for an editor. It reuses the encoded
// text of every diagnostic that the previous list had.
//
// A keystroke changes few diagnostics of a file with a thousand of them, and encoding all of them
// again would dominate the answer. The package knows only that an encoded diagnostic starts with its
// range.
package diagjson

import (
	"bytes"
	"strconv"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// A Cache holds the most recent list of a file. It is safe for concurrent use.
type Cache struct{ latest atomic.Pointer[encodedList] }

// encodedList is a finished list.
type encodedList struct {
	entries   map[any]entry
	size      int
	truncated bool
}

// entry is an encoded diagnostic without its leading range, and the range it was encoded for.
type entry struct {
	rng  text.Range
	json []byte
}

// A List is a JSON list of diagnostics under construction.
type List struct {
	cache    *Cache
	previous map[any]entry
	next     encodedList
	json     []byte
}

// NewList starts a list. End returns prefix followed by the list.
func (c *Cache) NewList(prefix string) *List {
	previous := c.latest.Load()
	if previous == nil {
		previous = new(encodedList)
	}
	buffer := make([]byte, 0, len(prefix)+previous.size+previous.size/8+2)
	return &List{c, previous.entries, encodedList{entries: make(map[any]entry, len(previous.entries))}, append(append(buffer, prefix...), '[')}
}

// MarkTruncated records that diagnostics are missing from the list.
func (l *List) MarkTruncated() { l.next.truncated = true }

// Add appends a diagnostic. encode returns its JSON, which starts with the range rng.
//
// Add does not call encode when the previous list had the same key with the same range. If movable
// is true, the range may differ: nothing else in the diagnostic depends on its position. A nil key
// is never reused.
func (l *List) Add(key any, rng text.Range, movable bool, encode func() []byte) {
	if l.json[len(l.json)-1] != '[' {
		l.json = append(l.json, ',')
	}
	if key == nil {
		l.json = append(l.json, encode()...)
		return
	}
	encoded, found := l.previous[key]
	if !found || encoded.rng != rng {
		if !found || !movable {
			whole := encode()
			encoded.json = whole[bytes.Index(whole, []byte("}}"))+2:]
		}
		encoded.rng = rng
	}
	l.next.entries[key] = encoded
	l.appendPosition(`{"range":{"start":{"line":`, rng.Start)
	l.appendPosition(`},"end":{"line":`, rng.End)
	l.json = append(append(l.json, "}}"...), encoded.json...)
}

func (l *List) appendPosition(prefix string, p text.Position) {
	l.json = strconv.AppendInt(append(l.json, prefix...), int64(p.Line), 10)
	l.json = strconv.AppendInt(append(l.json, `,"character":`...), int64(p.Character), 10)
}

// End returns the prefix and the list, and stores the list for the next NewList.
func (l *List) End() []byte {
	l.json = append(l.json, ']')
	l.next.size = len(l.json)
	l.cache.latest.Store(&l.next)
	return l.json
}

// Truncated reports whether diagnostics were missing from the most recent list.
func (c *Cache) Truncated() bool {
	latest := c.latest.Load()
	return latest != nil && latest.truncated
}
