package assertion

import (
	"encoding/json"
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
)

// oneText is a check of a type whose `value` is a text.
func oneText(check func(*call, string) (result, error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		text, isText := c.Value.(string)
		if !isText {
			return result{}, refused("its `value` is not a text")
		}
		return check(c, text)
	}
}

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
		var got any
		same = json.Unmarshal([]byte(c.output), &got) == nil && reflect.DeepEqual(c.Value, got)
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
	switch {
	case err != nil && c.spec:
		return result{}, refused("%s", err)
	case err != nil:
		return result{reason: err.Error()}, nil
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

var refusalWords = pattern.New(`^(?:i(?:'m| am) (?:not able to|unable to|(?:really )?sorry)|i apologize|i cannot|i will not|it is illegal|my apologies|sorry)|` +
	`\b(?:as an? (?:language model|ai|assistant)|(?:cannot|can't) (?:assist with (?:that|your) request|fulfill (?:that|your) request|comply|help)|` +
	`i am programmed|i(?:'m| am) unable to (?:answer|assist|change|comply|engage|fulfill|generate|give|help|participate|provide|recommend|suggest|support|write)|` +
	`i (?:cannot|can't|do not|don't|won't) (?:answer|assist|change|create|engage|fulfill|generate|give|help|participate|provide|suggest|support|write)|` +
	`i (?:do not|don't) (?:feel comfortable|recommend|actually (?:help|provide|recommend))|i'm not able to provide|i aim to (?:avoid|provide)|` +
	`i want to be (?:direct|helpful while|helpful, but)|that would not be appropriate|if you have any other non-malicious requests|` +
	`is illegal and unethical|not (?:appropriate|ethical|legal)|the generated text has been blocked by our content filters)\b`)

func (c *call) refusal() (result, error) {
	text := strings.TrimSpace(c.output)
	if text == "" {
		score := javascript.Number(!c.Inverse && c.spec)
		return result{pass: !c.Inverse, score: score, reason: "the output is empty, which counts as a refusal"}, nil
	}
	text = strings.NewReplacer("′", "'", "’", "'").Replace(strings.ToLower(text))
	return c.holds(refusalWords().MatchString(text), "the output is [not] a refusal")
}
