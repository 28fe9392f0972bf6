package rouge

// irregular is the stem of a word that NLTK has in a table; "" for all others.
func irregular(word []byte) string {
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
	if stem := irregular(word); stem != "" {
		return append(word[:0], stem...)
	}
	if len(word) <= 2 {
		return word
	}
	word = finalY(inflection(plural(word)))
	return finalL(finalE(step4(step3(step2(word)))))
}

// plural is step 1a.
func plural(w []byte) []byte {
	switch {
	case !ends(w, "s"), ends(w, "ss"):
		return w
	case ends(w, "ies") && len(w) == 4:
		return cut(w, 1) // "dies", but not "flies"
	case ends(w, "ies"), ends(w, "sses"):
		return cut(w, 2)
	}
	return cut(w, 1)
}

// inflection is step 1b.
func inflection(w []byte) []byte {
	switch {
	case ends(w, "ied") && len(w) == 4:
		return cut(w, 1)
	case ends(w, "ied"):
		return cut(w, 2)
	case ends(w, "eed"):
		if measure(cut(w, 3)) > 0 {
			return cut(w, 1)
		}
		return w
	case ends(w, "ed") && voiced(cut(w, 2)):
		return restored(cut(w, 2))
	case ends(w, "ing") && voiced(cut(w, 3)):
		return restored(cut(w, 3))
	}
	return w
}

// restored gives a stem back what its inflection took: "hop" for "hopp",
// "size" for "siz".
func restored(w []byte) []byte {
	last := w[len(w)-1]
	switch {
	case ends(w, "at"), ends(w, "bl"), ends(w, "iz"):
		return append(w, 'e')
	case doubled(w):
		if last == 'l' || last == 's' || last == 'z' {
			return w
		}
		return cut(w, 1)
	case measure(w) == 1 && short(w):
		return append(w, 'e')
	}
	return w
}

// finalY is step 1c, with NLTK's condition: "happy" and "spy", but not "enjoy".
func finalY(w []byte) []byte {
	if ends(w, "y") && len(w) > 2 && consonant(w, len(w)-2) {
		w[len(w)-1] = 'i'
	}
	return w
}

// finalE is step 5a.
func finalE(w []byte) []byte {
	if !ends(w, "e") {
		return w
	}
	stem := cut(w, 1)
	if m := measure(stem); m > 1 || m == 1 && !short(stem) {
		return stem
	}
	return w
}

// finalL is step 5b.
func finalL(w []byte) []byte {
	if ends(w, "ll") && measure(cut(w, 1)) > 1 {
		return cut(w, 1)
	}
	return w
}

func ends(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

func cut(w []byte, n int) []byte { return w[:len(w)-n] }

// consonant reports whether the letter at i is one. A y is after a vowel and at
// the beginning; in a row of them every second is.
func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		first := i
		for first > 0 && w[first-1] == 'y' {
			first--
		}
		odd := (i-first)%2 == 1
		return odd != (first == 0 || !consonant(w, first-1))
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

// voiced reports whether there is a vowel.
func voiced(w []byte) bool {
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

// doubled reports whether the word ends in the same consonant twice.
func doubled(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// short reports whether the word ends in a consonant, a vowel and a consonant
// other than w, x and y; a word of just the last two is short as well.
func short(w []byte) bool {
	n := len(w)
	if n == 2 {
		return !consonant(w, 0) && consonant(w, 1)
	}
	if n < 3 || !consonant(w, n-3) || consonant(w, n-2) || !consonant(w, n-1) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}
