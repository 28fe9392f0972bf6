package offline

import (
	"strings"
	"sync"
	"unicode"
)

// telling reports whether a word tells what a criterion is about: not if it is a
// small word, a word for the submission itself, for saying something or for a
// quality that has no words of its own.
// Endings such as "する" tell as little: of Japanese only other characters do.
func telling(w word) bool {
	if w.number {
		return true
	}
	if smallWords.has(w.text) || sayingStems.has(w.text) {
		return false
	}
	return strings.ContainsFunc(w.text, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) })
}

// set is the words of a list. They are told apart when it is first asked: at the start
// that would be in the way of whoever asks another judge.
type set struct {
	list  string
	stems bool // a word with the stem of one in the list is as good as in it
	once  sync.Once
	keys  map[string]bool
}

func (s *set) has(word string) bool {
	s.once.Do(func() {
		s.keys = map[string]bool{}
		for w := range strings.FieldsSeq(s.list) {
			s.keys[s.key(w)] = true
		}
	})
	return s.keys[s.key(word)]
}

func (s *set) key(word string) string {
	if s.stems {
		return stem(word)
	}
	return word
}

var (
	smallWords = &set{list: `
a an the this that these those it its it's itself they them their there here he she his her we our you your i my me us s
and or but nor so if then than as at by for from in into of off on onto to up with within about above after upon
again against all any both each either every few more most much many other others some such own same too very just
only also yes be is are was were been being am do does did done doing have has had having can could may might
must shall should will would let get gets got how what when where which while who whom whose why because between
during before below over under out down through per via etc e g eg ie least one st nd rd th i'm you're we're they're
der die das den dem des ein eine einen einem einer und oder ist sind im von vom zu zum zur mit auf für bei nach aus es sich
le la les un une du de d et ou est sont en au aux à dans par pour sur que qui ce cette il elle l
el los las una y o es son del al con por para se su lo che di e il gli
`}

	sayingStems = &set{list: `
answer response reply output submission text message assistant agent model user customer reader summary content
result information detail fact way
say tell state mention explain describe give provide offer ask name report cover include contain warn note advise
inform identify address list show present recommend suggest use make promise assure confirm clarify indicate specify
point remind discuss acknowledge refer quote
clear correct accurate complete explicit proper good appropriate relevant specific concise brief polite friendly helpful
professional courteous respectful coherent readable understandable
nennt erwähnt erklärt sagt gibt
`, stems: true}
)
