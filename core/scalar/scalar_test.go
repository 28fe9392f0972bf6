package scalar_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		value string
		where scalar.Context
		want  string
	}{
		{"States the window", scalar.Value, "States the window"},
		{"a: b", scalar.Value, `"a: b"`},
		{"7", scalar.Value, `"7"`},
		{"yes", scalar.Value, "yes"},
		{"True", scalar.Value, `"True"`},
		{"null", scalar.Key, `"null"`},
		{"e1", scalar.Value, "e1"},
		{"no. 5 of a_b", scalar.FlowKey, "no. 5 of a_b"},
		{"", scalar.Value, `""`},
		{"a #b", scalar.Value, `"a #b"`},
		{"a#b", scalar.Value, "a#b"},
		{"a, b", scalar.Value, "a, b"},
		{"a, b", scalar.FlowValue, `"a, b"`},
		{"a]", scalar.FlowKey, `"a]"`},
		{"<<", scalar.Value, "<<"},
		{"? a", scalar.Key, `"? a"`},
		{"<&>", scalar.Value, "<&>"},
		{"*a", scalar.Value, `"*a"`},
		{" a", scalar.Value, `" a"`},
		{"a\nb", scalar.Value, `"a\nb"`},
	} {
		if got := scalar.Format(c.value, c.where); got != c.want {
			t.Errorf("%q: got %s, want %s", c.value, got, c.want)
		}
	}
}

// TestFormatLike checks that the style of a scalar is preserved.
func TestFormatLike(t *testing.T) {
	for _, c := range []struct{ source, value, want string }{
		{"a: b", "c", "c"}, {"a: b", "it's: so", `"it's: so"`}, {"a: 'b'", "it's", "'it''s'"}, {"a: 'b'", "a\nb", `"a\nb"`},
		{`a: "b"`, "c", `"c"`}, {"a: |\n  b\n", "c", "c"}, {"[a: b]", "c, d", `"c, d"`}, {"a: &x b", "c", "c"},
	} {
		n := yaml.Parse(text.New("", c.source)).Root()
		for n.Kind != yaml.Scalar {
			if n.Kind == yaml.Sequence {
				n = n.Items[0]
			} else {
				n = n.Pairs[0].Value
			}
		}
		if got := scalar.FormatLike(n, c.value); got != c.want {
			t.Errorf("%q in %q: got %s, want %s", c.value, c.source, got, c.want)
		}
	}
}

// FuzzFormat checks that a written text reads back unchanged.
func FuzzFormat(f *testing.F) {
	f.Add("a: b", uint8(0))
	f.Add("<<", uint8(2))
	f.Add("no. 5 of a_b", uint8(3))
	f.Add("\u023f\uffff\x01\ufffe", uint8('q'))
	f.Add(strings.Repeat("long ", 199)+"key", uint8(2))
	f.Fuzz(func(t *testing.T, value string, where uint8) {
		if !utf8.ValidString(value) {
			return // JSON cannot encode it
		}
		at := scalar.Context(where % 4)
		before, after := [...]string{"k: ", "{k: ", "", "{"}[at], [...]string{"\n", "}\n", ": v\n", ": v}\n"}[at]
		pair := yaml.Parse(text.New("", before+scalar.Format(value, at)+after)).Root().Pairs[0]
		n := pair.Value
		if at >= scalar.Key {
			n = pair.Key
		}
		if got, ok := n.Str(); !ok || got != value {
			t.Fatalf("%q is read as %q", value, got)
		}
	})
}
