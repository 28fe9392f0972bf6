package diagjson

import (
	"bytes"
	"strconv"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// Cache is what an editor was last told of a file, one by one and as JSON. Several
// may ask at once.
type Cache struct{ latest atomic.Pointer[encodedList] }

// encodedList is a list that has been given.
type encodedList struct {
	entries   map[any]entry
	size      int
	truncated bool
}

// entry is what is said of one thing, but for the range before it, and at which place.
type entry struct {
	rng  text.Range
	json []byte
}

// List is a list of diagnostics as JSON, in the making.
type List struct {
	cache    *Cache
	previous map[any]entry
	next     encodedList
	json     []byte
}

// NewList begins a list behind some bytes; its End gives both.
func (c *Cache) NewList(prefix string) *List {
	previous := c.latest.Load()
	if previous == nil {
		previous = new(encodedList)
	}
	buffer := make([]byte, 0, len(prefix)+previous.size+previous.size/8+2)
	return &List{c, previous.entries, encodedList{entries: make(map[any]entry, len(previous.entries))}, append(append(buffer, prefix...), '[')}
}

// MarkTruncated says that something is left out.
func (l *List) MarkTruncated() { l.next.truncated = true }

// Add adds what is said of something at a place: a diagnostic of the protocol's, which
// begins with that range. The next time it is said in the same words of the same
// pointer, at another place only if nothing but the range is told of where it is. What
// is said of nil is forgotten.
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

// End is the list. What is not in it is forgotten.
func (l *List) End() []byte {
	l.json = append(l.json, ']')
	l.next.size = len(l.json)
	l.cache.latest.Store(&l.next)
	return l.json
}

// Truncated reports whether something was left out of the last list.
func (c *Cache) Truncated() bool {
	latest := c.latest.Load()
	return latest != nil && latest.truncated
}
