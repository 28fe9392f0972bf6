package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	ideformat "github.com/rubric-ls/rubric/core/ide/format"
	"github.com/rubric-ls/rubric/core/text"
)

func offerFormatting(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentFormattingProvider = protocol.Boolean(true)
}

// formatting returns the edits that format a document. They change no comment and no meaning.
func formatting(_ context.Context, s *snapshot, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return []protocol.TextEdit{}, nil
	}
	return s.client.toEdits(d.Analysis, ideformat.FormatRange(d.Analysis, text.Span{End: d.Length()})), nil
}

func offerRangeFormatting(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentRangeFormattingProvider = protocol.Boolean(true)
}

// rangeFormatting returns the edits that format some lines.
func rangeFormatting(_ context.Context, s *snapshot, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return []protocol.TextEdit{}, nil
	}
	return s.client.toEdits(d.Analysis, ideformat.FormatRange(d.Analysis, d.Span(fromRange(p.Range), s.client.encoding))), nil
}

// newLine triggers formatting while typing.
const newLine = "\n"

func offerOnTypeFormatting(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentOnTypeFormattingProvider = protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: newLine}
}

// onTypeFormatting returns the edits after a line break.
func onTypeFormatting(_ context.Context, s *snapshot, p *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil || p.Ch != newLine {
		return []protocol.TextEdit{}, nil
	}
	return s.client.toEdits(d.Analysis, ideformat.FormatOnEnter(d.Analysis, d.Offset(fromPosition(p.Position), s.client.encoding))), nil
}
