// Package rouge compares two texts by their common words: ROUGE-1, as in ADK's
// response_match_score.
//
// There are two tokenizers. [ASCIIWords] is that of the rouge-score library and of ADK 2.0, and
// knows only the letters a to z. [UnicodeWords] is that of ADK since 2.6. English words are stemmed
// by Porter's algorithm with NLTK's changes ([Stem]). The common Go ports implement the published
// algorithm or its successor, which give other stems and so other scores.
package rouge

import (
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/nfkc"
)

// Score is the overlap of a candidate with a reference, each number 0–1.
type Score struct {
	Precision float64 // share of the candidate's words that the reference has
	Recall    float64 // share of the reference's words that the candidate has
	F         float64 // their harmonic mean; 0 if either text has no words
}

// Rouge1 returns the ROUGE-1 score of a candidate, with both texts tokenized by tokenize.
func Rouge1(tokenize func(text string) []string, candidate, reference string) Score {
	return Overlap(tokenize(candidate), tokenize(reference))
}

// Overlap compares words, or sequences of them. One counts as often as both sides have it.
func Overlap(given, wanted []string) Score {
	remaining, shared := map[string]int{}, 0
	for _, word := range wanted {
		remaining[word]++
	}
	for _, word := range given {
		if remaining[word] > 0 {
			remaining[word]--
			shared++
		}
	}
	if shared == 0 {
		return Score{}
	}
	s := Score{Precision: float64(shared) / float64(len(given)), Recall: float64(shared) / float64(len(wanted))}
	s.F = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	return s
}

// firstMark is the first combining character.
const firstMark = 0x300

// minStemLength is the length in bytes of the shortest word that is stemmed.
const minStemLength = 4

// ASCIIWords returns the words of text as rouge-score does: runs of a to z and digits in lower case,
// stemmed if longer than three characters. All other characters separate words.
func ASCIIWords(text string) []string {
	words := strings.FieldsFunc(nfkc.Lower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for i, word := range words {
		words[i] = stemLong(word)
	}
	return words
}

func stemLong(word string) string {
	if len(word) < minStemLength {
		return word
	}
	return Stem(word)
}

// UnicodeWords returns the words of text as ADK does since 2.6, in form NFKC and lower case. An
// ideograph, kana or Hangul syllable is a word. In Thai, Lao, Khmer and Burmese each character with
// its marks begins a word. Latin letters after it belong to that word, but are a word of their own in
// ADK 2.10. Other letters, digits and marks form words with their neighbours. ASCII words are stemmed
// as in [ASCIIWords], others are not.
func UnicodeWords(text string) (words []string) {
	var letters []rune
	flush := func() {
		word := string(letters)
		if strings.IndexFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
			word = stemLong(word)
		}
		if word != "" {
			words = append(words, word)
		}
		letters = letters[:0]
	}
	for _, r := range nfkc.Lower(nfkc.Normalize(text)) {
		mark := r >= firstMark && unicode.IsMark(r)
		isWordRune := mark || unicode.IsLetter(r) || unicode.IsNumber(r)
		isWord, isUnspaced := unicode.Is(syllabic, r), unicode.Is(unspaced, r)
		if isWord || !isWordRune || isUnspaced && !mark {
			flush()
		}
		if isWordRune || isWord || isUnspaced {
			letters = append(letters, r)
		}
		if isWord {
			flush()
		}
	}
	flush()
	return words
}

var (
	// syllabic scripts have one word per character.
	syllabic = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x3040, Hi: 0x30FF, Stride: 1}, {Lo: 0x4E00, Hi: 0x9FFF, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7AF, Stride: 1}}}
	// unspaced scripts put no space between words.
	unspaced = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x0E00, Hi: 0x0EFF, Stride: 1}, {Lo: 0x1000, Hi: 0x109F, Stride: 1}, {Lo: 0x1780, Hi: 0x17FF, Stride: 1}}}
)
