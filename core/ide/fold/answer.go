package fold

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the folds that touch a span as whole lines, because most clients fold nothing
// else.
func InRange(f *ide.File, within text.Span) []ide.FoldingRange {
	all := []ide.FoldingRange{}
	for _, fold := range FoldsIn(f.Analysis, within) {
		lines := f.SpanRange(fold.Span)
		folded := ide.FoldingRange{StartLine: lines.Start.Line, EndLine: lines.End.Line}
		if fold.IsComment {
			folded.Kind = "comment"
		}
		if all = append(all, folded); f.Client.MaxFolds > 0 && len(all) == f.Client.MaxFolds {
			break
		}
	}
	return all
}
