package cache

import (
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Tokens holds the last semantic tokens of each document, so that the next response can be a
// delta. The zero value is ready to use.
type Tokens struct {
	mu     sync.Mutex
	last   map[uri.URI]*protocol.SemanticTokens
	lastID int
}

// Put stores tokens under a new result id and returns them with the previous ones.
func (tc *Tokens) Put(u uri.URI, data []uint32) (current, previous *protocol.SemanticTokens) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	tc.lastID++
	current, previous = &protocol.SemanticTokens{ResultID: new(strconv.Itoa(tc.lastID)), Data: data}, tc.last[u]
	if tc.last == nil {
		tc.last = map[uri.URI]*protocol.SemanticTokens{}
	}
	tc.last[u] = current
	return current, previous
}

func (tc *Tokens) remove(u uri.URI) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	delete(tc.last, u)
}
