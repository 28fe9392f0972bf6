package run_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestSkippedByReference runs a case whose prompt file does not show the answer: AgentV skips it.
func TestSkippedByReference(t *testing.T) {
	prompt := &rubric.Prompt{Path: "blind.md", Text: "Grade by {{ criteria }}"}
	contains := &rubric.Grader{Name: "contains", Kind: rubric.Deterministic, Weight: 1, Assert: &rubric.Assertion{Type: rubric.Contains, Value: "yes"}}
	set := &rubric.Grader{Name: "set", Kind: rubric.AssertSet, Weight: 1, Members: []*rubric.Grader{{Name: "judge", Kind: rubric.LLMJudge, Weight: 1, Prompt: prompt, Unread: true}}}
	suite := &rubric.Suite{Version: "head"}
	c := &rubric.Case{ID: "a", Graders: []*rubric.Grader{contains, set}}
	for _, step := range []struct {
		profile score.Profile
		text    string
		graders int
		failure string
	}{
		{score.Spec, "Grade by {{ criteria }}", 2, ""},
		{score.AgentVHead, "Grade by {{ criteria }}", 0, "skips this test: `blind.md` has neither `{{ output }}` nor `{{ expected_output }}`"},
		{score.AgentVHead, "Grade {{ expected_output }}", 1, ""},
		{score.AgentVHead, "file://blind.md", 0, "skips this test: the prompt file `blind.md` was not read"},
	} {
		prompt.Text = step.text
		runner := run.Runner{Profile: step.profile, Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
			return grade.Submission{Answer: "yes"}, nil
		}}
		rec := runner.RunCase(t.Context(), suite, c, func(*run.GraderRecord) {})
		if len(rec.Graders) != step.graders || !strings.Contains(rec.Error, step.failure) || (rec.Error == "") != (step.failure == "") {
			t.Errorf("%s, %q: %d graders, %q", step.profile, step.text, len(rec.Graders), rec.Error)
		}
	}
}
