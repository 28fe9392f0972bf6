package ecmascript

import (
	"cmp"
	"strings"
	"unicode"
)

// set is a set of characters.
type set struct {
	ranges  [][2]rune
	tables  []*unicode.RangeTable
	sets    []*set
	negated bool
}

var (
	lineTerminators = &set{ranges: [][2]rune{{'\n', '\n'}, {'\r', '\r'}, {'\u2028', '\u2029'}}}
	whiteSpace      = &set{ranges: [][2]rune{{'\t', '\r'}, {'\ufeff', '\ufeff'}, {'\u2028', '\u2029'}}, tables: []*unicode.RangeTable{unicode.Zs}}
	asciiWord       = &set{ranges: [][2]rune{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}}
	foldedWord      = &set{sets: []*set{asciiWord}, ranges: [][2]rune{{'ſ', 'ſ'}, {'\u212a', '\u212a'}}}
)

// wordCharacters returns the characters of \w. With flags i and u they include two whose folding is
// in ASCII.
func (f flags) wordCharacters() *set {
	if f.unicode && f.ignoreCase {
		return foldedWord
	}
	return asciiWord
}

// add adds a class, or without one a character.
func (s *set) add(c rune, class *set) {
	if class != nil {
		s.sets = append(s.sets, class)
		return
	}
	s.ranges = append(s.ranges, [2]rune{c, c})
}

// lists reports whether the set, if it were not negated, has a character.
func (s *set) lists(c rune) bool {
	for _, r := range s.ranges {
		if r[0] <= c && c <= r[1] {
			return true
		}
	}
	for _, sub := range s.sets {
		if sub.lists(c) != sub.negated {
			return true
		}
	}
	return unicode.In(c, s.tables...)
}

// matches reports whether a character is in the set. If case is ignored, so are those characters
// that differ by case only.
func (s *set) matches(f flags, c rune) bool {
	found := s.lists(c)
	if f.ignoreCase && !found {
		want := f.canonical(c)
		for other := unicode.SimpleFold(c); other != c && !found; other = unicode.SimpleFold(other) {
			found = f.canonical(other) == want && s.lists(other)
		}
	}
	return found != s.negated
}

// canonical returns the same character for all that differ by case only: with flag u the least of
// those with the same folding, else the upper case if that is one character, and not in ASCII for
// one that is not.
func (f flags) canonical(c rune) rune {
	switch {
	case !f.ignoreCase:
		return c
	case c < 0x80 && !f.unicode:
		if 'a' <= c && c <= 'z' {
			return c - 'a' + 'A'
		}
		return c
	case !f.unicode:
		if upper := unicode.ToUpper(c); upper >= 0x80 && !hasLongUpperCase(c) {
			return upper
		}
		return c
	}
	least := c
	for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// hasLongUpperCase reports whether the upper case of a character is several characters although
// package unicode has one: Greek letters with an iota subscript.
func hasLongUpperCase(c rune) bool {
	return 0x1f80 <= c && c <= 0x1faf || c == 0x1fb3 || c == 0x1fbc || c == 0x1fc3 || c == 0x1fcc || c == 0x1ff3 || c == 0x1ffc
}

// propertyTable returns the characters with a property, as in \p{name}; nil if it is not known.
func propertyTable(name string) []*unicode.RangeTable {
	property, value, isPair := strings.Cut(name, "=")
	switch {
	case isPair && (property == "Script" || property == "sc"):
		if table := unicode.Scripts[value]; table != nil {
			return []*unicode.RangeTable{table}
		}
		return nil
	case isPair && property != "General_Category" && property != "gc":
		return nil
	case isPair:
		name = value
	}
	name = cmp.Or(unicode.CategoryAliases[name], name)
	if table := unicode.Categories[name]; table != nil {
		return []*unicode.RangeTable{table}
	}
	if isPair {
		return nil
	}
	switch name {
	case "Any":
		return []*unicode.RangeTable{{R32: []unicode.Range32{{Lo: 0, Hi: unicode.MaxRune, Stride: 1}}}}
	case "ASCII":
		return []*unicode.RangeTable{{R16: []unicode.Range16{{Lo: 0, Hi: 0x7f, Stride: 1}}}}
	case "Alphabetic", "Alpha":
		return []*unicode.RangeTable{unicode.L, unicode.Nl, unicode.Other_Alphabetic}
	case "Lowercase", "Lower":
		return []*unicode.RangeTable{unicode.Ll, unicode.Other_Lowercase}
	case "Uppercase", "Upper":
		return []*unicode.RangeTable{unicode.Lu, unicode.Other_Uppercase}
	case "White_Space", "space":
		return []*unicode.RangeTable{unicode.White_Space}
	}
	return nil
}
