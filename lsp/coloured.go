package lsp

import (
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// coloured are the tokens that were last answered of each document, to tell a
// client what has changed.
type coloured struct {
	lock sync.Mutex
	last map[uri.URI]*protocol.SemanticTokens
	made int
}

// keep remembers tokens under an id of their own, and gives those from before.
func (c *coloured) keep(u uri.URI, data []uint32) (now, before *protocol.SemanticTokens) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.last == nil {
		c.last = map[uri.URI]*protocol.SemanticTokens{}
	}
	c.made++
	now, before = &protocol.SemanticTokens{ResultID: new(strconv.Itoa(c.made)), Data: data}, c.last[u]
	c.last[u] = now
	return now, before
}

func (c *coloured) forget(u uri.URI) {
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.last, u)
}
