package offline

import (
	"slices"
	"strings"
)

// forbid looks for what a clause forbids. What it quotes or what can be tested
// decides; otherwise a sentence that holds the words does.
func (s *submission) forbid(e *evidence, w *wish, c clause) {
	quoted, forms := w.within(c), w.forms(c)
	for _, q := range quoted {
		e.ban(q.text, s.holds(q))
	}
	for _, f := range forms {
		e.ban(f.name, f.holds(s))
	}
	if len(quoted)+len(forms) > 0 {
		return
	}
	for _, group := range choices(w.rest[c.start:c.end]) {
		banned := map[string]bool{}
		var names []string
		for _, x := range group {
			if telling(x) && !banned[x.root] {
				banned[x.root] = true
				names = append(names, x.text)
			}
		}
		if len(banned) > 0 {
			e.ban(strings.Join(names, " "), s.sentenceHolds(banned, c.naming))
		}
	}
}

// choices are the alternatives of what is forbidden: "prices, fees or taxes".
func choices(text string) [][]word {
	var groups [][]word
	var group []word
	end := 0
	for _, w := range words(text) {
		if w.text == "or" || w.text == "nor" || strings.ContainsAny(text[min(end, w.start):w.start], ",/") {
			groups, group = append(groups, group), nil
		}
		group, end = append(group, w), w.end
	}
	return append(groups, group)
}

// sentenceHolds reports whether some sentence has the banned words: all of up to
// three, most of more. Unless the mere mention counts, a sentence that negates
// them does not.
func (s *submission) sentenceHolds(banned map[string]bool, naming bool) bool {
	enough := len(banned)
	if enough > 3 {
		enough = (2*enough + 2) / 3
	}
	there := 0
	for b := range banned {
		if s.roots[b] != "" {
			there++
		}
	}
	if there < enough {
		return false
	}
	found, negated := map[string]bool{}, false
	end := 0
	for _, w := range s.words {
		if strings.ContainsAny(s.text[min(end, w.start):w.start], ".!?;\n。！？") {
			clear(found)
			negated = false
		}
		end = w.end
		if banned[w.root] {
			found[w.root] = true
		}
		negated = negated || w.root == negation || strings.HasSuffix(w.text, "n't")
		if len(found) >= enough && (naming || !negated) {
			return true
		}
	}
	return false
}

// forms are the tests that a clause names; their words are blanked.
func (w *wish) forms(c clause) []form {
	var out []form
	for _, f := range forms {
		for _, at := range f.said().FindAllStringIndex(w.rest[c.start:c.end], -1) {
			w.blank(c.start+at[0], c.start+at[1])
			if !slices.ContainsFunc(out, func(g form) bool { return g.name == f.name }) {
				out = append(out, f)
			}
		}
	}
	return out
}
