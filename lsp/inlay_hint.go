package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerHints(o *protocol.ServerCapabilities, _ *client) {
	o.InlayHintProvider = protocol.Boolean(true)
}

// inlayHint answers what holds in a stretch of a document and is not written
// there.
func inlayHint(_ context.Context, at *Snapshot, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	all := []protocol.InlayHint{}
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	within := d.Span(fromRange(p.Range), at.client.encoding)
	at.session.attend(d, within) // what editors ask for is what they show
	d.PartsIn(within, func(part *analysis.Part) bool {
		for _, h := range assist.Hints(part, at.outcomes(d, part.Suite.Cases)) {
			place := part.Place(text.Span{Start: h.Offset, End: h.Offset})
			if place.Start < within.Start || place.Start > within.End {
				continue
			}
			hint := protocol.InlayHint{
				Position: toPosition(d.Position(place.Start, at.client.encoding)), Label: protocol.String(h.Label), PaddingLeft: new(true),
			}
			if h.Tooltip != "" {
				hint.Tooltip = at.client.toMarkup(h.Tooltip)
			}
			all = append(all, hint)
		}
		return true
	})
	return all, nil
}
