package assertion

import (
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/metric/rouge"
	"github.com/rubric-ls/rubric/core/pattern"
)

// references returns the texts to compare with.
func (c *call) references() (texts []string, err error) {
	list, isList := c.Value.([]any)
	if !isList {
		list = []any{c.Value}
	}
	for _, item := range list {
		text, isText := item.(string)
		if !isText {
			return nil, refused("its `value` is not a text or a list of texts")
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return nil, refused("its `value` is an empty list")
	}
	return texts, nil
}

func (c *call) bleu() (result, error) {
	texts, err := c.references()
	if err != nil {
		return result{}, err
	}
	return c.graded(bleu(c.output, texts), "BLEU")
}

func (c *call) gleu() (result, error) {
	texts, err := c.references()
	switch {
	case err != nil:
		return result{}, err
	case c.output == "":
		return result{}, refused("the output is empty, and GLEU needs words")
	}
	best := 0.0
	for _, text := range texts {
		best = max(best, gleu(c.output, text))
	}
	return c.graded(best, "GLEU")
}

func (c *call) rouge(text string) (result, error) {
	return c.graded(rouge.Rouge1(treeBankWords, strings.ToLower(c.output), strings.ToLower(text)).F, "ROUGE-1")
}

const longestGram = 4

// words returns what blanks separate, in lower case. A text without words is one empty word.
func words(text string) []string {
	if list := strings.Fields(strings.ToLower(text)); len(list) > 0 {
		return list
	}
	return []string{""}
}

// grams counts the sequences of n words.
func grams(list []string, n int) (counts map[string]int, total int) {
	counts = map[string]int{}
	for i := 0; i+n <= len(list); i++ {
		counts[strings.Join(list[i:i+n], " ")]++
		total++
	}
	return counts, total
}

// shared counts the sequences that both texts have.
func shared(a, b map[string]int) (n int) {
	for gram, count := range a {
		n += min(count, b[gram])
	}
	return n
}

// bleu is the geometric mean of the precisions of 1 to 4 words, times the penalty for shortness.
// Lengths that the output is too short for are left out.
func bleu(output string, references []string) float64 {
	if strings.TrimSpace(output) == "" {
		return 0
	}
	const smallest = 1e-7
	given := words(output)
	closest := math.MaxInt32
	for _, text := range references {
		n := len(words(text))
		if apart, best := abs(n-len(given)), abs(closest-len(given)); apart < best || apart == best && n < closest {
			closest = n
		}
	}
	orders, sum := min(longestGram, len(given)), 0.0
	for n := 1; n <= orders; n++ {
		have, total := grams(given, n)
		best := 0
		for _, text := range references {
			want, _ := grams(words(text), n)
			best = max(best, shared(have, want))
		}
		sum += math.Log(max(smallest, float64(best)/float64(total))) / float64(orders)
	}
	penalty := min(1, math.Exp(1-float64(closest)/float64(len(given))))
	return penalty * math.Exp(sum)
}

func abs(n int) int { return max(n, -n) }

// gleu is the lower one of precision and recall of all sequences of 1 to 4 words.
func gleu(output, reference string) float64 {
	strip := func(text string) []string {
		list := words(text)
		for i := range list {
			list[i] = strings.TrimRight(list[i], ".")
		}
		return list
	}
	given, wanted := strip(output), strip(reference)
	matches, have, want := 0, 0, 0
	for n := 1; n <= longestGram; n++ {
		a, inOutput := grams(given, n)
		b, inReference := grams(wanted, n)
		matches, have, want = matches+shared(a, b), have+inOutput, want+inReference
	}
	return float64(matches) / float64(max(have, want))
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
