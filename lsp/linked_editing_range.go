package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerLinkedEditing(o *protocol.ServerCapabilities, _ *client) {
	o.LinkedEditingRangeProvider = protocol.Boolean(true)
}

// linkedEditingRange answers which places change together while one is typed in.
func linkedEditingRange(_ context.Context, s *snapshot, p *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	spans := assist.LinkedSpans(d.Analysis, offset)
	if spans == nil {
		return nil, nil
	}
	linked := &protocol.LinkedEditingRanges{WordPattern: new(assist.LinkedPattern)}
	for _, span := range spans {
		linked.Ranges = append(linked.Ranges, s.client.toRange(d.Analysis, span))
	}
	return linked, nil
}
