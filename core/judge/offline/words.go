package offline

import (
	"strconv"
	"strings"
	"unicode"
)

// words splits a text into words and numbers in lower case. Scripts that write
// no spaces give pairs of neighbouring characters.
func words(text string) []string {
	var out []string
	runes := []rune(strings.ToLower(text))
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case spaceless(r):
			j := i
			for j < len(runes) && spaceless(runes[j]) {
				j++
			}
			out = append(out, pairs(runes[i:j])...)
			i = j
		case unicode.IsDigit(r):
			j := numberEnd(runes, i)
			out = append(out, number(string(runes[i:j])))
			i = j
		case unicode.IsLetter(r):
			j := i
			for j < len(runes) && (unicode.IsLetter(runes[j]) || unicode.IsMark(runes[j]) || apostrophe(runes, j)) && !spaceless(runes[j]) {
				j++
			}
			out = append(out, string(runes[i:j]))
			i = j
		default:
			i++
		}
	}
	return out
}

// numberEnd is where a number that begins at i ends: digits, with points and
// commas between them.
func numberEnd(runes []rune, i int) int {
	j := i
	for j < len(runes) && (unicode.IsDigit(runes[j]) ||
		(runes[j] == '.' || runes[j] == ',') && j+1 < len(runes) && unicode.IsDigit(runes[j+1])) {
		j++
	}
	return j
}

// number writes equal numbers alike: 30, 30.0 and 1,000 as 1000.
func number(text string) string {
	plain := text
	if i := strings.LastIndexByte(text, ','); i >= 0 && len(text)-i == len(",000") {
		plain = strings.ReplaceAll(text, ",", "")
	}
	if f, err := strconv.ParseFloat(plain, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}

func isNumber(word string) bool { return word != "" && unicode.IsDigit(rune(word[0])) }

func apostrophe(runes []rune, i int) bool {
	return (runes[i] == '\'' || runes[i] == '’') && i > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i+1])
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func pairs(run []rune) []string {
	if len(run) == 1 {
		return []string{string(run)}
	}
	var out []string
	for i := range len(run) - 1 {
		out = append(out, string(run[i:i+2]))
	}
	return out
}

// stopWords say nothing about what a criterion asks for: small words, words for
// the submission itself, and words for saying something.
var stopWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`
a an the this that these those it its itself they them their there here he she his her we our you your i my me us
and or but nor so if then than as at by for from in into of off on onto to up with within without about above after
again against all any both each either every few more most much many other others some such own same too very just
only also not no yes be is are was were been being am do does did done doing have has had having can could may might
must shall should will would let get gets got how what when where which while who whom whose why because between
during before below over under out down through per via etc e.g i.e eg ie least one
answer answers response responses reply replies output outputs submission text message assistant agent model user
users customer summary content result results
say says said state states stated mention mentions mentioned explain explains explained describe describes described
give gives given provide provides provided offer offers offered ask asks asked name names named report reports
reported cover covers covered include includes included contain contains contained warn warns warned note notes noted
identify identifies identified address addresses addressed list lists listed show shows shown present presents
presented recommend recommends recommended suggest suggests suggested use uses used make makes made promise promises
clear clearly correct correctly accurate accurately complete completely explicit explicitly proper properly good
appropriate appropriately relevant specific specifically concise concisely
`) {
		set[w] = true
	}
	return set
}()
