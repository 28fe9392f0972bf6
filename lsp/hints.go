package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	idehover "github.com/rubric-ls/rubric/core/ide/hover"
	ideinlay "github.com/rubric-ls/rubric/core/ide/inlay"
	idelens "github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/text"
)

func offerHover(o *protocol.ServerCapabilities, _ *client) { o.HoverProvider = protocol.Boolean(true) }

// hover returns the documentation of a position, with the last results.
func hover(_ context.Context, s *snapshot, p *protocol.HoverParams) (*protocol.Hover, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	chunk := d.ChunkAt(offset)
	info, ok := idehover.At(chunk, chunk.FromFile(offset), s.outcomes(d, chunk.Suite.Cases))
	if !ok {
		return nil, nil
	}
	span := s.client.spanRange(d.Analysis, chunk.ToFile(info.Span))
	return &protocol.Hover{Contents: s.client.toMarkup(info.Markdown), Range: &span}, nil
}

func offerCodeLenses(o *protocol.ServerCapabilities, _ *client) {
	o.CodeLensProvider = &protocol.CodeLensOptions{}
}

// codeLens returns the run commands of a document, with the last results.
func codeLens(_ context.Context, s *snapshot, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return lenses, nil
	}
	results := s.documentOutcomes(d)
	for _, l := range idelens.FileLenses(d.Analysis, results) {
		lens := protocol.CodeLens{Range: s.client.spanRange(d.Analysis, l.Span), Command: protocol.Command{Title: l.Title, Command: l.Command}}
		lens.Range.End = protocol.Position{Line: lens.Range.Start.Line, Character: max(lens.Range.Start.Character, lens.Range.End.Character)}
		if l.Command != "" {
			lens.Command.Arguments = []protocol.LSPAny{mustEncode(&commandTarget{URI: d.URI, Case: l.CaseID})}
		}
		lenses = append(lenses, lens)
	}
	return lenses, nil
}

func offerInlayHints(o *protocol.ServerCapabilities, _ *client) {
	o.InlayHintProvider = protocol.Boolean(true)
}

// inlayHint returns hints for effective values that the text leaves out.
func inlayHint(_ context.Context, s *snapshot, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	hints := []protocol.InlayHint{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return hints, nil
	}
	within := d.Span(fromRange(p.Range), s.client.encoding)
	s.session.setFocus(d, within) // editors ask for the range that they show
	d.ChunksIn(within, func(chunk *analysis.Chunk) bool {
		for _, h := range ideinlay.Hints(chunk, s.outcomes(d, chunk.Suite.Cases)) {
			span := chunk.ToFile(text.Span{Start: h.Offset, End: h.Offset})
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
