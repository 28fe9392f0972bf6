package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerInlayHints(o *protocol.ServerCapabilities, _ *client) {
	o.InlayHintProvider = protocol.Boolean(true)
}

// inlayHint answers what holds in a stretch of a document and is not written
// there.
func inlayHint(_ context.Context, s *snapshot, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	hints := []protocol.InlayHint{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return hints, nil
	}
	within := d.Span(fromRange(p.Range), s.client.encoding)
	s.session.setFocus(d, within) // what editors ask for is what they show
	d.ChunksIn(within, func(part *analysis.Chunk) bool {
		for _, h := range assist.Hints(part, s.outcomes(d, part.Suite.Cases)) {
			span := part.ToFile(text.Span{Start: h.Offset, End: h.Offset})
			if span.Start < within.Start || span.Start > within.End {
				continue
			}
			hint := protocol.InlayHint{
				Position: toPosition(d.Position(span.Start, s.client.encoding)), Label: protocol.String(h.Label), PaddingLeft: new(true),
			}
			if h.Tooltip != "" {
				hint.Tooltip = s.client.toMarkup(h.Tooltip)
			}
			hints = append(hints, hint)
		}
		return true
	})
	return hints, nil
}
