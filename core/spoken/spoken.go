package spoken

import (
	"bytes"
	"strconv"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// Last is what an editor was last told of a file, one by one and as JSON. Several
// may ask at once.
type Last struct{ list atomic.Pointer[told] }

// told is a list that has been given.
type told struct {
	said map[any]remark
	size int
	cut  bool
}

// remark is what is said of one thing, but for the range before it, and at which place.
type remark struct {
	at   text.Range
	json []byte
}

// List is a list of diagnostics as JSON, in the making.
type List struct {
	of   *Last
	last map[any]remark
	next told
	json []byte
}

// Begin begins a list behind some bytes; its End gives both.
func (k *Last) Begin(before string) *List {
	last := k.list.Load()
	if last == nil {
		last = new(told)
	}
	room := make([]byte, 0, len(before)+last.size+last.size/8+2)
	return &List{k, last.said, told{said: make(map[any]remark, len(last.said))}, append(append(room, before...), '[')}
}

// Cut says that something is left out.
func (l *List) Cut() { l.next.cut = true }

// Add adds what is said of something at a place: a diagnostic of the protocol's, which
// begins with that range. The next time it is said in the same words of the same
// pointer, at another place only if nothing but the range is told of where it is. What
// is said of nil is forgotten.
func (l *List) Add(of any, at text.Range, moves bool, words func() []byte) {
	if l.json[len(l.json)-1] != '[' {
		l.json = append(l.json, ',')
	}
	if of == nil {
		l.json = append(l.json, words()...)
		return
	}
	said, known := l.last[of]
	if !known || said.at != at {
		if !known || !moves {
			whole := words()
			said.json = whole[bytes.Index(whole, []byte("}}"))+2:]
		}
		said.at = at
	}
	l.next.said[of] = said
	l.position(`{"range":{"start":{"line":`, at.Start)
	l.position(`},"end":{"line":`, at.End)
	l.json = append(append(l.json, "}}"...), said.json...)
}

func (l *List) position(before string, p text.Position) {
	l.json = strconv.AppendInt(append(l.json, before...), int64(p.Line), 10)
	l.json = strconv.AppendInt(append(l.json, `,"character":`...), int64(p.Character), 10)
}

// End is the list. What is not in it is forgotten.
func (l *List) End() []byte {
	l.json = append(l.json, ']')
	l.next.size = len(l.json)
	l.of.list.Store(&l.next)
	return l.json
}

// WasCut reports whether something was left out of the last list.
func (k *Last) WasCut() bool {
	last := k.list.Load()
	return last != nil && last.cut
}
