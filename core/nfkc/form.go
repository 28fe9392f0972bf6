package nfkc

import (
	"cmp"
	"slices"
)

// Of is text in normalization form KC. Bytes that are not UTF-8 come out as
// U+FFFD. Time is linear in the text, but for sorting the marks on one letter.
func Of(text string) string {
	if ascii(text) {
		return text
	}
	t := read()
	runes := make([]rune, 0, len(text))
	for _, r := range text {
		runes = t.split(runes, r)
	}
	t.order(runes)
	return string(t.join(runes))
}

func ascii(text string) bool {
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
	syllable, lead, vowel, tail = 0xAC00, 0x1100, 0x1161, 0x11A7

	leads, vowels, tails = 19, 21, 28
)

// Below these no character decomposes, and none has a class or is the second one
// of two that compose.
const (
	firstWhole = 0xA0
	firstMark  = 0x300
)

// split appends the full decomposition of r.
func (t table) split(to []rune, r rune) []rune {
	if r < firstWhole {
		return append(to, r)
	}
	if i := r - syllable; i >= 0 && i < leads*vowels*tails {
		to = append(to, lead+i/(vowels*tails), vowel+i/tails%vowels)
		if i%tails > 0 {
			to = append(to, tail+i%tails)
		}
		return to
	}
	if parts, ok := t.decompose[r]; ok {
		return append(to, []rune(parts)...)
	}
	return append(to, r)
}

func (t table) classOf(r rune) int {
	if r < firstMark {
		return 0
	}
	return int(t.class[r])
}

// order sorts each run of marks by combining class.
func (t table) order(runes []rune) {
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

// join composes in place each character with the last one of class 0, unless
// one between them of the same or a higher class stands in the way.
func (t table) join(runes []rune) []rune {
	n, starter, last := 0, -1, 0
	for _, r := range runes {
		class := t.classOf(r)
		if r >= firstMark && starter >= 0 && (last < class || last == 0 && starter == n-1) {
			if whole, ok := t.whole(runes[starter], r); ok {
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

// whole is the one character that two compose to.
func (t table) whole(first, second rune) (rune, bool) {
	l, v := first-lead, second-vowel
	if l >= 0 && l < leads && v >= 0 && v < vowels {
		return syllable + (l*vowels+v)*tails, true
	}
	s, e := first-syllable, second-tail
	if s >= 0 && s < leads*vowels*tails && s%tails == 0 && e > 0 && e < tails {
		return first + e, true
	}
	r, ok := t.compose[pair{first, second}]
	return r, ok
}
