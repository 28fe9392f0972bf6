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

var outlines = analysis.NewMemo(func(p *analysis.Part) outline { return outline{Symbols(p), p.Tree.Root().Span} })

// Outline visits the symbols of a file, each before those in it, with how many it
// is in: in spans of the file, and with the cases in their list, whichever parts
// they are. Nothing is Inside of what is visited: the symbols of a large file, all
// of them at once, weigh as much as its analysis.
func Outline(a *analysis.Analysis) iter.Seq2[int, Symbol] {
	return outlineIn(a, text.Span{End: a.Length()})
}

// outlineIn is Outline of what a stretch of the file touches.
func outlineIn(a *analysis.Analysis, within text.Span) iter.Seq2[int, Symbol] {
	around, list, cases := listed(a, within)
	return func(yield func(int, Symbol) bool) {
		for i, s := range around {
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

// SymbolsOf is the outline of a file as a tree.
func SymbolsOf(a *analysis.Analysis) []Symbol { return SymbolsIn(a, text.Span{End: a.Length()}) }

// SymbolsIn are those symbols of a file that a stretch of it touches, as a tree. They
// cost what is in the stretch.
func SymbolsIn(a *analysis.Analysis, within text.Span) []Symbol {
	root := Symbol{}
	way := []*Symbol{&root} // the last symbol of each depth, and what is around them
	for depth, s := range outlineIn(a, within) {
		in := way[depth]
		in.Inside = append(in.Inside, s)
		way = append(way[:depth+1], &in.Inside[len(in.Inside)-1])
	}
	return root.Inside
}

// located is a symbol in spans of the file, but for those in it.
type located struct {
	Symbol
	at analysis.Spot // of the part that those in it are in
}

func put(s Symbol, at analysis.Spot) located {
	s.Span, s.Head = at.Place(s.Span), at.Place(s.Head)
	return located{s, at}
}

// listed are the outermost symbols of a file: those around its list of cases, where
// the list is among them (-1 without one), and those of the parts that belong in it, as
// far as a stretch touches these.
func listed(a *analysis.Analysis, within text.Span) (around []located, list int, cases []located) {
	list = -1
	for spot, part := range outlines.In(a, within, true) {
		if list >= 0 {
			all := &around[list]
			all.Span = all.Span.Cover(spot.Place(part.content))
			for _, s := range part.symbols {
				cases = append(cases, put(s, spot))
			}
			continue
		}
		for _, s := range part.symbols {
			if s.Kind == CaseList && len(s.Inside) == 0 {
				list = len(around)
			}
			around = append(around, put(s, spot))
		}
	}
	return around, list, cases
}

// visit visits a symbol and those in it, as far as a stretch touches them.
func (p located) visit(depth int, within text.Span, yield func(int, Symbol) bool) bool {
	if p.Span.End < within.Start || p.Span.Start > within.End {
		return true
	}
	inside := p.Inside
	p.Inside = nil
	if !yield(depth, p.Symbol) {
		return false
	}
	for _, s := range inside {
		if !put(s, p.at).visit(depth+1, within, yield) {
			return false
		}
	}
	return true
}
