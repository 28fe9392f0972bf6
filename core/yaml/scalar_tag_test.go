package yaml_test

import (
	"math"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func TestTypes(t *testing.T) {
	for tag, values := range map[string][]string{
		yaml.TagNull:  {"~", "null", "Null", "NULL", ""},
		yaml.TagBool:  {"true", "True", "TRUE", "false", "False", "FALSE"},
		yaml.TagInt:   {"0", "7", "-7", "+7", "0777", "007", "0o17", "0x1F", "0xabc", "123456789012345678901234567890"},
		yaml.TagFloat: {"1.5", "-1.5", "1.", ".5", "+.5", "1e3", "1E-3", "1.5e+3", ".inf", "-.Inf", "+.INF", ".nan", ".NaN", ".NAN", "08.1"},
		yaml.TagStr: {"yes", "no", "on", "off", "y", "n", "tRUE", "nUll", "1:30", "1:30:00", "2026-01-01", "2026-01-01T00:00:00Z", "1_000", "0b11", "0o8", "0xg", "-0x1", "+0o7", "1e", ".", "..", "+", "--1", "1.2.3", "-.nan", "+-.inf", ".infinity", "inf", "nan", "0x", "<<", "=", "'1'", `"true"`, `"~"`, "'null'", "!!str 1", "! 1",
			"!!str ~", "a b", "é"},
	} {
		for _, value := range values {
			n := yaml.Parse(text.New("", "k: "+value)).Root().Get("k")
			if n.Tag != tag {
				t.Errorf("%s is %s, want %s", value, n.Tag, tag)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	for value, want := range map[string]float64{
		"0": 0, "7": 7, "-7": -7, "+7": 7, "0777": 777, "0o17": 15, "0x1F": 31, "0xab": 171, "1.5": 1.5, "1.": 1, ".5": .5, "-.5": -.5, "1e3": 1000,
		".inf": math.Inf(1), "+.Inf": math.Inf(1), "-.INF": math.Inf(-1), "1e999": math.Inf(1), "!!int \"3\"": 3, "!!float 3": 3, "9007199254740993": 9007199254740992,
	} {
		n := yaml.Parse(text.New("", "k: "+value)).Root().Get("k")
		if got, ok := n.Number(); !ok || got != want {
			t.Errorf("%s is %v, %v, want %v", value, got, ok, want)
		}
	}
	if got, ok := yaml.Parse(text.New("", ".nan")).Root().Number(); !ok || !math.IsNaN(got) {
		t.Errorf(".nan is %v, %v", got, ok)
	}
	for _, value := range []string{"a", "'1'", "true", "~", "[1]", "!!int a", "!!str 1"} {
		n := yaml.Parse(text.New("", "k: "+value)).Root().Get("k")
		if got, ok := n.Number(); ok {
			t.Errorf("%s is %v", value, got)
		}
	}
}

// TestTags keeps tags as they are written, whatever they claim.
func TestTags(t *testing.T) {
	tree := yaml.Parse(text.New("", "%TAG !e! tag:example.org,2026:\n---\na: !local x\nb: !e!far x\nc: !<tag:yaml.org,2002:int> x\nd: !!map {}\ne: ! [1]\nf: ! {}\ng: !!set {a}\n"))
	for key, want := range map[string]string{"a": "!local", "b": "tag:example.org,2026:far", "c": "!!int", "d": "!!map", "e": "!!seq", "f": "!!map", "g": "!!set"} {
		if n := tree.Root().Get(key); n.Tag != want || !n.Tagged {
			t.Errorf("%s is %s, want %s", key, n.Tag, want)
		}
	}
	if got := tree.Root().Get("c").Any(); got != "x" {
		t.Errorf("an int that is none is %v", got)
	}
	marked := yaml.Parse(text.New("", "\uFEFF%YAML 1.3\n%NEW x\n---\na"))
	if len(marked.Problems) > 0 || marked.Root().Value != "a" {
		t.Errorf("directives behind a byte order mark: %v", marked.Problems)
	}
}
