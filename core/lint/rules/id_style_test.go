package rules_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// TestIDStyleFix: the fixed id is a text as before, in the quotes that it had.
func TestIDStyleFix(t *testing.T) {
	const line = `{"id":"Refund Window","expected_outcome":"Names the window","input":"How long?"}`
	for _, c := range []struct{ path, body, want string }{
		{"x.jsonl", line, `{"id":"refund-window","expected_outcome":"Names the window","input":"How long?"}`},
		{"x.yaml", "evalcases:\n  - { id: \"12!\", expected_outcome: Names it, input: What? }\n", "evalcases:\n  - { id: \"12\", expected_outcome: Names it, input: What? }\n"},
		{"x.yaml", "evalcases:\n  - { id: TRUE!, expected_outcome: Names it, input: What? }\n", "evalcases:\n  - { id: \"true\", expected_outcome: Names it, input: What? }\n"},
		{"x.yaml", "evalcases:\n  - { id: ' ', expected_outcome: Names it, input: What? }\n", ""},
	} {
		var fixed string
		for _, d := range analysis.Of(analysis.Input{Path: c.path, Text: c.body}).Diagnostics() {
			if d.Code != "id-style" {
				continue
			}
			var err error
			if fixed, err = text.Apply(c.body, d.Fixes[0].Edits); err != nil {
				t.Fatal(err)
			}
		}
		if fixed != c.want {
			t.Errorf("%s\nfixed\n%s\nwant\n%s", c.body, fixed, c.want)
		}
	}
}
