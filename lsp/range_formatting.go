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
func rangeFormatting(_ context.Context, at *Snapshot, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return []protocol.TextEdit{}, nil
	}
	return at.client.toEdits(d.Analysis, assist.FormatRange(d.Analysis, d.Span(fromRange(p.Range), at.client.encoding))), nil
}
