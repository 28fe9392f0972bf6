package lsp

import (
	"sync"

	"go.lsp.dev/protocol"
)

// spoken is what was last said of a file, one by one and as JSON: of a thousand
// findings a keystroke changes a few, and to encode them all is most of what it
// costs.
type spoken struct {
	lock sync.Mutex
	last map[any]remark
	size int
	cut  bool // something was left out
}

// remark is what is said of one thing at one place.
type remark struct {
	at   protocol.Range
	json []byte
}

// speech is a list of diagnostics as JSON, in the making.
type speech struct {
	spoken     *spoken
	last, next map[any]remark
	json       []byte
	cut        bool
}

// begin begins a list; end gives it.
func (k *spoken) begin() *speech {
	k.lock.Lock()
	defer k.lock.Unlock()
	room := make([]byte, 0, k.size+k.size/8+2)
	return &speech{spoken: k, last: k.last, next: make(map[any]remark, len(k.last)), json: append(room, '[')}
}

// add adds what is said of something at a place. The next time it is said in the
// same words of the same pointer at the same place; those of nil are forgotten.
func (l *speech) add(of any, at protocol.Range, words func() protocol.Diagnostic) {
	t, known := l.last[of]
	if !known || t.at != at {
		d := words()
		encoded, err := codec{}.Marshal(&d)
		if err != nil { // texts and numbers
			panic(err)
		}
		t = remark{at, encoded}
	}
	if of != nil {
		l.next[of] = t
	}
	if len(l.json) > 1 {
		l.json = append(l.json, ',')
	}
	l.json = append(l.json, t.json...)
}

// wasCut reports whether something was left out of the last list.
func (k *spoken) wasCut() bool {
	k.lock.Lock()
	defer k.lock.Unlock()
	return k.cut
}

// end is the list. What is not in it is forgotten.
func (l *speech) end() []byte {
	l.spoken.lock.Lock()
	defer l.spoken.lock.Unlock()
	l.json = append(l.json, ']')
	l.spoken.last, l.spoken.size, l.spoken.cut = l.next, len(l.json), l.cut
	return l.json
}
