package assist_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/score"
)

// TestVariablesAreFilledIn checks that every variable proposed in a judge's prompt gets a value.
func TestVariablesAreFilledIn(t *testing.T) {
	for _, body := range []string{
		"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    evaluators:\n      - name: j\n        type: llm_judge\n        prompt: \"▮\"\n",
		"input: Q\ntests:\n  - id: a\n    criteria: O\n    input: Q\n    assertions:\n      - type: llm-grader\n        prompt: \"▮\"\n",
	} {
		typed := strings.Replace(body, mark, "{{ ", 1)
		p, offset := chunkAt(analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: typed}), strings.Index(body, mark)+3)
		var prompt string
		for _, item := range assist.Complete(p, offset, assist.Host{}) {
			prompt += "{{ " + item.Label + " }} "
		}
		if !strings.Contains(prompt, "candidate_answer") {
			t.Fatalf("nothing is proposed in %q", typed)
		}
		c := analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: strings.Replace(body, mark, prompt, 1)}).Suite().Cases[0]
		prompted := ""
		hears := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			prompted = q.User
			return judge.Answer{}, nil
		})
		grade.Grade(context.Background(), grade.Ports{Judge: hears, Profile: score.Spec}, c, c.Graders[0], grade.Submission{Answer: "A"})
		if prompted == "" || strings.Contains(prompted, "{{") {
			t.Errorf("the judge is told %q", prompted)
		}
	}
}
