package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

// newLine is what is formatted after.
const newLine = "\n"

func offerOnTypeFormatting(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentOnTypeFormattingProvider = protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: newLine}
}

// onTypeFormatting answers the edits that a line break calls for.
func onTypeFormatting(_ context.Context, s *snapshot, p *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil || p.Ch != newLine {
		return []protocol.TextEdit{}, nil
	}
	return s.client.toEdits(d.Analysis, assist.FormatOnEnter(d.Analysis, d.Offset(fromPosition(p.Position), s.client.encoding))), nil
}
