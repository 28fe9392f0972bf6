package rouge

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/nfkc"
)

// firstMark is the first combining character.
const firstMark = 0x300

// minStemLength is the length in bytes of the shortest word that is stemmed.
const minStemLength = 4

// ASCIIWords yields the words of text as rouge-score does: runs of a to z and digits in lower case,
// stemmed if longer than three characters. All other characters separate words. A word's bytes are
// valid until the next one.
func ASCIIWords(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !isASCII(text) {
			text = nfkc.Lower(text) // some other letters have ASCII lower case
		}
		word := make([]byte, 0, 32)
		for i := range len(text) {
			c := text[i]
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
				word = append(word, c)
				continue
			}
			if len(word) > 0 && !yield(stemWord(word)) {
				return
			}
			word = word[:0]
		}
		if len(word) > 0 {
			yield(stemWord(word))
		}
	}
}

// stemWord may write beyond the word, whose buffer is cleared for the next one.
func stemWord(word []byte) []byte {
	if len(word) < minStemLength {
		return word
	}
	return Stem(word)
}

// UnicodeWords yields the words of text as ADK does since 2.6, in form NFKC and lower case. An
// ideograph, kana or Hangul syllable is a word. In Thai, Lao, Khmer and Burmese each character with
// its marks begins a word. Other letters, digits and marks form words with their neighbours. ASCII
// words are stemmed as in [ASCIIWords], others are not. A word's bytes are valid until the next
// one.
func UnicodeWords(text string) iter.Seq[[]byte] {
	if isASCII(text) {
		return ASCIIWords(text)
	}
	return func(yield func([]byte) bool) {
		word := make([]byte, 0, 32)
		flush := func() bool {
			whole := word
			word = word[:0]
			if isASCII(whole) {
				whole = stemWord(whole)
			}
			return len(whole) == 0 || yield(whole)
		}
		for _, r := range nfkc.Lower(nfkc.Normalize(text)) {
			mark := r >= firstMark && unicode.In(r, unicode.Mn, unicode.Mc)
			isWordRune := mark || unicode.IsLetter(r) || unicode.IsNumber(r)
			isWord := inRanges(syllabic, r)
			if isWord || !isWordRune || inRanges(unspaced, r) && !mark {
				if !flush() {
					return
				}
			}
			if isWordRune || isWord || inRanges(unspaced, r) {
				word = utf8.AppendRune(word, r)
			}
			if isWord && !flush() {
				return
			}
		}
		flush()
	}
}

func isASCII[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// A runeRange is a range of characters, both ends inclusive.
type runeRange struct{ first, last rune }

var (
	// syllabic scripts have one word per character.
	syllabic = []runeRange{{0x3040, 0x30FF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7AF}}
	// unspaced scripts put no space between words.
	unspaced = []runeRange{{0x0E00, 0x0E7F}, {0x0E80, 0x0EFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}}
)

func inRanges(blocks []runeRange, r rune) bool {
	for _, b := range blocks {
		if b.first <= r && r <= b.last {
			return true
		}
	}
	return false
}
