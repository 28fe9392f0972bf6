package rules_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
)

// TestTextsThatLackQuotes: a text that YAML misreads has one diagnostic, and quoting the text
// removes it.
func TestTextsThatLackQuotes(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{`*Mentions* the price`, "a text that starts with `*` is taken for an alias; quote it"},
		{`*Mentions the price`, "a text that starts with `*` is taken for an alias; quote it"},
		{`**Always** says hello`, "a text that starts with `*` is taken for an alias; quote it"},
		{`{{ name }} is greeted`, "a template's braces are brackets to YAML; quote it"},
		{`[a link](x) is there`, "a text that starts with `[` is taken for a list; quote it"},
		{"`code` is used", "a value cannot start with a backtick, put it in quotes"},
		{`@mention is there`, "a value cannot start with `@`, put it in quotes"},
		{`& so on`, "`&` needs a name right after it; as text it needs quotes"},
		{`> five items, | or`, "only `+`, `-`, one digit and a comment may follow `|` or `>`"},
		{`%20 is decoded # why`, "a value cannot start with `%`, put it in quotes"},
		{`"Hello" is said`, "a text that starts with a quote ends at the next one; quote it"},
		{`'Hello' is said`, "a text that starts with a quote ends at the next one; quote it"},
		{`'Hello' is "said\" by ü`, "a text that starts with a quote ends at the next one; quote it"},
	} {
		for _, where := range []string{
			"evalcases:\n  - id: a\n    expected_outcome: TEXT\n    input: Q\n",
			"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - TEXT\n      - Says hello\n",
			"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - expected_outcome: TEXT\n        weight: 1\n",
		} {
			body := strings.ReplaceAll(where, "TEXT", c.text)
			a := analysis.Of(analysis.Input{Path: "x.yaml", Text: body})
			var messages []string
			for _, d := range a.Diagnostics() {
				messages = append(messages, d.Message)
			}
			if len(messages) != 1 || messages[0] != c.says {
				t.Errorf("%q in\n%s", messages, body)
			}
			text, _, _ := strings.Cut(c.text, " #")
			fixed, rules := a.ApplyFixes(false)
			changed := rules != nil
			suite := fixed.Suite()
			if !changed || len(fixed.Diagnostics()) > 0 || !strings.Contains(suite.Cases[0].ExpectedOutcome+rubricTexts(fixed), text) {
				t.Errorf("fixed to\n%s", fixed.Source().Body)
			}
		}
	}
}

func rubricTexts(a *analysis.Analysis) string {
	var texts []string
	for _, g := range a.Suite().Cases[0].Graders {
		for _, k := range g.Criteria {
			texts = append(texts, k.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// TestOneCauseOneFinding: one cause has one diagnostic.
func TestOneCauseOneFinding(t *testing.T) {
	for body, want := range map[string]string{
		"evalcases:\n  - id: a\n    expected_outcome: O\n    input: {{ question }}\n":                             "the braces make this template a mapping; the runner skips the case; quote it",
		"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - {{name}}\n":          "the braces make this template a mapping; the runner drops the criterion; quote it",
		"description: x\n\tdataset: y\n\tname: z\nevalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n": "tabs indent 2 lines from here on; YAML indents with spaces",
		"description: x\n\tdataset: y\nevalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n":            "a tab indents this line, YAML indents with spaces",
		"":                    "the eval file is empty; the runner refuses the file",
		"# to be written\n\n": "the eval file is empty; the runner refuses the file",
	} {
		var messages []string
		for _, d := range analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body}).Diagnostics() {
			messages = append(messages, d.Message)
		}
		if strings.Join(messages, "|") != want {
			t.Errorf("%q in\n%s", messages, body)
		}
	}
}
