package analysis_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
)

// TestDialects: ADK's files are recognised by name or keys, and no other file is.
func TestDialects(t *testing.T) {
	for _, c := range []struct {
		path, body string
		role       adk.Role
		recognised bool
	}{
		{"bank.evalset.json", `{"eval_set_id": "s", "eval_cases": []}`, adk.EvalSet, true},
		{"bank.evalset.json", `{"eval_set_id": "s", // the set
			"eval_cases": [],}`, adk.EvalSet, true},
		{"bank.evalset.json", ``, adk.EvalSet, true},
		{"a/test_config.json", `{"criteria": {}}`, adk.Config, true},
		{"criteria.yaml", "criteria:\n  safety_v1: 1\n", adk.Config, true},
		{"set.yaml", "eval_set_id: s\neval_cases:\n  - eval_id: a\n    conversation: []\n", adk.EvalSet, true},
		{"x.evalset_result.json", `"{}"`, adk.Results, true},
		{"package.json", `{"name": "x"}`, adk.None, false},
		{"test_config.json", `{"browser": "firefox"}`, adk.None, false},
		{"x.eval.yaml", "evalcases: []\n", adk.None, true},
		{"x.eval.yaml", "eval_cases:\n  - id: a\n", adk.None, true},
		{"x.yaml", "criteria: none\n", adk.None, false},
	} {
		a := analysis.Of(analysis.Input{Path: c.path, Text: c.body})
		dialect := agentv.Name
		if c.role != adk.None {
			dialect = adk.Name
		}
		if a.ADK() != c.role || a.Recognised() != c.recognised || a.Dialect() != dialect || (a.Role() == "") != (c.role != adk.None) {
			t.Errorf("%s %s: %q of %s, recognised %v", c.path, c.body, a.ADK(), a.Dialect(), a.Recognised())
		}
	}
}

// TestRelaxed: comments in JSON do not shift spans, and fixes make the JSON valid.
func TestRelaxed(t *testing.T) {
	body := "{\n\t// é, not \"evalSetId\"\n\t\"evalSetId\": \"s\", /* the\n cases */ \"eval_cases\": []\n}"
	a := analysis.Of(analysis.Input{Path: "bank.evalset.json", Text: body})
	fixed, rules := a.ApplyFixes(false)
	changed := rules != nil
	const want = "{\n\t\"eval_set_id\": \"s\",  \"eval_cases\": []\n}"
	if got := fixed.Source().Body; !changed || got != want {
		t.Errorf("%s", got)
	}
	edited := a.Edit(text.Edit{Span: text.Span{Start: len(body) - 1, End: len(body)}, New: ", }"})
	if got := edited.Source().Body; edited.ADK() != adk.EvalSet || got[len(got)-3:] != ", }" {
		t.Errorf("%s", got)
	}
}
