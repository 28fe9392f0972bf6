package rouge

import "strings"

// irregularStems is NLTK's table of exceptions.
var irregularStems = map[string]string{
	"sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "howe": "howe",
	"inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing", "canning": "canning", "cannings": "canning",
	"proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}

// Stem returns the stem of an English word in lower case, by Porter's algorithm with NLTK's
// changes.
func Stem(word string) string {
	if stem := irregularStems[word]; stem != "" {
		return stem
	}
	if len(word) <= 2 {
		return word
	}
	word = step1c(step1b(step1a(word)))
	return step5b(step5a(step4Rules.apply(step3Rules.apply(step2(word)))))
}

// step1a removes plural endings.
func step1a(w string) string {
	if strings.HasSuffix(w, "ies") && len(w) == 4 {
		return trimEnd(w, 1) // "dies", but not "flies"
	}
	return step1aRules.apply(w)
}

// step1b removes the endings -ed and -ing.
func step1b(w string) string {
	switch {
	case strings.HasSuffix(w, "ied") && len(w) == 4:
		return trimEnd(w, 1)
	case strings.HasSuffix(w, "ied"):
		return trimEnd(w, 2)
	case strings.HasSuffix(w, "eed"):
		if measure(trimEnd(w, 3)) > 0 {
			return trimEnd(w, 1)
		}
		return w
	}
	for _, ending := range []string{"ed", "ing"} {
		if stem, ok := strings.CutSuffix(w, ending); ok && strings.Contains(letterKinds(stem), "v") {
			return restoreEnding(stem)
		}
	}
	return w
}

// restoreEnding repairs a stem after step 1b: "hopp" becomes "hop", "siz" becomes "size".
func restoreEnding(w string) string {
	n, kinds := len(w), letterKinds(w)
	switch {
	case strings.HasSuffix(w, "at"), strings.HasSuffix(w, "bl"), strings.HasSuffix(w, "iz"):
		return w + "e"
	case n >= 2 && w[n-1] == w[n-2] && kinds[n-1] == 'c':
		if strings.IndexByte("lsz", w[n-1]) >= 0 {
			return w
		}
		return trimEnd(w, 1)
	case measure(w) == 1 && endsInShortSyllable(w):
		return w + "e"
	}
	return w
}

// step1c changes a final y to i, by NLTK's condition: "happy" and "spy", but not "enjoy".
func step1c(w string) string {
	if stem, ok := strings.CutSuffix(w, "y"); ok && len(stem) > 1 && strings.HasSuffix(letterKinds(stem), "c") {
		return stem + "i"
	}
	return w
}

// step2 first changes "alli" to "al", repeatedly.
func step2(w string) string {
	for strings.HasSuffix(w, "alli") && measure(trimEnd(w, 4)) > 0 {
		w = trimEnd(w, 2)
	}
	return step2Rules.apply(w)
}

// step5a removes a final e.
func step5a(w string) string {
	if stem, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(stem); m > 1 || m == 1 && !endsInShortSyllable(stem) {
			return stem
		}
	}
	return w
}

// step5b shortens a final ll.
func step5b(w string) string {
	if strings.HasSuffix(w, "ll") && measure(trimEnd(w, 1)) > 1 {
		return trimEnd(w, 1)
	}
	return w
}

func trimEnd(w string, n int) string { return w[:len(w)-n] }

// letterKinds returns v for each vowel of a word and c for each consonant. A y is a consonant after a
// vowel and at the beginning.
func letterKinds(w string) string {
	kinds := make([]byte, len(w))
	for i := range kinds {
		kinds[i] = 'c'
		if strings.IndexByte("aeiou", w[i]) >= 0 || w[i] == 'y' && i > 0 && kinds[i-1] == 'c' {
			kinds[i] = 'v'
		}
	}
	return string(kinds)
}

// measure counts the vowel-consonant sequences of w, Porter's m.
func measure(w string) int { return strings.Count(letterKinds(w), "vc") }

// endsInShortSyllable reports whether w ends in consonant, vowel, consonant, the last of them not
// w, x or y. A word of only a vowel and a consonant counts too.
func endsInShortSyllable(w string) bool {
	kinds := letterKinds(w)
	return kinds == "vc" || strings.HasSuffix(kinds, "cvc") && strings.IndexByte("wxy", w[len(w)-1]) < 0
}

// A suffixStep replaces suffixes if the stem before them is long enough. Only the first rule with a
// matching suffix is tried.
type suffixStep struct {
	minMeasure int         // the stem's measure must be greater
	rules      [][2]string // suffix and replacement
}

// newSuffixStep parses rules in the form "suffix>replacement".
func newSuffixStep(minMeasure int, rules string) suffixStep {
	s := suffixStep{minMeasure: minMeasure}
	for rule := range strings.FieldsSeq(rules) {
		suffix, replacement, _ := strings.Cut(rule, ">")
		s.rules = append(s.rules, [2]string{suffix, replacement})
	}
	return s
}

var (
	step1aRules = newSuffixStep(-1, `sses>ss ies>i ss>ss s>`)
	step2Rules  = newSuffixStep(0, `ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous
		ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful logi>log`)
	step3Rules = newSuffixStep(0, `icate>ic ative> alize>al iciti>ic ical>ic ful> ness>`)
	step4Rules = newSuffixStep(1, `al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>`)
)

func (s suffixStep) apply(w string) string {
	for _, rule := range s.rules {
		stem, ok := strings.CutSuffix(w, rule[0])
		if !ok {
			continue
		}
		fits := measure(stem) > s.minMeasure
		switch rule[0] {
		case "logi": // treats "geology" and "archaeology" alike
			fits = measure(stem+"l") > s.minMeasure
		case "ion":
			fits = fits && (strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "t"))
		}
		if fits {
			return stem + rule[1]
		}
		return w
	}
	return w
}
