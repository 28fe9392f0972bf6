package rouge

// irregularStem is the stem of a word that NLTK has in a table; "" for all others.
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

// Stem takes the endings off an English word in lower case, by Porter's
// algorithm as NLTK changed it. It writes into word's array; the result lies
// there or in a new one.
func Stem(word []byte) []byte {
	if stem := irregularStem(word); stem != "" {
		return append(word[:0], stem...)
	}
	if len(word) <= 2 {
		return word
	}
	word = step1c(step1b(step1a(word)))
	return step5b(step5a(step4(step3(step2(word)))))
}

// step1a is step 1a.
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

// step1b is step 1b.
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

// restoreEnding gives a stem back what its inflection took: "hop" for "hopp",
// "size" for "siz".
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

// step1c is step 1c, with NLTK's condition: "happy" and "spy", but not "enjoy".
func step1c(w []byte) []byte {
	if hasSuffix(w, "y") && len(w) > 2 && isConsonant(w, len(w)-2) {
		w[len(w)-1] = 'i'
	}
	return w
}

// step5a is step 5a.
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

// step5b is step 5b.
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

// isConsonant reports whether the letter at i is one. A y is after a vowel and at
// the beginning; in a row of them every second is.
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

// measure counts how often a vowel is followed by a consonant.
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

// hasVowel reports whether there is a vowel.
func hasVowel(w []byte) bool {
	for i, c := range w {
		switch c {
		case 'a', 'e', 'i', 'o', 'u':
			return true
		case 'y':
			if i > 0 { // after a consonant, there being no vowel before
				return true
			}
		}
	}
	return false
}

// endsInDoubleConsonant reports whether the word ends in the same consonant twice.
func endsInDoubleConsonant(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && isConsonant(w, n-1)
}

// endsInShortSyllable reports whether the word ends in a consonant, a vowel and a consonant
// other than w, x and y; a word of just the last two is short as well.
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
