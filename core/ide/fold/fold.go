// Package fold finds the ranges that an editor can collapse.
package fold

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// A Fold is a range of lines that an editor can collapse: all lines of Span but the first.
type Fold struct {
	Span       text.Span
	IsComment  bool // a run of comments
	IsCaseList bool // the list of cases, up to the end of the last case
}

// Folds returns the folds of a chunk in order: cases, mappings, lists, multi-line scalars and runs
// of comments. Of folds with the same first line only the longest is returned.
func Folds(p *analysis.Chunk) []Fold {
	f := &foldCollector{source: p.Source}
	for n := range p.Tree.Nodes() {
		f.addNode(n)
	}
	f.addComments(p.Tree.Comments)
	generic.SortStable(f.folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
	return f.longestPerLine()
}

// foldData is the folds of a chunk and the end of its content.
type foldData struct {
	folds []Fold
	end   int
}

var foldCache = analysis.NewChunkCache(func(p *analysis.Chunk) foldData { return foldData{Folds(p), listEnd(p.Tree.Root())} })

// listEnd returns the end of the last item of a list, or of any other node.
func listEnd(root *yaml.Node) int {
	if n := len(root.Items); n > 0 {
		return root.Items[n-1].Span.End
	}
	return root.Span.End
}

// FoldsIn returns the folds of a file that touch a span, in spans of the file. The cost depends on
// the size of the span.
func FoldsIn(a *analysis.Analysis, within text.Span) (folds []Fold) {
	list, end, chunks := -1, 0, 0
	for placement, data := range foldCache.EachIn(a, within, true) {
		for _, fold := range data.folds {
			if fold.IsCaseList {
				list = len(folds)
			}
			length := fold.Span.Len()
			if fold.Span = placement.ToFile(fold.Span); !fold.IsComment || fold.Span.Len() == length { // a longer comment run would contain the cases
				folds = append(folds, fold)
			}
		}
		end = placement.ToFile(text.Span{Start: data.end, End: data.end}).End
		chunks++
	}
	if list >= 0 && chunks > 1 {
		folds[list].Span.End = end
	}
	folds = slices.DeleteFunc(folds, func(f Fold) bool { return f.Span.End < within.Start || f.Span.Start > within.End })
	generic.SortStable(folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
	return folds
}

type foldCollector struct {
	source *text.Source
	folds  []Fold
}

func (f *foldCollector) add(span text.Span, kind Fold) {
	kind.Span = span
	f.folds = append(f.folds, kind)
}

func (f *foldCollector) addNode(n *yaml.Node) {
	from := n.FullSpan().Start
	switch {
	case n.Key != nil:
		from = n.Key.Key.Span.Start
	case n.Parent == nil || n.Parent.Kind == yaml.Mapping: // roots and keys
		return
	}
	span := text.Span{Start: from, End: n.Span.End}
	if n.Style == yaml.Flow || n.Kind == yaml.Scalar && n.Span.Empty() { // such a value's key may end with a bracket
		span.End = f.endBeforeBracket(n.Span)
	}
	f.add(span, Fold{IsCaseList: isCasePlaceholder(n)})
}

// isCasePlaceholder reports whether a node stands for the cases that were removed from the header.
func isCasePlaceholder(n *yaml.Node) bool {
	return n.Kind == yaml.Sequence && n.Recovered && len(n.Items) == 0 && n.Key != nil && (n.Span.Empty() || n.Style == yaml.Flow && n.Parent.Parent == nil)
}

// endBeforeBracket returns the end of the line before a closing bracket that starts its line, so
// that the bracket stays visible.
func (f *foldCollector) endBeforeBracket(span text.Span) int {
	line := f.source.LineSpan(f.source.OffsetLine(span.End))
	if strings.Trim(f.source.Slice(text.Span{Start: line.Start, End: span.End}), " \t}]") != "" {
		return span.End
	}
	return f.source.LineSpan(max(f.source.OffsetLine(span.End)-1, 0)).End
}

func (f *foldCollector) addComments(all []yaml.Comment) {
	last := -2
	for _, c := range all {
		line := f.source.OffsetLine(c.Span.Start)
		alone := strings.TrimLeft(f.source.Slice(text.Span{Start: f.source.LineSpan(line).Start, End: c.Span.Start}), " \t") == ""
		switch {
		case !alone:
			line = -2
		case line == last+1:
			f.folds[len(f.folds)-1].Span.End = c.Span.End
		default:
			f.add(c.Span, Fold{IsComment: true})
		}
		last = line
	}
}

// longestPerLine drops folds on a single line, and all but the longest of those that start on the
// same line.
func (f *foldCollector) longestPerLine() (longest []Fold) {
	for _, fold := range f.folds {
		first, last := f.source.OffsetLine(fold.Span.Start), f.source.OffsetLine(fold.Span.End)
		if first >= last && !fold.IsCaseList {
			continue
		}
		if n := len(longest); n > 0 && f.source.OffsetLine(longest[n-1].Span.Start) == first {
			if longest[n-1].Span.End < fold.Span.End {
				longest[n-1] = fold
			}
			continue
		}
		longest = append(longest, fold)
	}
	return longest
}

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
