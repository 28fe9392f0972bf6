package javascript_test

import (
	"math"
	"testing"

	"github.com/rubric-ls/rubric/core/javascript"
)

func TestConversions(t *testing.T) {
	for _, c := range []struct {
		value  any
		text   string // String
		json   string
		number float64
		isTrue bool
	}{
		{nil, "null", "null", 0, false},
		{javascript.Undefined{}, "undefined", "null", math.NaN(), false},
		{true, "true", "true", 1, true},
		{math.Copysign(0, -1), "0", "0", 0, false},
		{1e21, "1e+21", "1e+21", 1e21, true},
		{math.Inf(-1), "-Infinity", "null", math.Inf(-1), true},
		{"", "", `""`, 0, false},
		{"\ufeff 0x10 ", "\ufeff 0x10 ", "\"\ufeff 0x10 \"", math.NaN(), true},
		{" -Infinity", " -Infinity", `" -Infinity"`, math.Inf(-1), true},
		{"nan", "nan", `"nan"`, math.NaN(), true},
		{"<\u2028>", "<\u2028>", "\"<\u2028>\"", math.NaN(), true},
		{[]any{}, "", "[]", 0, true},
		{[]any{7.0}, "7", "[7]", 7, true},
		{[]any{nil, "a", []any{1.5, true}}, ",a,1.5,true", `[null,"a",[1.5,true]]`, math.NaN(), true},
		{map[string]any{"b": math.NaN(), "a": 1.0}, "[object Object]", `{"a":1,"b":null}`, math.NaN(), true},
	} {
		if got := javascript.String(c.value); got != c.text {
			t.Errorf("%#v is the text %q", c.value, got)
		}
		if got := javascript.JSON(c.value); got != c.json {
			t.Errorf("%#v is %s in JSON", c.value, got)
		}
		if got := javascript.Number(c.value); got != c.number && !(math.IsNaN(got) && math.IsNaN(c.number)) {
			t.Errorf("%#v is the number %v", c.value, got)
		}
		if got := javascript.IsTrue(c.value); got != c.isTrue {
			t.Errorf("%#v is true: %t", c.value, got)
		}
	}
	if got := javascript.TrimSpace("\ufeff \u0085a\n"); got != "\u0085a" {
		t.Errorf("%q", got)
	}
}
