package ecmascript_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
)

// TestFacts: what Node 20 answers to `new RegExp(pattern, flags).test(text)`.
func TestFacts(t *testing.T) {
	const yes, no, invalid = "true", "false", "invalid"
	for _, c := range []struct{ pattern, flags, text, want string }{
		{"(?<!un)happy", "", "happy", yes},
		{"(?<!un)happy", "", "unhappy", no},
		{"^(?!.*error).*$", "", "all is well", yes},
		{"^(?!.*error).*$", "", "an error", no},
		{"price(?=:)", "", "price: 5", yes},
		{`(\w)\1`, "", "letter", yes},
		{`(\w)\1`, "", "later", no},
		{`(?<year>\d{4})-\k<year>`, "", "2026-2026", yes},
		{`\k<n>`, "", "k<n>", yes},
		{"a$", "", "a\n", no},
		{"a$", "m", "a\nb", yes},
		{"^b", "m", "a\rb", yes},
		{"^b", "m", "a\u2028b", yes},
		{"a.b", "", "a\nb", no},
		{"a.b", "", "a\u2028b", no},
		{"a.b", "s", "a\nb", yes},
		{`^\d$`, "", "٣", no},
		{`^\s$`, "", "\ufeff", yes},
		{`^\s$`, "", "\u0085", no},
		{`^\w$`, "", "é", no},
		{"\\bé", "", "aé", yes},
		{"^.$", "", "😀", no},
		{"^.$", "u", "😀", yes},
		{"^[😀]$", "", "😀", no},
		{"^[😀]$", "u", "😀", yes},
		{`^\ud83d`, "", "😀", yes},
		{`^\ud83d`, "u", "😀", no},
		{`\u{1f600}`, "u", "😀", yes},
		{`^\u{3}$`, "", "uuu", yes},
		{"k", "i", "\u212a", no},
		{"k", "iu", "\u212a", yes},
		{`\w`, "iu", "ſ", yes},
		{"ß", "i", "ẞ", no},
		{"ß", "iu", "ẞ", yes},
		{"ς", "i", "Σ", yes},
		{"İ", "i", "i", no},
		{"[^x]", "i", "X", no},
		{`\P{Lu}`, "iu", "A", yes},
		{`\p{L}`, "", "p{L}", yes},
		{`\p{L}`, "u", "é", yes},
		{`\p{Script=Greek}`, "u", "ά", yes},
		{`\p{Lowercase_Letter}`, "u", "a", yes},
		{`(?:a|(b))*\1c`, "", "bac", yes},
		{"(a*)*", "", "b", yes},
		{"(?:a?)*?b", "", "aab", yes},
		{`(?=(a+))a*b\1`, "", "baaabac", yes},
		{`(?<=(\d+)(\d+))$`, "", "1053", yes},
		{`(?<=\1(a))b`, "", "aab", yes},
		{"(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", yes},
		{"x{,3}", "", "x{,3}", yes},
		{"a{2}{3}", "", "aaaaaa", invalid},
		{"[[:alpha:]]", "", "a:]", yes},
		{"[[:alpha:]]", "", "a", no},
		{"(?i)x", "", "x", invalid},
		{"[a", "", "[a", invalid},
		{"a**", "", "a", invalid},
		{`\1(a)`, "", "a", yes},
		{`[\w-a]`, "", "-", yes},
		{"[b-a]", "", "a", invalid},
		{`\c`, "", `\c`, yes},
		{`[\c1]`, "", "\u0011", yes},
		{`\101`, "", "A", yes},
		{`\8`, "", "8", yes},
		{"(?=a)*b", "", "b", yes},
		{"(?=a)*b", "u", "b", invalid},
		{"]", "u", "]", invalid},
		{"(?<n>a)|(?<n>b)", "", "a", invalid},
		{"^b", "y", "ab", no},
		{"a", "gi", "A", yes},
		{"x", "z", "x", invalid},
		{"x", "ii", "x", invalid},
		{"(?<", "", "a", invalid},
		{`\u12`, "", "u12", yes},
		{"a{2,1}", "", "a", invalid},
		{"(?<a", "", "a", invalid},
		{`\`, "", "a", invalid},
		{`\-`, "u", "-", invalid},
		{"(?:", "", "a", invalid},
		{`\q`, "u", "q", invalid},
	} {
		got := invalid
		if re, err := ecmascript.Compile(c.pattern, c.flags); err == nil {
			matched, err := re.MatchString(c.text)
			if got = no; matched {
				got = yes
			}
			if err != nil {
				got = err.Error()
			}
		}
		if got != c.want {
			t.Errorf("/%s/%s on %q: %s, not %s", c.pattern, c.flags, c.text, got, c.want)
		}
	}
}

// TestUnsupported: what no table here knows is an error, never another meaning.
func TestUnsupported(t *testing.T) {
	for flags, pattern := range map[string]string{"u": `\p{Emoji}`, "v": "a", "ui": `\p{scx=Greek}`} {
		if _, err := ecmascript.Compile(pattern, flags); err == nil || !strings.Contains(err.Error(), "not supported") {
			t.Errorf("/%s/%s: %v", pattern, flags, err)
		}
	}
}

// TestLimits: a match ends after a number of steps, and a pattern cannot exhaust the memory.
func TestLimits(t *testing.T) {
	for pattern, text := range map[string]string{
		"(a+)+$": strings.Repeat("a", 50) + "b", "(?:a|aa)+$": strings.Repeat("a", 100) + "b", "(a*)*\\1b": strings.Repeat("a", 3000), "(?:ab)*c": strings.Repeat("ab", 1_500_000),
		"(?=(a+)+$)x": strings.Repeat("a", 60) + "b",
	} {
		re, err := ecmascript.Compile(pattern, "")
		if err != nil {
			t.Fatal(err)
		}
		if matched, err := re.MatchString(text); matched || !errors.Is(err, ecmascript.ErrTooComplex) {
			t.Errorf("%s: %v, %v", pattern, matched, err)
		}
	}
	for _, pattern := range []string{strings.Repeat("(", 60_000), strings.Repeat("(?=", 60_000), strings.Repeat("a", 200_000)} {
		if _, err := ecmascript.Compile(pattern, ""); err == nil {
			t.Errorf("%.9s… is valid", pattern)
		}
	}
	re, err := ecmascript.Compile(strings.Repeat("(?:", 20_000)+"a"+strings.Repeat(")", 20_000), "")
	if err != nil {
		t.Fatal(err)
	}
	if matched, err := re.MatchString("bab"); !matched || err != nil {
		t.Errorf("deep groups: %v, %v", matched, err)
	}
	long := strings.Repeat("word ", 200_000)
	if re, err = ecmascript.Compile(`(?!.*lost)\w+ end`, ""); err != nil {
		t.Fatal(err)
	}
	if matched, err := re.MatchString("x" + strings.Repeat("\n", 100_000) + "the end"); !matched || err != nil {
		t.Errorf("many lines: %v, %v", matched, err)
	}
	if re, err = ecmascript.Compile(`word|end`, "i"); err != nil {
		t.Fatal(err)
	}
	if matched, err := re.MatchString(long); !matched || err != nil {
		t.Errorf("a long text: %v, %v", matched, err)
	}
}
