package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerLinked(o *protocol.ServerCapabilities, _ *client) {
	o.LinkedEditingRangeProvider = protocol.Boolean(true)
}

// linkedEditingRange answers which places change together while one is typed in.
func linkedEditingRange(_ context.Context, at *Snapshot, p *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	spans := assist.Linked(d.Analysis, offset)
	if spans == nil {
		return nil, nil
	}
	linked := &protocol.LinkedEditingRanges{WordPattern: new(assist.LinkedPattern)}
	for _, span := range spans {
		linked.Ranges = append(linked.Ranges, at.client.toRange(d.Analysis, span))
	}
	return linked, nil
}
