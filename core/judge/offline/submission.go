package offline

import (
	"strings"
	"unicode"
)

// submission is a text made ready to look things up in.
type submission struct {
	text   string
	words  []word
	roots  map[string]string          // of its words, to the first that has it
	counts map[string]map[string]bool // the numbers that stand before a word, by its root
	folded string                     // lower case, white space as single spaces
	bare   string                     // lower case, no white space
}

func read(text string) *submission {
	s := &submission{
		text: text, words: words(text), roots: map[string]string{}, counts: map[string]map[string]bool{},
		folded: fold(text, " "), bare: fold(text, ""),
	}
	for i, w := range s.words {
		s.see(w.root, w.text)
		if strings.HasSuffix(w.text, "n't") {
			s.see(negation, w.text)
		}
		if w.text == "one" {
			s.see("1", w.text)
		}
		if w.number {
			s.count(i)
		}
	}
	return s
}

func (s *submission) see(root, text string) {
	if s.roots[root] == "" {
		s.roots[root] = text
	}
}

// count notes what the number at i counts: the next word, across "to" and a
// second number, so that "six to eight hours" counts both.
func (s *submission) count(i int) {
	for _, next := range s.words[i+1 : min(i+4, len(s.words))] {
		if next.number || next.text == "to" || next.text == "or" || next.text == "and" {
			continue
		}
		unit := next.root
		if s.counts[unit] == nil {
			s.counts[unit] = map[string]bool{}
		}
		s.counts[unit][s.words[i].text] = true
		return
	}
}

func fold(text, space string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), space)
}

func (s *submission) blank() bool { return strings.TrimFunc(s.text, unicode.IsSpace) == "" }

// literally reports whether the text holds what is quoted: as it is, or but for
// case and white space.
func (s *submission) literally(what string) bool {
	if fold(what, "") == "" {
		return false
	}
	return strings.Contains(s.text, what) || strings.Contains(s.folded, fold(what, " "))
}

// code is literally for code, where white space says even less.
func (s *submission) code(what string) bool {
	return s.literally(what) || fold(what, "") != "" && strings.Contains(s.bare, fold(what, ""))
}
