package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	idefold "github.com/rubric-ls/rubric/core/ide/fold"
	ideselection "github.com/rubric-ls/rubric/core/ide/selection"
	"github.com/rubric-ls/rubric/core/text"
)

func offerFolding(o *protocol.ServerCapabilities, _ *client) {
	o.FoldingRangeProvider = protocol.Boolean(true)
}

// foldingRange returns folding ranges as whole lines, because most clients fold nothing else.
func foldingRange(_ context.Context, s *snapshot, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	ranges := []protocol.FoldingRange{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return ranges, nil
	}
	for _, fold := range idefold.FileFolds(d.Analysis) {
		lines := s.client.spanRange(d.Analysis, fold.Span)
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

func offerSelectionRanges(o *protocol.ServerCapabilities, _ *client) {
	o.SelectionRangeProvider = protocol.Boolean(true)
}

// selectionRange returns the enclosing ranges of each cursor.
func selectionRange(_ context.Context, s *snapshot, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	all := []protocol.SelectionRange{}
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	for _, position := range p.Positions {
		offset := d.Offset(fromPosition(position), s.client.encoding)
		chunk := d.ChunkAt(offset)
		spans := []text.Span{}
		for _, span := range ideselection.Selections(chunk, chunk.FromFile(offset)) {
			spans = append(spans, chunk.ToFile(span))
		}
		all = append(all, s.client.toSelectionRange(d.Analysis, append(spans, text.Span{End: d.Length()})))
	}
	return all, nil
}
