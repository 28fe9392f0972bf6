package nunjucks

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// Text returns a value as a template prints it: as JavaScript does, and nothing for what does not
// exist.
func Text(v any) string {
	switch v.(type) {
	case nil, undefined:
		return ""
	}
	return String(v)
}

// String returns a value as JavaScript's String does.
func String(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case undefined:
		return "undefined"
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return formatNumber(v)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = Text(item)
		}
		return strings.Join(parts, ",")
	}
	return "[object Object]"
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
	encoded, _ := text.JSON(finite(v)) // a finite value encodes
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(string(encoded))
}

// Encode returns a text as it is, and any other value as JSON.
func Encode(v any) string {
	if text, isText := v.(string); isText {
		return text
	}
	return JSON(v)
}

// finite returns a value with null in place of what JSON does not have.
func finite(v any) any {
	switch v := v.(type) {
	case undefined:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return v + 0 // JSON.stringify has no -0
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = finite(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = finite(item)
		}
		return out
	}
	return v
}

// IsTrue reports whether JavaScript takes a value for true.
func IsTrue(v any) bool {
	switch v := v.(type) {
	case nil, undefined:
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

// Number returns a value as JavaScript's Number does.
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
	case string:
		s := strings.TrimSpace(v)
		if s == "" {
			return 0
		}
		if n, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "_nNpP") {
			return n
		}
	}
	return math.NaN()
}
