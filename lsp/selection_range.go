package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerSelectionRanges(o *protocol.ServerCapabilities, _ *client) {
	o.SelectionRangeProvider = protocol.Boolean(true)
}

// selectionRange answers, for each cursor, what a growing selection takes in.
func selectionRange(_ context.Context, s *snapshot, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	all := []protocol.SelectionRange{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	for _, position := range p.Positions {
		offset := d.Offset(fromPosition(position), s.client.encoding)
		part := d.ChunkAt(offset)
		spans := []text.Span{}
		for _, span := range assist.Selections(part, part.FromFile(offset)) {
			spans = append(spans, part.ToFile(span))
		}
		all = append(all, s.client.toSelectionRange(d.Analysis, append(spans, text.Span{End: d.Length()})))
	}
	return all, nil
}
