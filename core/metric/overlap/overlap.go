// Package overlap compares texts by what they have in common: sequences of words, and edits of letters. Package rouge has
// what ADK needs; this is what promptfoo 0.121.20 computes.
package overlap

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/rubric-ls/rubric/core/metric/rouge"
	"github.com/rubric-ls/rubric/core/pattern"
)

// EditDistance returns the Levenshtein distance of two texts, in units of UTF-16.
func EditDistance(from, to string) int {
	a, b := utf16.Encode([]rune(from)), utf16.Encode([]rune(to))
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// words returns what blanks separate, in lower case. A text without words is one empty word.
func words(text string) []string {
	if list := strings.Fields(strings.ToLower(text)); len(list) > 0 {
		return list
	}
	return []string{""}
}

const longestGram = 4

// grams returns the sequences of n words.
func grams(words []string, n int) (list []string) {
	for end := n; end <= len(words); end++ {
		list = append(list, strings.Join(words[end-n:end], " "))
	}
	return list
}

// Bleu returns the geometric mean, 0–1, of the precisions of 1 to 4 words, as far as the output has them, less if it is short.
func Bleu(output string, texts []string) float64 {
	if strings.TrimSpace(output) == "" {
		return 0
	}
	const smallest = 1e-7
	given := words(output)
	apart := func(text string) int { return max(len(words(text))-len(given), len(given)-len(words(text))) }
	closest := slices.MinFunc(texts, func(a, b string) int { return cmp.Or(apart(a)-apart(b), len(words(a))-len(words(b))) })
	orders, sum := min(longestGram, len(given)), 0.0
	for n := 1; n <= orders; n++ {
		best := smallest
		for _, text := range texts {
			best = max(best, rouge.Overlap(grams(given, n), grams(words(text), n)).Precision)
		}
		sum += math.Log(best) / float64(orders)
	}
	penalty := min(1, math.Exp(1-float64(len(words(closest)))/float64(len(given))))
	return penalty * math.Exp(sum)
}

// Gleu returns the lower one, 0–1, of precision and recall of all sequences of 1 to 4 words, by the best text.
func Gleu(output string, texts []string) float64 {
	all := func(text string) (list []string) {
		withoutDots := words(text)
		for i, word := range withoutDots {
			withoutDots[i] = strings.TrimRight(word, ".")
		}
		for n := 1; n <= longestGram; n++ {
			list = append(list, grams(withoutDots, n)...)
		}
		return list
	}
	best := 0.0
	for _, text := range texts {
		shared := rouge.Overlap(all(output), all(text))
		best = max(best, min(shared.Precision, shared.Recall))
	}
	return best
}

// treeBankSteps separate what the Penn Treebank takes for words of their own, after quotation marks.
var treeBankSteps = []struct {
	find pattern.Lazy
	put  string
}{
	{pattern.New(`\.{3}`), " ... "},
	{pattern.New(`([:,])(\D|$)`), " $1 $2"},
	{pattern.New(`[;@#$%&]`), " $0 "},
	{pattern.New(`([^.])(\.)([\])}>'\s]*)$`), "$1 $2$3 "},
	{pattern.New(`[?!\][(){}<>]|--`), " $0 "},
	{pattern.New(`^|$`), " "},
	{pattern.New(`([^'])' `), "$1 ' "},
	{pattern.New(`('[sSmMdD]|'ll|'LL|'re|'RE|'ve|'VE|n't|N'T) `), " $1 "},
	{pattern.New(`(?i)\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon|wan)(na)\b|\b(got)(ta)\b|\b(d)('ye)\b|\b(more)('n)\b`), " $1$3$5$7$9$11 $2$4$6$8$10$12 "},
	{pattern.New(`(?i)('t)(is|was)\b`), " $1 $2 "},
}

var quotes = pattern.New("(^|[\\s(\\[{<])\"|\"")

// TreeBankWords returns the words of a text as the Penn Treebank separates them.
func TreeBankWords(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	text = quotes().ReplaceAllStringFunc(text, func(found string) string {
		if before, opens := strings.CutSuffix(found, `"`); opens && before != "" {
			return before + " `` "
		}
		return " '' "
	})
	for _, step := range treeBankSteps {
		text = step.find().ReplaceAllString(text, step.put)
	}
	return strings.Fields(text)
}
