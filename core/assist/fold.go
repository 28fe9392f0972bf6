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
	Span    text.Span
	Comment bool // a run of comments
	Cases   bool // the list of cases, which goes on to the end of the last of them
}

// Folds are what can be folded in a part, in order: cases, mappings, lists, texts
// over several lines, runs of comments. Of those that share a first line only
// the longest is there.
func Folds(p *analysis.Part) []Fold {
	f := &folder{source: p.Source}
	for _, doc := range p.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			f.node(n)
			return true
		})
	}
	f.comments(p.Tree.Comments)
	slices.SortStableFunc(f.folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
	return f.longest()
}

// folded is a part's folds and where its content ends.
type folded struct {
	folds []Fold
	end   int
}

var foldings = analysis.NewMemo(func(p *analysis.Part) folded { return folded{Folds(p), listEnd(p.Tree.Root())} })

// listEnd is where the last item of a list ends, or else what is no list.
func listEnd(root *yaml.Node) int {
	if n := len(root.Items); n > 0 {
		return root.Items[n-1].Span.End
	}
	return root.Span.End
}

// FoldsOf are those of all of a file, in spans of the file.
func FoldsOf(a *analysis.Analysis) []Fold { return FoldsIn(a, text.Span{End: a.Length()}) }

// FoldsIn are those that a stretch of a file touches, in spans of the file. They cost
// what is in the stretch.
func FoldsIn(a *analysis.Analysis, within text.Span) (folds []Fold) {
	list, end, parts := -1, 0, 0
	for spot, part := range foldings.In(a, within, true) {
		for _, fold := range part.folds {
			if fold.Cases {
				list = len(folds)
			}
			length := fold.Span.Len()
			if fold.Span = spot.Place(fold.Span); !fold.Comment || fold.Span.Len() == length { // else it has the cases in it
				folds = append(folds, fold)
			}
		}
		end = spot.Place(text.Span{Start: part.end, End: part.end}).End
		parts++
	}
	if list >= 0 && parts > 1 {
		folds[list].Span.End = end
	}
	kept := folds[:0]
	for _, f := range folds {
		if f.Span.End >= within.Start && f.Span.Start <= within.End {
			kept = append(kept, f)
		}
	}
	folds = kept
	slices.SortStableFunc(folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
	return folds
}

type folder struct {
	source *text.Source
	folds  []Fold
}

func (f *folder) add(span text.Span, kind Fold) {
	kind.Span = span
	f.folds = append(f.folds, kind)
}

func (f *folder) node(n *yaml.Node) {
	from := fullSpan(n).Start
	switch {
	case n.Key != nil:
		from = n.Key.Key.Span.Start
	case n.Parent == nil || n.Parent.Kind == yaml.Mapping: // a root, a key
		return
	}
	span := text.Span{Start: from, End: n.Span.End}
	if n.Style == yaml.Flow {
		span.End = f.beforeBracket(n.Span)
	}
	f.add(span, Fold{Cases: isCaseList(n)})
}

// isCaseList reports whether a value stands for cases that have been taken out
// of a frame.
func isCaseList(n *yaml.Node) bool {
	return n.Kind == yaml.Sequence && n.Recovered && len(n.Items) == 0 && n.Key != nil && (n.Span.Empty() || n.Style == yaml.Flow && n.Parent.Parent == nil)
}

// beforeBracket is the end of the line before a closing bracket that begins its
// own, which stays in sight.
func (f *folder) beforeBracket(span text.Span) int {
	line := f.source.LineSpan(f.source.OffsetLine(span.End))
	if strings.Trim(f.source.Slice(text.Span{Start: line.Start, End: span.End}), " \t}]") != "" {
		return span.End
	}
	return f.source.LineSpan(max(f.source.OffsetLine(span.End)-1, 0)).End
}

// comments folds runs of lines that hold a comment alone.
func (f *folder) comments(all []yaml.Comment) {
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
			f.add(c.Span, Fold{Comment: true})
		}
		last = line
	}
}

// longest leaves out what is on one line, and all but the longest of those that
// begin on one line.
func (f *folder) longest() (kept []Fold) {
	for _, fold := range f.folds {
		first, last := f.source.OffsetLine(fold.Span.Start), f.source.OffsetLine(fold.Span.End)
		if first >= last && !fold.Cases {
			continue
		}
		if n := len(kept); n > 0 && f.source.OffsetLine(kept[n-1].Span.Start) == first {
			if kept[n-1].Span.End < fold.Span.End {
				kept[n-1] = fold
			}
			continue
		}
		kept = append(kept, fold)
	}
	return kept
}
