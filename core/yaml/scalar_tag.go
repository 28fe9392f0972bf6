package yaml

import (
	"math"
	"strconv"
	"strings"
)

// scalarTag is the tag of a plain scalar by the core schema of YAML 1.2 (§10.3.2).
// The library's own answer is closer to YAML 1.1 and is not used.
func scalarTag(value string) string {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return TagNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return TagBool
	}
	if strings.IndexByte("+-.0123456789", value[0]) < 0 {
		return TagStr
	}
	switch {
	case consistsOf(decimalDigits, trimSign(value)), strings.HasPrefix(value, "0o") && consistsOf("01234567", value[2:]), strings.HasPrefix(value, "0x") && consistsOf(decimalDigits+"abcdefABCDEF", value[2:]):
		return TagInt
	case isFloat(value), isSpecialFloat(value):
		return TagFloat
	}
	return TagStr
}

const decimalDigits = "0123456789"

// consistsOf reports whether a text is some of these characters, one at least.
func consistsOf(allowed, text string) bool { return text != "" && strings.Trim(text, allowed) == "" }

func trimSign(number string) string {
	if number != "" && (number[0] == '+' || number[0] == '-') {
		return number[1:]
	}
	return number
}

// isFloat reports whether a text is digits with a point before, among or after them,
// or an exponent, or both.
func isFloat(value string) bool {
	mantissa, exponent := trimSign(value), "0"
	if e := strings.IndexAny(mantissa, "eE"); e >= 0 {
		mantissa, exponent = mantissa[:e], trimSign(mantissa[e+1:])
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	return consistsOf(decimalDigits, whole+part) && consistsOf(decimalDigits, exponent)
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
	switch scalarTag(value) {
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
