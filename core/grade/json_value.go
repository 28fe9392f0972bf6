package grade

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/javascript"
)

const fenceMark = "```"

// DecodeOneValue returns the JSON value that a reply consists of. The value stands alone, or in one
// fenced block at the end of the reply. No object has a key twice. JSON within a sentence does not
// count: a judge that declines may quote it. A <think> element at the start is not part of the
// reply: some servers leave a reasoning model's thoughts in its text.
func DecodeOneValue(reply string) (any, error) {
	text := javascript.TrimSpace(reply)
	if thoughts, answer, closed := strings.Cut(text, "</think>"); closed && strings.HasPrefix(thoughts, "<think>") {
		text = javascript.TrimSpace(answer)
	}
	value, err := decodeUniqueKeys(text)
	if err == nil {
		return value, nil
	}
	before, block, opened := strings.Cut(text, fenceMark)
	block, closed := strings.CutSuffix(block, fenceMark)
	if opened && closed && !strings.Contains(before, "{") {
		block = strings.TrimLeft(block, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		return decodeUniqueKeys(javascript.TrimSpace(block))
	}
	if strings.Contains(text, "{") && text[0] != '{' && text[0] != '[' {
		return nil, fmt.Errorf("it has text around its JSON: it begins with `%s`", excerpt.Shorten(text, 40))
	}
	return nil, notJSONError(text, err)
}

// notJSONError replaces the error for text that is not JSON at all by one that shows its beginning.
func notJSONError(text string, err error) error {
	if err != nil && text != "" && text[0] != '{' && text[0] != '[' {
		return fmt.Errorf("it is not JSON: it begins with `%s`", excerpt.Shorten(text, 40))
	}
	return err
}

// ExtractJSON returns the JSON value that the reference's runners find in a reply: the text from
// the first brace to the last, or the whole text, without marks of fenced blocks.
func ExtractJSON(reply string) (any, error) {
	text := removeFences(reply)
	start, end := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if start >= 0 && start < end {
		text = text[start : end+1]
	}
	value, err := decodeJSON(text)
	return value, notJSONError(text, err)
}

var fences = strings.NewReplacer(fenceMark+"json\n", "", fenceMark+"json", "", fenceMark, "")

// removeFences returns text without a byte order mark, the marks of fenced blocks wherever they are,
// and the space around the rest.
func removeFences(text string) string {
	return javascript.TrimSpace(fences.Replace(text))
}

func decodeJSON(text string) (value any, err error) {
	if text == "" {
		return nil, errors.New("it is empty")
	}
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	return value, nil
}

func decodeUniqueKeys(text string) (any, error) {
	value, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	if key, found := repeatedKey(text); found {
		return nil, fmt.Errorf("it has the key `%s` twice in one object", excerpt.Shorten(key, 40))
	}
	return value, nil
}

// repeatedKey returns the first key that repeats one of its object, at any depth. The text is valid
// JSON.
func repeatedKey(text string) (key string, found bool) {
	var objects []map[string]bool // the open ones, and lists
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			objects = append(objects, map[string]bool{})
		case '}', ']':
			objects = objects[:len(objects)-1]
		case '"':
			start := i
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if !strings.HasPrefix(strings.TrimLeft(text[i+1:], " \t\r\n"), ":") {
				continue
			}
			key = text[start+1 : i]
			if strings.Contains(key, `\`) || !utf8.ValidString(key) {
				_ = json.Unmarshal([]byte(text[start:i+1]), &key) // cannot fail
			}
			keys := objects[len(objects)-1]
			if keys[key] {
				return key, true
			}
			keys[key] = true
		}
	}
	return "", false
}

// equalJSON compares two JSON values. Numbers compare by value whatever their Go type, a number
// never equals a string, and the order of lists matters.
func equalJSON(a, b any) bool {
	if x, ok := toFloat(a); ok {
		y, ok := toFloat(b)
		return ok && x == y
	}
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equalJSON)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, equalJSON)
	}
	return reflect.DeepEqual(a, b)
}

func toFloat(value any) (float64, bool) {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}
