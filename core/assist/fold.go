package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Fold is lines that an editor can fold away: all that Span touches but the
// first, which stays.
type Fold struct {
	Span       text.Span
	IsComment  bool // a run of comments
	IsCaseList bool // the list of cases, which goes on to the end of the last of them
}

// Folds are what can be folded in a part, in order: cases, mappings, lists, texts
// over several lines, runs of comments. Of those that share a first line only
// the longest is there.
func Folds(p *analysis.Chunk) []Fold {
	f := &foldCollector{source: p.Source}
	for _, doc := range p.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			f.addNode(n)
			return true
		})
	}
	f.addComments(p.Tree.Comments)
	slices.SortStableFunc(f.folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
	return f.longestPerLine()
}

// foldData is a part's folds and where its content ends.
type foldData struct {
	folds []Fold
	end   int
}

var foldCache = analysis.NewChunkCache(func(p *analysis.Chunk) foldData { return foldData{Folds(p), listEnd(p.Tree.Root())} })

// listEnd is where the last item of a list ends, or else what is no list.
func listEnd(root *yaml.Node) int {
	if n := len(root.Items); n > 0 {
		return root.Items[n-1].Span.End
	}
	return root.Span.End
}

// FileFolds are those of all of a file, in spans of the file.
func FileFolds(a *analysis.Analysis) []Fold { return FoldsIn(a, text.Span{End: a.Length()}) }

// FoldsIn are those that a stretch of a file touches, in spans of the file. They cost
// what is in the stretch.
func FoldsIn(a *analysis.Analysis, within text.Span) (folds []Fold) {
	list, end, parts := -1, 0, 0
	for spot, part := range foldCache.EachIn(a, within, true) {
		for _, fold := range part.folds {
			if fold.IsCaseList {
				list = len(folds)
			}
			length := fold.Span.Len()
			if fold.Span = spot.ToFile(fold.Span); !fold.IsComment || fold.Span.Len() == length { // else it has the cases in it
				folds = append(folds, fold)
			}
		}
		end = spot.ToFile(text.Span{Start: part.end, End: part.end}).End
		parts++
	}
	if list >= 0 && parts > 1 {
		folds[list].Span.End = end
	}
	touched := folds[:0]
	for _, f := range folds {
		if f.Span.End >= within.Start && f.Span.Start <= within.End {
			touched = append(touched, f)
		}
	}
	folds = touched
	slices.SortStableFunc(folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
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
	from := fullSpan(n).Start
	switch {
	case n.Key != nil:
		from = n.Key.Key.Span.Start
	case n.Parent == nil || n.Parent.Kind == yaml.Mapping: // a root, a key
		return
	}
	span := text.Span{Start: from, End: n.Span.End}
	if n.Style == yaml.Flow {
		span.End = f.endBeforeBracket(n.Span)
	}
	f.add(span, Fold{IsCaseList: isCasePlaceholder(n)})
}

// isCasePlaceholder reports whether a value stands for cases that have been taken out
// of a frame.
func isCasePlaceholder(n *yaml.Node) bool {
	return n.Kind == yaml.Sequence && n.Recovered && len(n.Items) == 0 && n.Key != nil && (n.Span.Empty() || n.Style == yaml.Flow && n.Parent.Parent == nil)
}

// endBeforeBracket is the end of the line before a closing bracket that begins its
// own, which stays in sight.
func (f *foldCollector) endBeforeBracket(span text.Span) int {
	line := f.source.LineSpan(f.source.OffsetLine(span.End))
	if strings.Trim(f.source.Slice(text.Span{Start: line.Start, End: span.End}), " \t}]") != "" {
		return span.End
	}
	return f.source.LineSpan(max(f.source.OffsetLine(span.End)-1, 0)).End
}

// addComments folds runs of lines that hold a comment alone.
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

// longestPerLine leaves out what is on one line, and all but the longest of those that
// begin on one line.
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
