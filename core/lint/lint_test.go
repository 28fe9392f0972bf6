package lint_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestIgnores: a comment silences the named rules on its line or, alone on a line, on the next
// one. An unused comment is reported.
func TestIgnores(t *testing.T) {
	const head = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n"
	for _, c := range []struct{ body, want string }{
		{"    wieght: 1\n", "unknown-key"},
		{"    wieght: 1  # rubric: ignore unknown-key -- ours\n", ""},
		{"    # rubric: ignore unknown-key -- ours\n\n    # more\n    wieght: 1\n", ""},
		{"    # rubric: ignore unknown-key -- ours\n    note: x\n    wieght: 1\n", "unused-ignore unknown-key"},
		{"    wieght: 1  # rubric: ignore unknown-key\n", "unused-ignore"},
		{"    wieght: 1  # rubric: ignore unknown-kye -- ours\n", "unknown-key unused-ignore"},
		{"    wieght: 1  # rubric: ignore -- ours\n", "unknown-key unused-ignore"},
		{"    wieght: 1  # rubric: ignore unknown-key, wrong-type -- ours\n", "unused-ignore"},
		{"    wieght: 1  # rubrics: ignore unknown-key -- ours\n", "unknown-key"},
	} {
		a := analysis.Of(analysis.Input{Path: "x.yaml", Text: head + c.body})
		var got []string
		for _, d := range a.Diagnostics() {
			got = append(got, d.Code)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.body, got, c.want)
		}
	}
}

// TestSeverities: settings change the severity of a rule or turn it off.
func TestSeverities(t *testing.T) {
	const body = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    wieght: 1\n"
	config := func(config string) (map[string]diag.Severity, error) {
		return lint.ReadConfig(yaml.Parse(text.New(".rubric.yaml", config)))
	}
	for severity, want := range map[string]string{"error": "error", "hint": "hint", "OFF": ""} {
		severities, err := config("rules:\n  unknown-key: " + severity + "\n")
		a := analysis.Of(analysis.Input{Path: "x.yaml", Text: body, Severities: severities})
		got := ""
		for _, d := range a.Diagnostics() {
			got += d.Severity.String()
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", severity, got, err)
		}
	}
	for written, says := range map[string]string{
		"rules:\n  unknown-kye: off\n": "line 2: there is no rule `unknown-kye`; did you mean `unknown-key`?", "rules:\n  unknown-key: loud\n": "line 2: the severity",
		"rule: {}\n": "line 1: unknown key `rule`", "rules: off\n": "line 1: `rules` is a mapping", "just text": "expected a mapping", "rules: [": "line 1: ",
	} {
		if _, err := config(written); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", written, err)
		}
	}
}
