package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerFormatting(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentFormattingProvider = protocol.Boolean(true)
}

// formatting answers the edits that tidy a document, as [rangeFormatting] does those
// of some lines: no comment and no meaning changes.
func formatting(_ context.Context, s *snapshot, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return []protocol.TextEdit{}, nil
	}
	return s.client.toEdits(d.Analysis, assist.FormatRange(d.Analysis, text.Span{End: d.Length()})), nil
}
