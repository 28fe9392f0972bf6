package lsp

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerTokens(o *protocol.ServerCapabilities, _ *client) {
	delta := true
	o.SemanticTokensProvider = &protocol.SemanticTokensOptions{
		Legend: protocol.SemanticTokensLegend{TokenTypes: assist.TokenTypes[:], TokenModifiers: assist.TokenModifiers[:]},
		Full:   &protocol.SemanticTokensFullDelta{Delta: &delta},
		Range:  protocol.Boolean(true),
	}
}

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

// semanticTokens answers the colours of a document.
func semanticTokens(_ context.Context, at *Snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	now, _ := at.session.coloured.keep(d.URI, at.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	return now, nil
}

// semanticTokensRange answers those of a stretch of it, which is what is on the
// screen.
func semanticTokensRange(_ context.Context, at *Snapshot, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return &protocol.SemanticTokens{Data: at.client.toTokens(d.Analysis, d.Span(fromRange(p.Range), at.client.encoding))}, nil
}

// semanticTokensDelta answers what has changed since an answer, or all if that is
// not the last one.
func semanticTokensDelta(_ context.Context, at *Snapshot, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	now, before := at.session.coloured.keep(d.URI, at.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	if before == nil || *before.ResultID != p.PreviousResultID {
		return now, nil
	}
	return &protocol.SemanticTokensDelta{ResultID: now.ResultID, Edits: change(before.Data, now.Data)}, nil
}

// change is the one stretch in which two lists of tokens differ. Places count
// from token to token, so that an edit moves nothing behind its line.
func change(before, now []uint32) []protocol.SemanticTokensEdit {
	start := 0
	for start < len(before) && start < len(now) && before[start] == now[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(now)-start && before[len(before)-1-end] == now[len(now)-1-end] {
		end++
	}
	if start == len(before) && start == len(now) {
		return []protocol.SemanticTokensEdit{}
	}
	return []protocol.SemanticTokensEdit{{
		Start: uint32(start), DeleteCount: uint32(len(before) - start - end), Data: slices.Clone(now[start : len(now)-end]),
	}}
}

// toTokens are the tokens in a stretch of a file, in the protocol's fives: lines
// and columns since the token before, length, type, modifiers.
func (c *client) toTokens(a *analysis.Analysis, within text.Span) []uint32 {
	data := []uint32{}
	line, column := 0, 0
	for _, t := range tokensIn(a, within) {
		r := a.Range(t.Span, c.encoding)
		if r.Start.Line != line {
			column = 0
		}
		data = append(data, uint32(r.Start.Line-line), uint32(r.Start.Character-column), uint32(r.End.Character-r.Start.Character), uint32(t.Type), uint32(t.Modifiers))
		line, column = r.Start.Line, r.Start.Character
	}
	return data
}

// tokensIn are the tokens of the parts that a stretch of a file touches, in the
// file's spans and order.
func tokensIn(a *analysis.Analysis, within text.Span) (all []assist.Token) {
	take := func(p *analysis.Part) {
		for _, t := range assist.Tokens(p) {
			if t.Span = p.Place(t.Span); t.Span.Start < within.End && within.Start < t.Span.End {
				all = append(all, t)
			}
		}
	}
	if within.Start == 0 && within.End >= a.Length() {
		a.Parts(func(p *analysis.Part) bool { take(p); return true })
	} else {
		partsIn(a, within, take)
	}
	slices.SortStableFunc(all, func(x, y assist.Token) int { return x.Span.Start - y.Span.Start })
	return all
}

// partsIn visits the parts of a stretch of a file, each once. What stands around
// the cases has no end of its own, and is left line by line.
func partsIn(a *analysis.Analysis, within text.Span, visit func(*analysis.Part)) {
	seen := map[int]bool{}
	for offset := within.Start; offset < within.End; {
		p := a.At(offset)
		whole := p.Place(p.Source.Whole())
		if !seen[whole.Start] {
			seen[whole.Start] = true
			visit(p)
		}
		next := whole.End
		if whole.Len() != p.Source.Whole().Len() {
			next = a.Offset(text.Position{Line: a.Position(offset, text.UTF8).Line + 1}, text.UTF8)
		}
		if next <= offset { // the last line
			return
		}
		offset = next
	}
}
