package assist

import (
	"slices"
	"strings"
	"unicode"
)

// SymbolMatch is a symbol that a query finds.
type SymbolMatch struct {
	Symbol
	Container string // what it is in: the case of a criterion; "" for a case
	Rank      int    // how well it matches, 0 best
}

// SearchSymbols are the cases, criteria, graders and targets of an outline that a query
// finds, the best first: those whose name has its letters in it, in this order
// and in any case. An empty query finds all.
func SearchSymbols(outline []Symbol, query string) (found []SymbolMatch) {
	wanted := strings.ToLower(strings.TrimSpace(query))
	var each func(all []Symbol, in string)
	each = func(all []Symbol, in string) {
		for _, s := range all {
			inside := in
			if s.isSearchable() {
				inside = s.Name
				if rank := matchRank(strings.ToLower(s.Name), wanted); rank >= 0 {
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

// isSearchable reports whether people look for such a symbol in other files.
func (s Symbol) isSearchable() bool {
	return s.Kind == CaseSymbol || s.Kind == CriterionSymbol || s.Kind == GraderSymbol || s.Kind == TargetSymbol
}

// matchRank is how well a name matches: 0 for the same, 1 for one that begins so, 2
// for one that has it at the start of a word, 3 anywhere, 4 for one that has its
// letters in order; -1 if it does not.
func matchRank(name, wanted string) int {
	at := strings.Index(name, wanted)
	switch {
	case name == wanted:
		return 0
	case at == 0:
		return 1
	case at > 0 && !unicode.IsLetter(rune(name[at-1])):
		return 2
	case at > 0:
		return 3
	}
	letters := []rune(wanted)
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
