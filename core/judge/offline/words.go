package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word or number of a text, in lower case, and where it stands there
// in bytes.
type word struct {
	text       string
	root       string // what it is compared by
	start, end int
	number     bool
	spelt      bool // a number in letters
}

// words splits a text into words and numbers. Scripts that write no spaces give
// pairs of neighbouring characters.
func words(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		switch {
		case spaceless(r):
			end = span(text, i, spaceless)
			out = appendPairs(out, text, i, end)
		case unicode.IsDigit(r):
			end = numberEnd(text, i)
			out = append(out, word{text: number(text[i:end]), start: i, end: end, number: true})
		case unicode.IsLetter(r):
			end = wordEnd(text, i)
			out = append(out, letters(text[i:end], i))
		case symbols[r] != "":
			out = append(out, word{text: symbols[r], start: i, end: end})
		}
		i = end
	}
	for i := range out {
		out[i].root = root(out[i].text)
	}
	return out
}

// symbols are signs that are read as words.
var symbols = map[rune]string{'%': "percent", '€': "euro", '$': "dollar", '£': "pound", '¥': "yen"}

func letters(text string, start int) word {
	w := word{text: strings.ReplaceAll(strings.ToLower(text), "’", "'"), start: start, end: start + len(text)}
	if digits := numerals[w.text]; digits != "" {
		w.text, w.number, w.spelt = digits, true, true
	}
	return w
}

// numerals leaves out "one", which is a pronoun more often than a number.
var numerals = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90",
}

func span(text string, start int, in func(rune) bool) int {
	for i, r := range text[start:] {
		if !in(r) {
			return start + i
		}
	}
	return len(text)
}

// wordEnd is where a word that begins at start ends. "don't" is one word; the
// French "l'étiquette" is two.
func wordEnd(text string, start int) int {
	letter := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsMark(r)) && !spaceless(r) }
	end := span(text, start, letter)
	r, size := utf8.DecodeRuneInString(text[end:])
	if r == '\'' || r == '’' {
		if tail := span(text, end+size, letter); tail > end+size && tail <= end+size+len("ll") {
			return tail
		}
	}
	return end
}

// numberEnd is where a number that begins at start ends: digits, with points and
// commas between them.
func numberEnd(text string, start int) int {
	end := span(text, start, unicode.IsDigit)
	for end < len(text) && (text[end] == '.' || text[end] == ',') {
		next := span(text, end+1, unicode.IsDigit)
		if next == end+1 {
			break
		}
		end = next
	}
	return end
}

// number writes equal numbers alike: 30 for 30.0 and 030, 1000 for 1,000, and
// 1.5 for 1,5. It keeps every digit, however many there are.
func number(text string) string {
	text = strings.Map(halfWidth, text)
	if whole, group, _ := strings.Cut(text, ","); thousands(group) && len(whole) <= 3 && strings.Trim(whole, "0") != "" {
		text = strings.ReplaceAll(text, ",", "")
	}
	text = strings.ReplaceAll(text, ",", ".")
	whole, fraction, decimal := strings.Cut(text, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if decimal && !strings.Contains(fraction, ".") { // two points make a version or a date
		fraction = strings.TrimRight(fraction, "0")
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// thousands reports whether what follows the first comma is groups of three.
func thousands(groups string) bool {
	groups, fraction, _ := strings.Cut(groups, ".")
	if strings.ContainsAny(fraction, ".,") {
		return false
	}
	for group := range strings.SplitSeq(groups, ",") {
		if len(group) != 3 {
			return false
		}
	}
	return true
}

func halfWidth(r rune) rune {
	if '０' <= r && r <= '９' {
		return r - '０' + '0'
	}
	return r
}

func spaceless(r rune) bool {
	return r > unicode.MaxLatin1 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func appendPairs(out []word, text string, start, end int) []word {
	var at []int
	for i := range text[start:end] {
		at = append(at, start+i)
	}
	at = append(at, end)
	if len(at) == 2 {
		return append(out, word{text: text[start:end], start: start, end: end})
	}
	for i := range len(at) - 2 {
		out = append(out, word{text: text[at[i]:at[i+2]], start: at[i], end: at[i+2]})
	}
	return out
}
