package rouge

import "strings"

// irregularStem returns the stem of a word in NLTK's table of exceptions, "" for all others.
func irregularStem(word []byte) string {
	switch string(word) {
	case "sky", "skies":
		return "sky"
	case "dying":
		return "die"
	case "lying":
		return "lie"
	case "tying":
		return "tie"
	case "inning", "innings":
		return "inning"
	case "outing", "outings":
		return "outing"
	case "canning", "cannings":
		return "canning"
	case "news", "howe", "proceed", "exceed", "succeed":
		return string(word)
	}
	return ""
}

// Stem returns the stem of an English word in lower case, by Porter's algorithm with NLTK's
// changes. It overwrites the array of word, which may hold the result.
func Stem(word []byte) []byte {
	if stem := irregularStem(word); stem != "" {
		return append(word[:0], stem...)
	}
	if len(word) <= 2 {
		return word
	}
	word = step1c(step1b(step1a(word)))
	return step5b(step5a(step4Rules.apply(step3Rules.apply(step2(word)))))
}

// step1a removes plural endings.
func step1a(w []byte) []byte {
	switch {
	case !hasSuffix(w, "s"), hasSuffix(w, "ss"):
		return w
	case hasSuffix(w, "ies") && len(w) == 4:
		return trimEnd(w, 1) // "dies", but not "flies"
	case hasSuffix(w, "ies"), hasSuffix(w, "sses"):
		return trimEnd(w, 2)
	}
	return trimEnd(w, 1)
}

// step1b removes the endings -ed and -ing.
func step1b(w []byte) []byte {
	switch {
	case hasSuffix(w, "ied") && len(w) == 4:
		return trimEnd(w, 1)
	case hasSuffix(w, "ied"):
		return trimEnd(w, 2)
	case hasSuffix(w, "eed"):
		if measure(trimEnd(w, 3)) > 0 {
			return trimEnd(w, 1)
		}
		return w
	case hasSuffix(w, "ed") && hasVowel(trimEnd(w, 2)):
		return restoreEnding(trimEnd(w, 2))
	case hasSuffix(w, "ing") && hasVowel(trimEnd(w, 3)):
		return restoreEnding(trimEnd(w, 3))
	}
	return w
}

// restoreEnding repairs a stem after step 1b: "hopp" becomes "hop", "siz" becomes "size".
func restoreEnding(w []byte) []byte {
	last := w[len(w)-1]
	switch {
	case hasSuffix(w, "at"), hasSuffix(w, "bl"), hasSuffix(w, "iz"):
		return append(w, 'e')
	case endsInDoubleConsonant(w):
		if last == 'l' || last == 's' || last == 'z' {
			return w
		}
		return trimEnd(w, 1)
	case measure(w) == 1 && endsInShortSyllable(w):
		return append(w, 'e')
	}
	return w
}

// step1c changes a final y to i, by NLTK's condition: "happy" and "spy", but not "enjoy".
func step1c(w []byte) []byte {
	if hasSuffix(w, "y") && len(w) > 2 && isConsonant(w, len(w)-2) {
		w[len(w)-1] = 'i'
	}
	return w
}

// step5a removes a final e.
func step5a(w []byte) []byte {
	if !hasSuffix(w, "e") {
		return w
	}
	stem := trimEnd(w, 1)
	if m := measure(stem); m > 1 || m == 1 && !endsInShortSyllable(stem) {
		return stem
	}
	return w
}

// step5b shortens a final ll.
func step5b(w []byte) []byte {
	if hasSuffix(w, "ll") && measure(trimEnd(w, 1)) > 1 {
		return trimEnd(w, 1)
	}
	return w
}

func hasSuffix(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

func trimEnd(w []byte, n int) []byte { return w[:len(w)-n] }

// isConsonant reports whether the letter at i is a consonant. A y is one after a vowel and at the
// beginning; in a row of them, every second one is.
func isConsonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		first := i
		for first > 0 && w[first-1] == 'y' {
			first--
		}
		odd := (i-first)%2 == 1
		return odd != (first == 0 || !isConsonant(w, first-1))
	}
	return true
}

// measure counts the vowel-consonant sequences of w, Porter's m.
func measure(w []byte) int {
	m, vowel := 0, false
	for i, c := range w {
		was := vowel
		switch c {
		case 'a', 'e', 'i', 'o', 'u':
			vowel = true
		case 'y':
			vowel = i > 0 && !was
		default:
			vowel = false
		}
		if was && !vowel {
			m++
		}
	}
	return m
}

func hasVowel(w []byte) bool {
	for i, c := range w {
		switch c {
		case 'a', 'e', 'i', 'o', 'u':
			return true
		case 'y':
			if i > 0 { // no vowel precedes, so y follows a consonant
				return true
			}
		}
	}
	return false
}

// endsInDoubleConsonant reports whether w ends in the same consonant twice.
func endsInDoubleConsonant(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && isConsonant(w, n-1)
}

// endsInShortSyllable reports whether w ends in consonant, vowel, consonant, the last of them not
// w, x or y. A word of only a vowel and a consonant counts too.
func endsInShortSyllable(w []byte) bool {
	n := len(w)
	if n == 2 {
		return !isConsonant(w, 0) && isConsonant(w, 1)
	}
	if n < 3 || !isConsonant(w, n-3) || isConsonant(w, n-2) || !isConsonant(w, n-1) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

// A rule replaces a suffix if the stem before it is long enough.
type rule struct {
	suffix, replacement string
	minMeasure          int    // the stem's measure must be greater
	stemLetters         int    // letters of the suffix that count as stem
	precededBy          string // letters that the stem may end in; "" for any
}

// suffixRules are the rules of one step, by the last letter of the suffix. Only the first rule with
// a matching suffix is tried.
type suffixRules [256][]rule

// parseRules parses rules in the form "suffix>replacement".
func parseRules(over int, written string) *suffixRules {
	all := &suffixRules{}
	for pair := range strings.FieldsSeq(written) {
		suffix, with, _ := strings.Cut(pair, ">")
		r := rule{suffix: suffix, replacement: with, minMeasure: over}
		switch suffix {
		case "logi": // treats "geology" and "archaeology" alike
			r.stemLetters = 1
		case "ion":
			r.precededBy = "st"
		}
		last := suffix[len(suffix)-1]
		all[last] = append(all[last], r)
	}
	return all
}

var (
	step2Rules = parseRules(0, `ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous
		ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful logi>log`)
	step3Rules = parseRules(0, `icate>ic ative> alize>al iciti>ic ical>ic ful> ness>`)
	step4Rules = parseRules(1, `al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>`)
)

func (rules *suffixRules) apply(w []byte) []byte {
	if len(w) == 0 {
		return w
	}
	for _, r := range rules[w[len(w)-1]] {
		if !hasSuffix(w, r.suffix) {
			continue
		}
		stem := trimEnd(w, len(r.suffix))
		fits := measure(w[:len(stem)+r.stemLetters]) > r.minMeasure
		if r.precededBy != "" {
			fits = fits && len(stem) > 0 && strings.IndexByte(r.precededBy, stem[len(stem)-1]) >= 0
		}
		if fits {
			return append(stem, r.replacement...)
		}
		return w
	}
	return w
}

// step2 first changes "alli" to "al", repeatedly.
func step2(w []byte) []byte {
	for hasSuffix(w, "alli") && measure(trimEnd(w, 4)) > 0 {
		w = trimEnd(w, 2)
	}
	return step2Rules.apply(w)
}
