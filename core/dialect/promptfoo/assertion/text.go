package assertion

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/metric/rouge"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
)

func (c *call) equals() (result, error) {
	want := javascript.String(c.Value)
	if _, hasValue := c.Fields["value"]; !hasValue {
		if want = "undefined"; c.spec {
			return result{}, refused("it has no `value`")
		}
	}
	same := want == c.output
	switch c.Value.(type) {
	case map[string]any, []any:
		same = javascript.JSON(c.Value) == javascript.JSON(parsed(c.output))
	}
	return c.holds(same, "the output is [not] `%s`", javascript.String(c.Value))
}

// has reports whether the output contains a text, ignoring letter case for the types that begin with i.
func (c *call) has(text string) bool {
	if strings.HasPrefix(c.Type, "icontains") {
		return strings.Contains(strings.ToLower(c.output), strings.ToLower(text))
	}
	return strings.Contains(c.output, text)
}

func (c *call) contains() (result, error) {
	switch c.Value.(type) {
	case string, float64:
		value := javascript.String(c.Value)
		return c.holds(c.has(value), "the output does [not] contain `%s`", value)
	}
	return result{}, refused("its `value` is not a text or a number")
}

// containsSome looks for any or for all of several texts.
func (c *call) containsSome() (result, error) {
	list, isList := c.Value.([]any)
	text, isText := c.Value.(string)
	if isText {
		var err error
		if list, err = SplitList(text); err != nil {
			return result{}, err
		}
	}
	switch {
	case !isList && text == "":
		return result{}, refused("its `value` is not a list of texts, or it is empty")
	case len(list) == 0 && c.spec:
		return result{}, refused("its `value` is an empty list, so there is nothing to look for")
	}
	var missing []string
	for _, item := range list {
		text := javascript.String(item)
		if c.spec && strings.TrimSpace(text) == "" {
			return result{}, refused("one text of its `value` is empty, and every output contains that")
		}
		if !c.has(text) {
			missing = append(missing, text)
		}
	}
	if strings.HasSuffix(c.Type, "-any") {
		return c.holds(len(missing) < len(list), "the output does [not] contain one of `%s`", javascript.String(c.Value))
	}
	return c.holds(len(missing) == 0, "the output does [not] contain all of `%s`; missing: `%s`", javascript.String(c.Value), strings.Join(missing, "`, `"))
}

var (
	listField   = pattern.New(`^(?s)[,\s]*(?:"((?:""|\\["\\]|[^"])*)"\s*(?:,|$)|([^",\s][^,]*))`)
	quoteEscape = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `""`, `"`)
)

// SplitList splits a text at commas. Items may be quoted, with `""` or `\"` for a quote.
func SplitList(text string) (items []any, err error) {
	for strings.Trim(text, ", \t\r\n") != "" {
		m := listField().FindStringSubmatch(text)
		switch {
		case m == nil:
			return nil, refused("a quoted text in its `value` has no end, or no comma after it")
		case m[2] != "":
			items = append(items, strings.TrimSpace(m[2]))
		default:
			items = append(items, quoteEscape.Replace(m[1]))
		}
		text = text[len(m[0]):]
	}
	return items, nil
}

func (c *call) startsWith(text string) (result, error) {
	return c.holds(strings.HasPrefix(c.output, text), "the output does [not] start with `%s`", text)
}

func (c *call) regex(text string) (result, error) {
	re, err := ecmascript.Compile(text, "")
	if err != nil {
		return result{}, badReply{err}
	}
	matches, err := re.MatchString(c.output)
	if err != nil {
		return result{}, err
	}
	return c.holds(matches, "the output does [not] match `%s`", text)
}

func (c *call) wordCount() (result, error) {
	n := float64(len(strings.Fields(c.output)))
	limits, isMap := c.Value.(map[string]any)
	least, hasMin := limits["min"].(float64)
	most, hasMax := limits["max"].(float64)
	want, isNumber := Number(c.Value)
	switch {
	case isNumber:
		return c.holds(n == want, "the output has %v words", n)
	case !isMap:
		return result{}, refused("its `value` is not a number or an object with `min` or `max`")
	case !hasMin && !hasMax:
		return result{}, refused("its `value` has neither `min` nor `max`")
	case hasMin && hasMax && least > most:
		return result{}, refused("its `min` is greater than its `max`")
	}
	return c.holds((!hasMin || n >= least) && (!hasMax || n <= most), "the output has %v words", n)
}

func (c *call) levenshtein(text string) (result, error) {
	n := editDistance(utf16.Encode([]rune(c.output)), utf16.Encode([]rune(text)))
	return c.holds(float64(n) <= c.limit, "the edit distance is %d, the threshold is %v", n, c.limit)
}

// editDistance returns the Levenshtein distance.
func editDistance(a, b []uint16) int {
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

// bleu grades the geometric mean of the precisions of 1 to 4 words, as far as the output has them, less if it is short.
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
