package lsp

import (
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// tokenCache are the tokens that were last answered of each document, to tell a
// client what has changed.
type tokenCache struct {
	mu     sync.Mutex
	last   map[uri.URI]*protocol.SemanticTokens
	lastID int
}

// put remembers tokens under an id of their own, and gives those from before.
func (tc *tokenCache) put(u uri.URI, data []uint32) (current, previous *protocol.SemanticTokens) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	if tc.last == nil {
		tc.last = map[uri.URI]*protocol.SemanticTokens{}
	}
	tc.lastID++
	current, previous = &protocol.SemanticTokens{ResultID: new(strconv.Itoa(tc.lastID)), Data: data}, tc.last[u]
	tc.last[u] = current
	return current, previous
}

func (tc *tokenCache) remove(u uri.URI) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	delete(tc.last, u)
}
