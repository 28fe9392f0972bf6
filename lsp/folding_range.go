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
func foldingRange(_ context.Context, s *snapshot, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	ranges := []protocol.FoldingRange{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return ranges, nil
	}
	for _, fold := range assist.FileFolds(d.Analysis) {
		lines := s.client.toRange(d.Analysis, fold.Span)
		f := protocol.FoldingRange{StartLine: lines.Start.Line, EndLine: lines.End.Line}
		if fold.IsComment {
			f.Kind = protocol.FoldingRangeKindComment
		}
		if ranges = append(ranges, f); s.client.maxFolds > 0 && len(ranges) == s.client.maxFolds {
			break
		}
	}
	return ranges, nil
}
