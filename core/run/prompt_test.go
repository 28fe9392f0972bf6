package run_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestNewPrompt: a prompt has text, and a placeholder for what a case asks and for nothing else.
func TestNewPrompt(t *testing.T) {
	for text, want := range map[string]string{
		"Say {{ input }}":          "",
		"Say {{question}}":         "",
		"{{ input_messages }}":     "",
		" \n":                      "the prompt `p` is empty",
		"Say it":                   "the prompt `p` asks the same in each case; write `{{ input }}` where the case's input belongs",
		"{{ input }} {{ outptu }}": "the prompt `p` has the unknown placeholder `{{ outptu }}`; there are",
		"{{ candidate_answer }}":   "the prompt `p` has `{{ candidate_answer }}`, which a target must not see; write `{{ input }}`",
	} {
		p, err := run.NewPrompt("p", text)
		if want == "" && (err != nil || p.Name != "p" || p.Fingerprint == "") || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestPromptAsks: the prompt takes the place of the last message of the user, or of the question of a
// case without messages. A case that the user says nothing in cannot be asked.
func TestPromptAsks(t *testing.T) {
	prompt, err := run.NewPrompt("p", "Briefly: {{ input }}")
	if err != nil {
		t.Fatal(err)
	}
	host := run.Host{OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
		return run.OpenedTarget{Target: func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
			return grade.Submission{Answer: c.Question}, nil
		}}, nil
	}}
	opened, err := run.Open(t.Context(), host, setOptions(t, "target=mine", "judge=offline"), run.File{Path: "f", Prompt: prompt})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	say := func(role, text string) rubric.Message { return rubric.Message{Role: role, Content: text} }
	for _, c := range []struct {
		name  string
		input []rubric.Message
		want  string
	}{
		{"no messages", nil, "Briefly: Hi"},
		{"one message", []rubric.Message{say("user", "One")}, "Briefly: One"},
		{"the last of the user", []rubric.Message{say("system", "Be kind"), say("user", "One"), say("user", "Two"), say("assistant", "I")}, "@[System]:\nBe kind\n\n@[User]:\nOne\n\n@[User]:\nBriefly: Two\n\n@[Assistant]:\nI"},
		{"none of the user", []rubric.Message{say("system", "Be kind"), say("assistant", "I")}, "the target gave no answer: the case has no message of the user, which the prompt needs"},
	} {
		suite := &rubric.Suite{Cases: []*rubric.Case{{ID: "a", Question: "Hi", Input: c.input}}}
		rec := opened.RunCase(t.Context(), suite, suite.Cases[0], func(*run.GraderRecord) {})
		if got := rec.CandidateAnswer + rec.Error; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
