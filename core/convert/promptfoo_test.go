package convert_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestToPromptfoo: gates become assertions that must pass, and all else a mean with a threshold.
func TestToPromptfoo(t *testing.T) {
	no := false
	suite := &rubric.Suite{Targets: []string{"openai:gpt-4.1"}, Cases: []*rubric.Case{
		{ID: "gates", Question: "When?", Graders: []*rubric.Grader{{Kind: rubric.LLMJudge, Weight: 1, Required: true, Criteria: []*rubric.Criterion{{ID: "time", Text: "Names a time", Weight: 2}}}}},
		{ID: "mean", Question: "When?", Graders: []*rubric.Grader{
			{Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{{ID: "kind", Text: "Is kind", Weight: 1, Required: &no}}},
			{Name: "end", Kind: rubric.Deterministic, Weight: 3, Negate: true, Assert: &rubric.Assertion{Type: rubric.EndsWith, Value: "(a)"}},
			{Name: "fields", Kind: rubric.FieldAccuracy, Weight: 1},
		}},
	}}
	out, err := convert.ToPromptfoo(suite, "a")
	if err != nil {
		t.Fatal(err)
	}
	want := `prompts: ["{{ question }}"]
providers: ["openai:gpt-4.1"]
tests:
  - description: gates
    vars:
      question: When?
    assert:
      - type: llm-rubric
        value: Names a time
        metric: time
        threshold: 0.5
        weight: 2
  - description: mean
    vars:
      question: When?
    threshold: 0.8
    assert:
      - type: llm-rubric
        value: Is kind
        metric: kind
        threshold: 0.5
      - type: not-regex
        value: \(a\)$
        weight: 3
`
	if out.Files[0].Text != want {
		t.Errorf("%s", out.Files[0].Text)
	}
	var losses []string
	for _, l := range out.Losses {
		losses = append(losses, l.String())
	}
	if all := strings.Join(losses, "\n"); !strings.Contains(all, "there is no assertion like `field_accuracy`: the grader `fields` is left out (`mean`)") {
		t.Errorf("lost: %s", all)
	}
	if _, err := convert.ToPromptfoo(&rubric.Suite{}, "a"); err == nil {
		t.Error("nothing is converted")
	}
}
