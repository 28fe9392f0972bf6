// Package javascript converts values as JavaScript does. Several runners whose results are reproduced are written
// in it. Values are those of encoding/json, and [Undefined].
package javascript

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
)

// Undefined is the value of what does not exist.
type Undefined struct{}

// String returns a value as JavaScript's String does.
func String(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case Undefined:
		return "undefined"
	case float64:
		return formatNumber(v)
	case []any:
		return strings.Join(generic.Map(v, Text), ",")
	case map[string]any:
		return "[object Object]"
	}
	return fmt.Sprint(v)
}

// Text is [String] for a part of a text, in which null and what does not exist are empty.
func Text(v any) string {
	switch v.(type) {
	case nil, Undefined:
		return ""
	}
	return String(v)
}

// formatNumber returns a number as JavaScript does. Go's JSON has the same notation.
func formatNumber(n float64) string {
	switch digits, err := json.Marshal(n + 0); { // -0 is 0
	case err == nil:
		return string(digits)
	case n > 0:
		return "Infinity"
	case n < 0:
		return "-Infinity"
	}
	return "NaN"
}

// JSON returns a value as JSON.stringify does, with mappings in the order of their keys' alphabet.
func JSON(v any) string {
	encoded, _ := text.JSON(Map(v, finite)) // finite values encode
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(string(encoded))
}

// Encode returns a text as it is, and any other value as JSON.
func Encode(v any) string {
	if text, isText := v.(string); isText {
		return text
	}
	return JSON(v)
}

// finite returns what JSON.stringify writes for a value other than a list or mapping: null for what JSON does not have.
func finite(v any) any {
	n, isNumber := v.(float64)
	if _, isUndefined := v.(Undefined); isUndefined || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	if isNumber {
		return n + 0 // there is no -0
	}
	return v
}

// Map returns a value with everything replaced in it that is neither a list nor a mapping.
func Map(v any, replace func(any) any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = Map(item, replace)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = Map(item, replace)
		}
		return out
	}
	return replace(v)
}

// As returns a value as a T, or nothing for one of another type.
func As[T any](v any) (as T) {
	as, _ = v.(T)
	return as
}

// Assign returns the entries of mappings, of which those of later ones count, as Object.assign does.
func Assign(mappings ...map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range mappings {
		maps.Copy(out, m)
	}
	return out
}

// IsTrue reports whether JavaScript takes a value for true.
func IsTrue(v any) bool {
	switch v := v.(type) {
	case nil, Undefined:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case float64:
		return v != 0 && !math.IsNaN(v)
	}
	return true
}

// Number returns a value as JavaScript's Number does: NaN if it is none.
func Number(v any) float64 {
	switch v := v.(type) {
	case nil:
		return 0
	case bool:
		if v {
			return 1
		}
		return 0
	case float64:
		return v
	case []any:
		return Number(String(v))
	case string:
		s := TrimSpace(v)
		if s == "" {
			return 0
		}
		isNumeral := strings.TrimLeft(s, "+-") == "Infinity" || !strings.ContainsAny(s, "_nNpP") // which Go reads
		if n, err := strconv.ParseFloat(s, 64); err == nil && isNumeral {
			return n
		}
	}
	return math.NaN()
}

// ToLower returns text in lower case. A dotted İ keeps its dot.
func ToLower(text string) string {
	return strings.ToLower(strings.ReplaceAll(text, "İ", "i\u0307"))
}

// TrimSpace trims text. A byte order mark is white space, and NEL is not.
func TrimSpace(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}
