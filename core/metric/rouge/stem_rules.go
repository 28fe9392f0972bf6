package rouge

import "strings"

// rule replaces a suffix when what stands before it is long enough.
type rule struct {
	suffix, replacement string
	minMeasure          int    // the measure of the stem is more than this
	stemLetters         int    // so many letters of the suffix count as stem
	precededBy          string // letters of which the stem ends in one; "" for any
}

// suffixRules are a step's rules by the last letter of the suffix. Only the first
// rule whose suffix fits is tried.
type suffixRules [256][]rule

// parseRules reads rules written "suffix>replacement".
func parseRules(over int, written string) *suffixRules {
	all := &suffixRules{}
	for pair := range strings.FieldsSeq(written) {
		suffix, with, _ := strings.Cut(pair, ">")
		r := rule{suffix: suffix, replacement: with, minMeasure: over}
		switch suffix {
		case "logi": // so that "geology" and "archaeology" fare alike
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

// step2 takes "alli" for "al" before anything else, and then looks again.
func step2(w []byte) []byte {
	for hasSuffix(w, "alli") && measure(trimEnd(w, 4)) > 0 {
		w = trimEnd(w, 2)
	}
	return step2Rules.apply(w)
}

func step3(w []byte) []byte { return step3Rules.apply(w) }

func step4(w []byte) []byte { return step4Rules.apply(w) }
