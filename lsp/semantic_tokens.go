package lsp

import (
	"context"
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	idetoken "github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
)

func offerSemanticTokens(o *protocol.ServerCapabilities, _ *client) {
	delta := true
	o.SemanticTokensProvider = &protocol.SemanticTokensOptions{
		Legend: protocol.SemanticTokensLegend{TokenTypes: idetoken.TokenTypes[:], TokenModifiers: idetoken.TokenModifiers[:]},
		Full:   &protocol.SemanticTokensFullDelta{Delta: &delta},
		Range:  protocol.Boolean(true),
	}
}

// semanticTokens returns the semantic tokens of a document.
func semanticTokens(_ context.Context, s *snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, _ := s.session.tokens.put(d.URI, s.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	return current, nil
}

// semanticTokensDelta returns the changes since a previous result, or all tokens if that is not the
// last one.
func semanticTokensDelta(_ context.Context, s *snapshot, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, previous := s.session.tokens.put(d.URI, s.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	if previous == nil || *previous.ResultID != p.PreviousResultID {
		return current, nil
	}
	delta := &protocol.SemanticTokensDelta{ResultID: current.ResultID, Edits: []protocol.SemanticTokensEdit{}}
	if e, changed := idetoken.DiffTokens(previous.Data, current.Data); changed {
		delta.Edits = append(delta.Edits, protocol.SemanticTokensEdit{Start: uint32(e.Start), DeleteCount: uint32(e.Deleted), Data: e.Data})
	}
	return delta, nil
}

// semanticTokensRange returns the semantic tokens of a range.
func semanticTokensRange(_ context.Context, s *snapshot, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return &protocol.SemanticTokens{Data: s.client.toTokens(d.Analysis, d.Span(fromRange(p.Range), s.client.encoding))}, nil
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
