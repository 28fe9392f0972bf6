package outline

import (
	"iter"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
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

// A Match is a symbol that matches a query. The rank of the best match is 0.
type Match struct {
	ide.SymbolInformation
	Rank int
}

// Search returns the cases, criteria, graders and targets whose name contains the letters of query in
// order, ignoring case. The best match comes first. An empty query matches all. The container is the
// nearest symbol that can match, e.g. the case of a criterion.
func Search(f *ide.File, query string) (found []Match) {
	query = strings.ToLower(strings.TrimSpace(query))
	containers := []string{""} // of the symbols at each depth
	for depth, s := range visitOutline(f.Analysis, text.Span{End: f.Length()}) {
		inside := containers[depth]
		if s.isSearchable() {
			if rank := matchRank(strings.ToLower(s.Name), query); rank >= 0 {
				found = append(found, Match{s.information(f, inside), rank})
			}
			inside = s.Name
		}
		containers = append(containers[:depth+1], inside)
	}
	text.SortStable(found, func(a, b Match) int { return a.Rank - b.Rank })
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

// Symbols returns the outline of a chunk: cases with criteria and graders, and other keys. In the
// header, the text around the cases, their list is empty.
func Symbols(p *analysis.Chunk) (all []Symbol) {
	if p.ADK != nil {
		return adkSymbols(p)
	}
	o := outliner{weights: weightDetails(p)}
	for _, root := range syntax.RootValues(p) {
		if scope, _ := agentv.ScopeOf(root.Resolved); root.Node.Kind == yaml.Mapping && scope != agentv.InCase {
			all = append(all, o.settingSymbols(root)...)
		} else {
			all = append(all, o.symbols(root)...)
		}
	}
	return all
}
