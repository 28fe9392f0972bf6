package assist

import (
	"iter"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// outline is a part's symbols and where its content is, in spans of the part.
type outline struct {
	symbols []Symbol
	content text.Span
}

var outlineCache = analysis.NewChunkCache(func(p *analysis.Chunk) outline { return outline{Symbols(p), p.Tree.Root().Span} })

// Outline visits the symbols of a file, each before those in it, with how many it
// is in: in spans of the file, and with the cases in their list, whichever parts
// they are. Nothing is Inside of what is visited: the symbols of a large file, all
// of them at once, weigh as much as its analysis.
func Outline(a *analysis.Analysis) iter.Seq2[int, Symbol] {
	return visitOutline(a, text.Span{End: a.Length()})
}

// visitOutline is Outline of what a stretch of the file touches.
func visitOutline(a *analysis.Analysis, within text.Span) iter.Seq2[int, Symbol] {
	top, list, cases := topSymbols(a, within)
	return func(yield func(int, Symbol) bool) {
		for i, s := range top {
			if !s.visit(0, within, yield) {
				return
			}
			for j := 0; i == list && j < len(cases); j++ {
				if !cases[j].visit(1, within, yield) {
					return
				}
			}
		}
	}
}

// FileSymbols is the outline of a file as a tree.
func FileSymbols(a *analysis.Analysis) []Symbol { return SymbolsIn(a, text.Span{End: a.Length()}) }

// SymbolsIn are those symbols of a file that a stretch of it touches, as a tree. They
// cost what is in the stretch.
func SymbolsIn(a *analysis.Analysis, within text.Span) []Symbol {
	root := Symbol{}
	way := []*Symbol{&root} // the last symbol of each depth, and what is around them
	for depth, s := range visitOutline(a, within) {
		in := way[depth]
		in.Children = append(in.Children, s)
		way = append(way[:depth+1], &in.Children[len(in.Children)-1])
	}
	return root.Children
}

// placedSymbol is a symbol in spans of the file, but for those in it.
type placedSymbol struct {
	Symbol
	spot analysis.Placement // of the part that those in it are in
}

func placeSymbol(s Symbol, spot analysis.Placement) placedSymbol {
	s.Span, s.NameSpan = spot.ToFile(s.Span), spot.ToFile(s.NameSpan)
	return placedSymbol{s, spot}
}

// topSymbols are the outermost symbols of a file: those around its list of cases, where
// the list is among them (-1 without one), and those of the parts that belong in it, as
// far as a stretch touches these.
func topSymbols(a *analysis.Analysis, within text.Span) (top []placedSymbol, list int, cases []placedSymbol) {
	list = -1
	for spot, part := range outlineCache.EachIn(a, within, true) {
		if list >= 0 {
			all := &top[list]
			all.Span = all.Span.Cover(spot.ToFile(part.content))
			for _, s := range part.symbols {
				cases = append(cases, placeSymbol(s, spot))
			}
			continue
		}
		for _, s := range part.symbols {
			if s.Kind == CaseList && len(s.Children) == 0 {
				list = len(top)
			}
			top = append(top, placeSymbol(s, spot))
		}
	}
	return top, list, cases
}

// visit visits a symbol and those in it, as far as a stretch touches them.
func (ps placedSymbol) visit(depth int, within text.Span, yield func(int, Symbol) bool) bool {
	if ps.Span.End < within.Start || ps.Span.Start > within.End {
		return true
	}
	children := ps.Children
	ps.Children = nil
	if !yield(depth, ps.Symbol) {
		return false
	}
	for _, s := range children {
		if !placeSymbol(s, ps.spot).visit(depth+1, within, yield) {
			return false
		}
	}
	return true
}
