package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestTargetQuestion checks what a chat model is asked: each call has one answer, and each answer
// a call.
func TestTargetQuestion(t *testing.T) {
	calls := func(text string) (value any) {
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	user, tool := rubric.Message{Role: "user", Content: "U"}, rubric.Message{Role: "tool", Content: "T"}
	for _, c := range []struct {
		name  string
		input []rubric.Message
		want  string
	}{
		{"one message", []rubric.Message{{Role: "user", Content: " U\n"}}, "user(flat)"},
		{"a system message alone", []rubric.Message{{Role: "system", Content: "S"}}, "system(flat)"},
		{"blank messages", []rubric.Message{{Role: "system", Content: " "}, user, {Role: "assistant", Content: []any{}}}, "user(U)"},
		{"nothing", []rubric.Message{{Role: "user", Content: " "}}, "error: the case has no text to ask"},
		{"results without calls", []rubric.Message{user, {Role: "assistant", Content: "A"}, tool, {Role: "tool", Name: "my tool", Content: "V"}},
			"user(U) assistant(A tool#call_1{} my_tool#call_2{}) tool(T for call_1) tool(V for call_2)"},
		{"a result after the user", []rubric.Message{user, tool}, "user(U) assistant( tool#call_1{}) tool(T for call_1)"},
		{"a result first", []rubric.Message{tool, user}, "assistant( tool#call_1{}) tool(T for call_1) user(U)"},
		{"a result after an answer alone", []rubric.Message{{Role: "assistant", Content: "A"}, tool}, "assistant(A tool#call_1{}) tool(T for call_1)"},
		{"results by name", []rubric.Message{user, {Role: "assistant", ToolCalls: calls(`[{"tool":"f","input":{"a":1}},{"tool":"g","input":"x"}]`)}, {Role: "tool", Name: "g", Content: "G"}, tool},
			`user(U) assistant( f#call_1{"a":1} g#call_2{"input":"x"}) tool(G for call_2) tool(T for call_1)`},
		{"a call in OpenAI's form", []rubric.Message{user, {Role: "assistant", ToolCalls: calls(`[{"id":"x","function":{"name":"f","arguments":"{\"a\": 1}"}}]`)}},
			`user(U) assistant( f#call_1{"a": 1}) tool( for call_1)`},
		{"a call with its result", []rubric.Message{user, {Role: "assistant", ToolCalls: calls(`[{"tool":"f","input":null,"output":"R"},{"tool":"g","output":{"n":1}}]`)}, user},
			`user(U) assistant( f#call_1{} g#call_2{}) tool(R for call_1) tool({"n":1} for call_2) user(U)`},
		{"calls that cannot be read", []rubric.Message{user, {Role: "assistant", Content: "A", ToolCalls: "no"}}, "user(U) assistant(A)"},
		{"a picture", []rubric.Message{{Role: "user", Content: []any{map[string]any{"type": "image", "value": "a.png"}}}}, "error: a message of the role `user` has a picture, which is not sent to models"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := run.TargetQuestion(&rubric.Case{Question: "flat", Input: c.input})
			got := questionShape(q)
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
	if q, err := run.TargetQuestion(&rubric.Case{Question: "Q"}); err != nil || q.User != "Q" || q.Messages != nil {
		t.Errorf("without messages: %+v, %v", q, err)
	}
}

func questionShape(q judge.Question) (text string) {
	for i, m := range q.Messages {
		if i > 0 {
			text += " "
		}
		text += m.Role + "(" + m.Text
		for _, c := range m.Calls {
			text += fmt.Sprintf(" %s#%s%s", c.Tool, c.ID, c.Input)
		}
		if m.Call.ID != "" {
			text += " for " + m.Call.ID
		}
		text += ")"
	}
	return text
}

// TestGuidelines: a model is sent guidelines in the system message, a program their paths, and
// nobody in the question.
func TestGuidelines(t *testing.T) {
	asked := rubric.Message{Role: "user", Parts: []rubric.Part{
		{Text: "Hello"}, {File: "a.md", Path: "/r/a.md", Text: "Thirty days."}, {File: "docs/kind.md", Path: "/r/docs/kind.md", Text: "Be kind.\n", Guideline: true},
	}}
	const guidelines = "[[ ## Guidelines ## ]]\n\n<file path=\"kind.md\">\nBe kind.\n</file>"
	for name, c := range map[string]struct {
		input []rubric.Message
		want  []judge.Message
	}{
		"alone": {[]rubric.Message{asked}, []judge.Message{{Role: "system", Text: guidelines}, {Role: "user", Text: "Hello\n\n<file path=\"a.md\">\nThirty days.\n</file>"}}},
		"after a system message": {[]rubric.Message{{Role: "system", Content: "You help."}, asked},
			[]judge.Message{{Role: "system", Text: guidelines + "\n\nYou help."}, {Role: "user", Text: "Hello\n<file path=\"a.md\">\nThirty days.\n</file>"}}},
	} {
		q, err := run.TargetQuestion(&rubric.Case{Input: c.input, Question: rubric.ConversationText(c.input)})
		if err != nil || !reflect.DeepEqual(q.Messages, c.want) {
			t.Errorf("%s: %+v %v", name, q.Messages, err)
		}
	}
	var given grade.Command
	exec := func(_ context.Context, command grade.Command) (grade.Output, error) {
		given = command
		return grade.Output{Stdout: []byte(`{"score": 1}`)}, nil
	}
	graded := &rubric.Case{ID: "a", Input: []rubric.Message{asked}, Files: []string{"/r/docs/kind.md", "/r/a.md"},
		Graders: []*rubric.Grader{{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"judge"}}}}}
	one(t, run.Runner{Target: run.MockTarget("Hi"), Exec: exec}, &rubric.Suite{Cases: []*rubric.Case{graded}})
	var input struct {
		Guidelines []string `json:"guideline_files"`
		Files      []string `json:"input_files"`
	}
	if err := json.Unmarshal(given.Stdin, &input); err != nil || !slices.Equal(input.Guidelines, []string{"/r/docs/kind.md"}) || !slices.Equal(input.Files, []string{"/r/a.md"}) {
		t.Errorf("%+v %v", input, err)
	}
}
