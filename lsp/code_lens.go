package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerCodeLenses(o *protocol.ServerCapabilities, _ *client) {
	o.CodeLensProvider = &protocol.CodeLensOptions{}
}

// codeLens answers what can be run in a document, and what it last came to.
func codeLens(_ context.Context, s *snapshot, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return lenses, nil
	}
	results := s.documentOutcomes(d)
	for _, l := range assist.FileLenses(d.Analysis, results) {
		lens := protocol.CodeLens{Range: s.client.toRange(d.Analysis, l.Span), Command: protocol.Command{Title: l.Title, Command: l.Command}}
		lens.Range.End = protocol.Position{Line: lens.Range.Start.Line, Character: max(lens.Range.Start.Character, lens.Range.End.Character)}
		if l.Command != "" {
			lens.Command.Arguments = []protocol.LSPAny{encodeTarget(commandTarget{URI: d.URI, Case: l.CaseID})}
		}
		lenses = append(lenses, lens)
	}
	return lenses, nil
}
