package rouge

import "strings"

// rule replaces a suffix when what stands before it is long enough.
type rule struct {
	suffix, with string
	over         int    // the measure of the stem is more than this
	stem         int    // so many letters of the suffix count as stem
	after        string // letters of which the stem ends in one; "" for any
}

// suffixes are a step's rules by the last letter of the suffix. Only the first
// rule whose suffix fits is tried.
type suffixes [256][]rule

// ending reads rules written "suffix>replacement".
func ending(over int, written string) *suffixes {
	all := &suffixes{}
	for pair := range strings.FieldsSeq(written) {
		suffix, with, _ := strings.Cut(pair, ">")
		r := rule{suffix: suffix, with: with, over: over}
		switch suffix {
		case "logi": // so that "geology" and "archaeology" fare alike
			r.stem = 1
		case "ion":
			r.after = "st"
		}
		last := suffix[len(suffix)-1]
		all[last] = append(all[last], r)
	}
	return all
}

var (
	second = ending(0, `ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous
		ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful logi>log`)
	third  = ending(0, `icate>ic ative> alize>al iciti>ic ical>ic ful> ness>`)
	fourth = ending(1, `al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>`)
)

func (s *suffixes) apply(w []byte) []byte {
	if len(w) == 0 {
		return w
	}
	for _, r := range s[w[len(w)-1]] {
		if !ends(w, r.suffix) {
			continue
		}
		stem := cut(w, len(r.suffix))
		fits := measure(w[:len(stem)+r.stem]) > r.over
		if r.after != "" {
			fits = fits && len(stem) > 0 && strings.IndexByte(r.after, stem[len(stem)-1]) >= 0
		}
		if fits {
			return append(stem, r.with...)
		}
		return w
	}
	return w
}

// step2 takes "alli" for "al" before anything else, and then looks again.
func step2(w []byte) []byte {
	for ends(w, "alli") && measure(cut(w, 4)) > 0 {
		w = cut(w, 2)
	}
	return second.apply(w)
}

func step3(w []byte) []byte { return third.apply(w) }

func step4(w []byte) []byte { return fourth.apply(w) }
