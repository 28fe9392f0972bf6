package nfkc

import (
	"cmp"
	"slices"
)

// Normalize is text in normalization form KC. Bytes that are not UTF-8 come out as
// U+FFFD. Time is linear in the text, but for sorting the marks on one letter.
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

// Hangul syllables are composed by arithmetic: 19 leads, 21 vowels, 27 tails
// and the place of no tail.
const (
	hangulBase, leadBase, vowelBase, tailBase = 0xAC00, 0x1100, 0x1161, 0x11A7

	leadCount, vowelCount, tailCount = 19, 21, 28
)

// Below these no character decomposes, and none has a class or is the second one
// of two that compose.
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

// composeAll composes in place each character with the last one of class 0, unless
// one between them of the same or a higher class stands in the way.
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

// composePair is the one character that two compose to.
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
