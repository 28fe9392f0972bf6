package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerFolding(o *protocol.ServerCapabilities, _ *client) {
	o.FoldingRangeProvider = protocol.Boolean(true)
}

// foldingRange answers what can be folded away: whole lines, which is all that
// most clients fold.
func foldingRange(_ context.Context, at *Snapshot, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	all := []protocol.FoldingRange{}
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	for _, fold := range assist.FoldsOf(d.Analysis) {
		lines := at.client.toRange(d.Analysis, fold.Span)
		f := protocol.FoldingRange{StartLine: lines.Start.Line, EndLine: lines.End.Line}
		if fold.Comment {
			f.Kind = protocol.FoldingRangeKindComment
		}
		if all = append(all, f); at.client.mostFolds > 0 && len(all) == at.client.mostFolds {
			break
		}
	}
	return all, nil
}
