package nfkc

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Normalize returns text in normalization form KC. Invalid UTF-8 becomes U+FFFD. Time is linear in
// the text, except for sorting the marks on one letter.
func Normalize(text string) string {
	if isASCII(text) {
		return text
	}
	t := loadTable()
	runes := make([]rune, 0, len(text))
	for _, r := range text {
		runes = t.appendDecomposed(runes, r)
	}
	t.sortMarks(runes)
	return string(t.composeAll(runes))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Hangul syllables are composed by arithmetic: 19 leads, 21 vowels, and 27 tails or none.
const (
	hangulBase, leadBase, vowelBase, tailBase = 0xAC00, 0x1100, 0x1161, 0x11A7

	leadCount, vowelCount, tailCount = 19, 21, 28
)

// No character below firstDecomposing decomposes. No character below firstMark has a combining
// class or is the second one of a composition.
const (
	firstDecomposing = 0xA0
	firstMark        = 0x300
)

// appendDecomposed appends the full decomposition of r.
func (t table) appendDecomposed(runes []rune, r rune) []rune {
	if r < firstDecomposing {
		return append(runes, r)
	}
	if i := r - hangulBase; i >= 0 && i < leadCount*vowelCount*tailCount {
		runes = append(runes, leadBase+i/(vowelCount*tailCount), vowelBase+i/tailCount%vowelCount)
		if i%tailCount > 0 {
			runes = append(runes, tailBase+i%tailCount)
		}
		return runes
	}
	if parts, ok := t.decompositions[r]; ok {
		return append(runes, []rune(parts)...)
	}
	return append(runes, r)
}

func (t table) classOf(r rune) int {
	if r < firstMark {
		return 0
	}
	return int(t.classes[r])
}

// sortMarks sorts each run of marks by combining class.
func (t table) sortMarks(runes []rune) {
	for i := 0; i < len(runes); i++ {
		start := i
		for i < len(runes) && t.classOf(runes[i]) > 0 {
			i++
		}
		if i > start+1 {
			slices.SortStableFunc(runes[start:i], func(a, b rune) int { return cmp.Compare(t.classOf(a), t.classOf(b)) })
		}
	}
}

// composeAll composes, in place, each character with the last one of class 0, unless a character of
// the same or a higher class is between them.
func (t table) composeAll(runes []rune) []rune {
	n, starter, last := 0, -1, 0
	for _, r := range runes {
		class := t.classOf(r)
		if r >= firstMark && starter >= 0 && (last < class || last == 0 && starter == n-1) {
			if whole, ok := t.composePair(runes[starter], r); ok {
				runes[starter] = whole
				continue
			}
		}
		if last = class; class == 0 {
			starter = n
		}
		runes[n] = r
		n++
	}
	return runes[:n]
}

// composePair returns the character that two compose to.
func (t table) composePair(first, second rune) (rune, bool) {
	l, v := first-leadBase, second-vowelBase
	if l >= 0 && l < leadCount && v >= 0 && v < vowelCount {
		return hangulBase + (l*vowelCount+v)*tailCount, true
	}
	s, e := first-hangulBase, second-tailBase
	if s >= 0 && s < leadCount*vowelCount*tailCount && s%tailCount == 0 && e > 0 && e < tailCount {
		return first + e, true
	}
	r, ok := t.compositions[pair{first, second}]
	return r, ok
}

// data has one line for each character with an entry, with four fields: the character, its
// combining class unless 0, its full compatibility decomposition, and the two characters that
// compose to it.
//
//go:embed table.txt
var data string

type pair struct{ first, second rune }

type table struct {
	classes        map[rune]uint8
	decompositions map[rune]string
	compositions   map[pair]rune
}

// loadTable builds the table once, on first use.
var loadTable = sync.OnceValue(func() table {
	t := table{map[rune]uint8{}, map[rune]string{}, map[pair]rune{}}
	for line := range strings.Lines(data) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		r := []rune(fields[0])[0]
		if n, err := strconv.ParseUint(fields[1], 10, 8); err == nil {
			t.classes[r] = uint8(n)
		}
		if fields[2] != "" {
			t.decompositions[r] = fields[2]
		}
		if parts := []rune(fields[3]); len(parts) == 2 {
			t.compositions[pair{parts[0], parts[1]}] = r
		}
	}
	return t
})

// Lower returns text in lower case by Unicode's full mapping, as in Python: a dotted capital I
// keeps its dot, and a sigma at the end of a word is a final one.
func Lower(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && isFinal(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// isFinal reports whether the letter at i ends a word: a cased letter precedes it and none follows,
// ignoring marks between.
func isFinal(runes []rune, i int) bool {
	before, after := i-1, i+1
	for before >= 0 && isCaseIgnorable(runes[before]) {
		before--
	}
	for after < len(runes) && isCaseIgnorable(runes[after]) {
		after++
	}
	return before >= 0 && isCased(runes[before]) && (after == len(runes) || !isCased(runes[after]))
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable reports whether r does not separate words.
func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·՟״‘’․‧︓﹒﹕＇．：", r)
}
