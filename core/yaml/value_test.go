package yaml_test

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestExact: numbers keep the digits that they are written with, and are always
// such as JSON has.
func TestExact(t *testing.T) {
	number := func(text string) any { return json.Number(text) }
	for _, c := range []struct {
		body string
		want any
	}{
		{"12345678901234567890", number("12345678901234567890")},
		{"0.10", number("0.10")},
		{"1e3", number("1e3")},
		{"-0", number("-0")},
		{"0o17", number("15")},
		{"0x1F", number("31")},
		{"007", number("7")},
		{"+5", number("5")},
		{".5", number("0.5")},
		{"5.", number("5")},
		{".inf", ".inf"},
		{"-.INF", "-.INF"},
		{".nan", ".nan"},
		{"'5'", "5"},
		{"1_000", "1_000"},
		{"yes", "yes"},
		{"true", true},
		{"~", nil},
		{"a: &x [1, {b: 2.50}]\nc: *x\n", map[string]any{
			"a": []any{number("1"), map[string]any{"b": number("2.50")}}, "c": []any{number("1"), map[string]any{"b": number("2.50")}},
		}},
	} {
		got := root(c.body).Exact()
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %#v, want %#v", c.body, got, c.want)
		}
		if _, err := json.Marshal(got); err != nil {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}
