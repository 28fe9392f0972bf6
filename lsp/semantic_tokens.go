package lsp

import (
	"context"
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

func offerTokenDelta(o *protocol.ServerCapabilities, _ *cache.Client) {
	if tokens, ok := o.SemanticTokensProvider.(*protocol.SemanticTokensOptions); ok {
		tokens.Full = &protocol.SemanticTokensFullDelta{Delta: new(true)}
	}
}

// semanticTokens returns the semantic tokens of a document.
func semanticTokens(_ context.Context, s *snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := s.EvalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, _ := s.session.tokens.put(d.URI, token.InRange(s.openFile(d), text.Span{End: d.Length()}).Data)
	return current, nil
}

// semanticTokensDelta returns the changes since a previous result, or all tokens if that is not the
// last one.
func semanticTokensDelta(_ context.Context, s *snapshot, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := s.EvalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, previous := s.session.tokens.put(d.URI, token.InRange(s.openFile(d), text.Span{End: d.Length()}).Data)
	if previous == nil || *previous.ResultID != p.PreviousResultID {
		return current, nil
	}
	delta := &protocol.SemanticTokensDelta{ResultID: current.ResultID, Edits: []protocol.SemanticTokensEdit{}}
	if e, changed := token.DiffTokens(previous.Data, current.Data); changed {
		delta.Edits = append(delta.Edits, protocol.SemanticTokensEdit{Start: uint32(e.Start), DeleteCount: uint32(e.Deleted), Data: e.Data})
	}
	return delta, nil
}

// tokenCache holds the last semantic tokens of each document, so that the next response can be a
// delta.
type tokenCache struct {
	mu     sync.Mutex
	last   map[uri.URI]*protocol.SemanticTokens
	lastID int
}

// put stores tokens under a new result id and returns them with the previous ones.
func (tc *tokenCache) put(u uri.URI, data []uint32) (current, previous *protocol.SemanticTokens) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
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
