package yaml

import (
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	decimal = pattern.Of(`^[-+]?[0-9]+$`)
	octal   = pattern.Of(`^0o[0-7]+$`)
	hex     = pattern.Of(`^0x[0-9a-fA-F]+$`)
	float   = pattern.Of(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// typeOf is the tag of a plain scalar by the core schema of YAML 1.2 (§10.3.2).
// The library's own answer is closer to YAML 1.1 and is not used.
func typeOf(value string) string {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return TagNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return TagBool
	}
	if !strings.ContainsRune("+-.0123456789", rune(value[0])) {
		return TagStr
	}
	switch {
	case decimal().MatchString(value), octal().MatchString(value), hex().MatchString(value):
		return TagInt
	case float().MatchString(value), isSpecialFloat(value):
		return TagFloat
	}
	return TagStr
}

func isSpecialFloat(value string) bool {
	switch strings.TrimLeft(value, "+-") {
	case ".inf", ".Inf", ".INF":
		return len(value) <= len("-.inf")
	}
	return value == ".nan" || value == ".NaN" || value == ".NAN"
}

// parseNumber is the value of a scalar that the core schema calls a number;
// false for any other text. What is beyond a float's range is infinite.
func parseNumber(value string) (float64, bool) {
	switch typeOf(value) {
	case TagInt:
		if len(value) > 2 && value[0] == '0' && (value[1] == 'o' || value[1] == 'x') {
			base := map[byte]float64{'o': 8, 'x': 16}[value[1]]
			total := 0.0
			for _, digit := range value[2:] {
				n, _ := strconv.ParseUint(string(digit), 16, 8)
				total = total*base + float64(n)
			}
			return total, true
		}
	case TagFloat:
		switch lower := strings.ToLower(value); {
		case lower == ".nan":
			return math.NaN(), true
		case strings.HasSuffix(lower, ".inf"):
			sign := 1
			if lower[0] == '-' {
				sign = -1
			}
			return math.Inf(sign), true
		}
	default:
		return 0, false
	}
	number, _ := strconv.ParseFloat(value, 64) // a range error still gives the infinity
	return number, true
}
