package outline

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// outline is a chunk's symbols and the span of its content, in spans of the chunk.
type outline struct {
	symbols []Symbol
	content text.Span
}

var outlineCache = analysis.NewChunkCache(func(p *analysis.Chunk) outline { return outline{Symbols(p), p.Tree.Root().Span} })

// visitOutline visits the symbols that touch a span, depth first, with their depth, in spans of the
// file. Cases are children of their list, whichever chunk they are in. Children is nil in the visited
// symbols.
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

// FileSymbols returns the outline of a file as a tree.
func FileSymbols(a *analysis.Analysis) []Symbol { return SymbolsIn(a, text.Span{End: a.Length()}) }

// SymbolsIn returns the symbols that touch a span, as a tree. The cost depends on the size of the
// span.
func SymbolsIn(a *analysis.Analysis, within text.Span) []Symbol {
	root := Symbol{}
	path := []*Symbol{&root} // path to the last symbol, from the root
	for depth, s := range visitOutline(a, within) {
		parent := path[depth]
		parent.Children = append(parent.Children, s)
		path = append(path[:depth+1], &parent.Children[len(parent.Children)-1])
	}
	return root.Children
}

// placedSymbol is a symbol in spans of the file. Its children are in spans of the chunk.
type placedSymbol struct {
	Symbol
	placement analysis.Placement // of the chunk
}

func placeSymbol(s Symbol, placement analysis.Placement) placedSymbol {
	s.Span, s.NameSpan = placement.ToFile(s.Span), placement.ToFile(s.NameSpan)
	return placedSymbol{s, placement}
}

// topSymbols returns the outermost symbols of a file and the index of its list of cases, or -1.
// cases holds the symbols of chunks that belong in that list.
func topSymbols(a *analysis.Analysis, within text.Span) (top []placedSymbol, list int, cases []placedSymbol) {
	list = -1
	for placement, data := range outlineCache.EachIn(a, within, true) {
		if list >= 0 {
			all := &top[list]
			all.Span = all.Span.Cover(placement.ToFile(data.content))
			for _, s := range data.symbols {
				cases = append(cases, placeSymbol(s, placement))
			}
			continue
		}
		for _, s := range data.symbols {
			if s.Kind == CaseList && len(s.Children) == 0 {
				list = len(top)
			}
			top = append(top, placeSymbol(s, placement))
		}
	}
	return top, list, cases
}

// visit visits a symbol and its descendants that touch a span.
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
		if !placeSymbol(s, ps.placement).visit(depth+1, within, yield) {
			return false
		}
	}
	return true
}

// A SymbolMatch is a symbol that matches a query.
type SymbolMatch struct {
	Symbol
	Container string // name of the enclosing symbol, e.g. the case of a criterion
	Rank      int    // 0 is best
}

// SearchSymbols returns the cases, criteria, graders and targets whose name contains the letters of
// query in order, ignoring case. The best match comes first. An empty query matches all.
func SearchSymbols(outline []Symbol, query string) (found []SymbolMatch) {
	query = strings.ToLower(strings.TrimSpace(query))
	var each func(all []Symbol, in string)
	each = func(all []Symbol, in string) {
		for _, s := range all {
			inside := in
			if s.isSearchable() {
				inside = s.Name
				if rank := matchRank(strings.ToLower(s.Name), query); rank >= 0 {
					found = append(found, SymbolMatch{s, in, rank})
				}
			}
			each(s.Children, inside)
		}
	}
	each(outline, "")
	slices.SortStableFunc(found, func(a, b SymbolMatch) int { return a.Rank - b.Rank })
	return found
}

// isSearchable reports whether workspace symbol search includes the symbol.
func (s Symbol) isSearchable() bool {
	return s.Kind == CaseSymbol || s.Kind == CriterionSymbol || s.Kind == GraderSymbol || s.Kind == TargetSymbol
}

// matchRank ranks a match: 0 equal, 1 prefix, 2 at the start of a word, 3 anywhere, 4 letters in
// order, -1 no match.
func matchRank(name, query string) int {
	at := strings.Index(name, query)
	switch {
	case name == query:
		return 0
	case at == 0:
		return 1
	case at > 0 && !unicode.IsLetter(rune(name[at-1])):
		return 2
	case at > 0:
		return 3
	}
	letters := []rune(query)
	for _, r := range name {
		if len(letters) > 0 && r == letters[0] {
			letters = letters[1:]
		}
	}
	if len(letters) == 0 {
		return 4
	}
	return -1
}
