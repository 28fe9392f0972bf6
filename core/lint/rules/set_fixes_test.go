package rules_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// TestSetFixes: each fix of these rules keeps the JSON valid and removes a diagnostic.
func TestSetFixes(t *testing.T) {
	const thresholdless = "{\n  \"criteria\": {\n    \"safety_v1\": {\n      \"include_intermediate_responses_in_final\": true\n    }\n  }\n}\n"
	for id, body := range map[string]string{"conversation-form": "", "equal-rubrics": "", "duplicate-rubric-id": "", "missing-key": thresholdless} {
		in := analysis.RuleExample(lint.Find(id), body)
		if in.Text == "" {
			in.Text, _ = lint.ParseMarkers(lint.Find(id).Bad)
		} else {
			in.Path = "test_config.json"
		}
		before, fixes := countCodes(in), 0
		for _, d := range analysis.Of(in).Diagnostics() {
			if d.Code != id {
				continue
			}
			for _, f := range d.Fixes {
				fixed, err := text.Apply(in.Text, f.Edits)
				if err != nil {
					t.Fatal(err)
				}
				next := in
				next.Text = fixed
				if after := countCodes(next); after[id] >= before[id] || after["not-json"] > 0 {
					t.Errorf("%s: %s gives %v\n%s", id, f.Title, after, fixed)
				}
				fixes++
			}
		}
		if fixes == 0 {
			t.Errorf("%s has no fix: %v", id, before)
		}
	}
}

// countCodes is how often each rule is broken in a file.
func countCodes(in analysis.Input) map[string]int {
	found := map[string]int{}
	for _, d := range analysis.Of(in).Diagnostics() {
		found[d.Code]++
	}
	return found
}
