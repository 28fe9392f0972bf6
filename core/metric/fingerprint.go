package metric

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// argsFingerprint is the same text for arguments that ADK takes for equal, and for no
// others: it compares as Python does. The order of keys does not matter, that of
// a list does; 1, 1.0 and true are equal and "1" is not; arguments that are
// missing differ from none.
func argsFingerprint(args map[string]any) string {
	switch {
	case args == nil:
		return ""
	case len(args) == 0:
		return "{}"
	}
	return string(appendFingerprint(nil, args))
}

// sameArgs reports whether two calls' fingerprints are the same, without making
// them.
func sameArgs(a, b map[string]any) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for key, value := range a {
		other, ok := b[key]
		if !ok || !sameValue(value, other) {
			return false
		}
	}
	return true
}

func sameValue(a, b any) bool {
	if text, ok := a.(string); ok {
		other, ok := b.(string)
		return ok && text == other
	}
	var left, right [64]byte // most values need no more
	return string(appendFingerprint(left[:0], a)) == string(appendFingerprint(right[:0], b))
}

func appendFingerprint(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return strconv.AppendQuote(b, v)
	case bool:
		if v {
			return append(b, '1')
		}
		return append(b, '0')
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case uint64:
		return strconv.AppendUint(b, v, 10)
	case float64:
		return appendFloat(b, v)
	case json.Number:
		return appendNumber(b, v.String())
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',', ' ')
			}
			b = appendFingerprint(b, item)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',', ' ')
			}
			b = append(strconv.AppendQuote(b, key), ':', ' ')
			b = appendFingerprint(b, v[key])
		}
		return append(b, '}')
	}
	return fmt.Appendf(b, "%T(%v)", value, value)
}

// appendFloat writes a whole number as an integer would be, to the last digit.
func appendFloat(b []byte, v float64) []byte {
	switch {
	case v == 0:
		return append(b, '0')
	case v == math.Trunc(v) && !math.IsInf(v, 0):
		return strconv.AppendFloat(b, v, 'f', 0, 64)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

func appendNumber(b []byte, text string) []byte {
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return n.Append(b, 10)
	}
	v, _ := strconv.ParseFloat(text, 64) // beyond a double it is infinite, as in Python
	return appendFloat(b, v)
}
