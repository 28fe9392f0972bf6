package nunjucks

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
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

func formatNumber(n float64) string {
	switch abs := math.Abs(n); {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 0):
		return strings.Replace(strconv.FormatFloat(n, 'f', -1, 64), "Inf", "Infinity", 1)
	case n == 0:
		return "0"
	case abs >= 1e21 || abs < 1e-6:
		return strings.NewReplacer("e+0", "e+", "e-0", "e-").Replace(strconv.FormatFloat(n, 'e', -1, 64))
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// JSON returns a value as JSON.stringify does, with mappings in the order of their keys' alphabet.
func JSON(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(plain(v)); err != nil {
		return ""
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(b.String(), "\n"))
}

// plain returns a value without what JSON does not have.
func plain(v any) any {
	switch v := v.(type) {
	case undefined:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return json.Number(formatNumber(v))
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plain(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			if _, isMissing := item.(undefined); !isMissing {
				out[k] = plain(item)
			}
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

// toNumber returns a value as JavaScript's Number does.
func toNumber(v any) float64 {
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
