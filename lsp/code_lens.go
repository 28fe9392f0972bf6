package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerLenses(o *protocol.ServerCapabilities, _ *client) {
	o.CodeLensProvider = &protocol.CodeLensOptions{}
}

// codeLens answers what can be run in a document, and what it last came to.
func codeLens(_ context.Context, at *Snapshot, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	all := []protocol.CodeLens{}
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	results := at.allOutcomes(d)
	for _, l := range assist.LensesOf(d.Analysis, results) {
		lens := protocol.CodeLens{Range: at.client.toRange(d.Analysis, l.Span), Command: protocol.Command{Title: l.Title, Command: l.Command}}
		lens.Range.End = protocol.Position{Line: lens.Range.Start.Line, Character: max(lens.Range.Start.Character, lens.Range.End.Character)}
		if l.Command != "" {
			lens.Command.Arguments = []protocol.LSPAny{argument(target{URI: d.URI, Case: l.Case})}
		}
		all = append(all, lens)
	}
	return all, nil
}
