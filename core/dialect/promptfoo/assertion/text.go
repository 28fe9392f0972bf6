package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/metric/overlap"
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
	n := overlap.EditDistance(c.output, text)
	return c.holds(float64(n) <= c.limit, "the edit distance is %d, the threshold is %v", n, c.limit)
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
	return c.graded(rouge.Rouge1(overlap.TreeBankWords, strings.ToLower(c.output), strings.ToLower(text)).F, "ROUGE-1")
}

func (c *call) bleu(texts []string) (result, error) {
	return c.graded(overlap.Bleu(c.output, texts), "BLEU")
}

func (c *call) gleu(texts []string) (result, error) {
	if c.output == "" {
		return result{}, refused("the output is empty, and GLEU needs words")
	}
	return c.graded(overlap.Gleu(c.output, texts), "GLEU")
}
