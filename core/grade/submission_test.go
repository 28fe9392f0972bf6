package grade_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestSummary: what an answer shows of the calls is added to its trace, and nothing that the trace
// itself has is changed.
func TestSummary(t *testing.T) {
	one, five := 1, 5
	replies := []rubric.Message{{Role: "assistant", Content: "hm"}, {Role: "tool", Content: "x"}, {Role: "assistant", Content: "hi"}}
	called := []grade.ToolCall{{Tool: "search"}, {Tool: "open"}, {Tool: "search"}}
	const none = `null`
	for _, tt := range []struct {
		name               string
		sub                grade.Submission
		spec, oldest, four string
	}{
		{"only a text", grade.Submission{Answer: "hi"}, none, `{"event_count":0}`, `{"event_count":0,"llm_calls":1}`},
		{"only a text, recorded", grade.Submission{Origin: grade.FromRecording}, none, none, none},
		{"the file's answer", grade.Submission{Origin: grade.FromFile, Messages: replies}, none, none, none},
		{"messages", grade.Submission{Messages: replies}, `{"event_count":0,"llm_calls":2}`, `{"event_count":0}`, `{"event_count":0,"llm_calls":2}`},
		{"recorded messages", grade.Submission{Messages: replies, Origin: grade.FromRecording}, `{"event_count":0,"llm_calls":2}`, `{"event_count":0}`, `{"event_count":0,"llm_calls":2}`},
		{
			"calls", grade.Submission{ToolCalls: called}, `{"event_count":3,"tool_calls_by_name":{"open":1,"search":2}}`,
			`{"event_count":3,"tool_calls_by_name":{"open":1,"search":2}}`, `{"event_count":3,"tool_calls_by_name":{"open":1,"search":2}}`,
		},
		{
			"a trace with numbers", grade.Submission{Messages: replies, Trace: &grade.Trace{EventCount: &five, LLMCalls: &one}},
			`{"event_count":5,"llm_calls":1}`, `{"event_count":5,"llm_calls":1}`, `{"event_count":5,"llm_calls":1}`,
		},
		{
			"a trace with counts", grade.Submission{Messages: replies, Trace: &grade.Trace{ToolCallsByName: map[string]int{"x": 1}, LLMCalls: &one}},
			`{"tool_calls_by_name":{"x":1},"llm_calls":1}`, `{"tool_calls_by_name":{"x":1},"llm_calls":1}`, `{"tool_calls_by_name":{"x":1},"llm_calls":1}`,
		},
		{
			"a trace of time", grade.Submission{Messages: replies, Trace: &grade.Trace{DurationMS: at(9)}},
			`{"event_count":0,"duration_ms":9,"llm_calls":2}`, `{"event_count":0,"duration_ms":9}`, `{"event_count":0,"duration_ms":9,"llm_calls":2}`,
		},
	} {
		for profile, want := range map[score.Profile]string{score.Spec: tt.spec, score.AgentV: tt.oldest, score.AgentV4: tt.four, score.AgentVHead: tt.four} {
			if got, err := json.Marshal(tt.sub.Summary(profile)); err != nil || string(got) != want {
				t.Errorf("%s, %s: %s, %v; want %s", tt.name, profile, got, err, want)
			}
		}
	}
}

// TestTokens reads counts of tokens, and refuses what lacks one.
func TestTokens(t *testing.T) {
	const lacks = "token usage needs `input` and `output`"
	for body, want := range map[string]string{
		`{"input":3,"output":4}`: "{3 4 0}", `{"input":3,"output":4,"cached":2}`: "{3 4 2}",
		`{"input":3}`: lacks, `{"output":4}`: lacks, `{"prompt_tokens":3,"completion_tokens":4}`: lacks,
		`{"input":"3","output":4}`: "json: cannot unmarshal string into Go struct field .Input of type float64",
	} {
		var read grade.Tokens
		got := ""
		if err := json.Unmarshal([]byte(body), &read); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(read)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

// TestUnsupported: what no host can grade says so before it is tried.
func TestUnsupported(t *testing.T) {
	asserts := func(kind rubric.Kind, a *rubric.Assertion) *rubric.Grader {
		return &rubric.Grader{Kind: kind, Assert: a}
	}
	for _, tt := range []struct {
		name string
		g    *rubric.Grader
		want string
	}{
		{"a rubric", two(), ""},
		{"a plugin", asserts(rubric.External, &rubric.Assertion{Type: "webhook"}), "`webhook` needs a plugin, a service or a trace that is not available here"},
		{"an interpreter", asserts(rubric.External, &rubric.Assertion{Type: "python", Value: "True"}), ""},
		{"an assertion without settings", asserts(rubric.Deterministic, nil), ""},
		{"a text", asserts(rubric.Deterministic, &rubric.Assertion{Type: rubric.Contains, Value: "("}), ""},
		{"a pattern", asserts(rubric.Deterministic, &rubric.Assertion{Type: rubric.Regex, Value: "(a)"}), ""},
		{"a pattern that does not end", asserts(rubric.Deterministic, &rubric.Assertion{Type: rubric.Regex, Value: "(a"}), "invalid regular expression: a group is not closed"},
		{"two patterns", asserts(rubric.Deterministic, &rubric.Assertion{Type: rubric.Regex, Value: []any{"a", "b"}}), "its `value` is a list of 2, where `regex` takes one text"},
	} {
		got := grade.Unsupported(tt.g)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSandboxArgv: the name of a module alone is a program for the sandbox, also as a shell line.
func TestSandboxArgv(t *testing.T) {
	for _, tt := range []struct {
		argv []string
		want string
	}{
		{[]string{"g.wasm"}, "g.wasm"},
		{[]string{"g.wasm", "-v"}, "g.wasm -v"},
		{[]string{"sh", "-lc", " g.wasm "}, "g.wasm"},
		{[]string{"sh", "-lc", "g.wasm -v"}, ""},
		{[]string{"bash", "-lc", "g.wasm"}, ""},
		{[]string{"sh", "-xc", "g.wasm"}, ""},
		{[]string{"sh", "g.wasm"}, ""},
		{[]string{"g.py"}, ""},
		{nil, ""},
	} {
		argv, ok := grade.Command{Argv: tt.argv}.SandboxArgv()
		got := ""
		for i, a := range argv {
			if i > 0 {
				got += " "
			}
			got += a
		}
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.argv, got, ok, tt.want)
		}
	}
}
