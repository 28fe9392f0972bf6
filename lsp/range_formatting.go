package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerRangeFormatting(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentRangeFormattingProvider = protocol.Boolean(true)
}

// rangeFormatting answers the edits that tidy some lines.
func rangeFormatting(_ context.Context, s *snapshot, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return []protocol.TextEdit{}, nil
	}
	return s.client.toEdits(d.Analysis, assist.FormatRange(d.Analysis, d.Span(fromRange(p.Range), s.client.encoding))), nil
}
