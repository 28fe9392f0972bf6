package assertion

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/metric/rouge"
	"github.com/rubric-ls/rubric/core/pattern"
)

// someTexts is a check of a type that compares with one or more texts.
func someTexts(check func(*call, []string) (result, error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		list, ok := texts(c.Value)
		switch {
		case !ok:
			return result{}, refused("its `value` is not a text or a list of texts")
		case len(list) > 0:
			return check(c, list)
		case c.Type == "g-eval":
			return result{reason: "its `value` is an empty list"}, nil
		}
		return result{}, refused("its `value` is an empty list")
	}
}

// texts returns the texts of a list, or the only one in its place.
func texts(value any) (texts []string, ok bool) {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, item := range list {
		text, isText := item.(string)
		if !isText {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

func (c *call) rouge(text string) (result, error) {
	return c.graded(rouge.Rouge1(treeBankWords, strings.ToLower(c.output), strings.ToLower(text)).F, "ROUGE-1")
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

// bleu grades the geometric mean of the precisions of 1 to 4 words, times the penalty for shortness.
// Lengths that the output is too short for are left out.
func (c *call) bleu(texts []string) (result, error) {
	if strings.TrimSpace(c.output) == "" {
		return c.graded(0, "BLEU")
	}
	const smallest = 1e-7
	given := words(c.output)
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
	return c.graded(penalty*math.Exp(sum), "BLEU")
}

// gleu grades the lower one of precision and recall of all sequences of 1 to 4 words, by the best text.
func (c *call) gleu(texts []string) (result, error) {
	if c.output == "" {
		return result{}, refused("the output is empty, and GLEU needs words")
	}
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
		shared := rouge.Overlap(all(c.output), all(text))
		best = max(best, min(shared.Precision, shared.Recall))
	}
	return c.graded(best, "GLEU")
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

// treeBankWords returns the words of a text as the Penn Treebank separates them.
func treeBankWords(text string) []string {
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
