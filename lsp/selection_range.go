package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerSelections(o *protocol.ServerCapabilities, _ *client) {
	o.SelectionRangeProvider = protocol.Boolean(true)
}

// selectionRange answers, for each cursor, what a growing selection takes in.
func selectionRange(_ context.Context, at *Snapshot, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	all := []protocol.SelectionRange{}
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	for _, position := range p.Positions {
		offset := d.Offset(fromPosition(position), at.client.encoding)
		part := d.At(offset)
		spans := []text.Span{}
		for _, span := range assist.Selections(part, part.Local(offset)) {
			spans = append(spans, part.Place(span))
		}
		all = append(all, at.client.toSelection(d.Analysis, append(spans, text.Span{End: d.Length()})))
	}
	return all, nil
}
