package grade_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// scriptInput returns what a program of a later version reads about a submission.
func scriptInput(t *testing.T, c *rubric.Case, sub grade.Submission) (input map[string]any) {
	t.Helper()
	exec := func(_ context.Context, c grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: []byte(`{"score":1}`)}, json.Unmarshal(c.Stdin, &input)
	}
	g := &rubric.Grader{Kind: rubric.CodeJudge, Assert: &rubric.Assertion{}, Code: &rubric.Code{Argv: []string{"a"}, Config: map[string]any{"fromAToZ": 5, "Read": []any{}}}}
	if r := grade.Grade(t.Context(), grade.Ports{Exec: exec}, c, g, sub).Result; r.Ungraded != "" {
		t.Fatal(r.Ungraded)
	}
	return input
}

// equalJSON fails if a value is not what want is as JSON.
func equalJSON(t *testing.T, name string, got any, want string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(want), &value); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, value) {
		encoded, _ := json.Marshal(got)
		t.Errorf("%s is %s, want %s", name, encoded, want)
	}
}

// TestScriptInputTrace: a program reads the conversation, its trace and the case's metadata, with keys in snake_case.
func TestScriptInputTrace(t *testing.T) {
	c := &rubric.Case{ID: "x", Input: []rubric.Message{{Role: "user", Content: "Q"}}, Metadata: map[string]any{"ownerName": "Ann", "Ann": map[string]any{"isHere": true}}}
	calls := []any{
		map[string]any{"tool": "find", "input": map[string]any{"maxItems": 2}, "output": "none", "duration_ms": 5},
		map[string]any{"tool": "find", "duration_ms": 6, "status": "error"}, map[string]any{"tool": "read"},
	}
	sub := grade.Submission{Answer: "A", Messages: []rubric.Message{{Role: "assistant", Content: "A", ToolCalls: calls}, {Role: "tool", Content: "R"}}}
	sub.Trace = sub.Summary("")
	input := scriptInput(t, c, sub)
	equalJSON(t, "metadata", input["metadata"], `{"owner_name":"Ann","Ann":{"is_here":true}}`)
	equalJSON(t, "config", input["config"], `{"from_a_to_z":5,"Read":[]}`)
	equalJSON(t, "trace_summary", input["trace_summary"], `{"event_count":3,"tool_calls":{"find":2,"read":1},"error_count":0,"llm_call_count":1,"tool_durations":{"find":[5,6]}}`)
	trace := input["trace"].(map[string]any)
	equalJSON(t, "the trace's messages", trace["messages"], `[{"role":"user","content":"Q"},
		{"role":"assistant","content":"A","tool_calls":[{"tool":"find","input":{"max_items":2},"output":"none","duration_ms":5},{"tool":"find","duration_ms":6,"status":"error"},{"tool":"read"}]},
		{"role":"tool","content":"R"}]`)
	if !reflect.DeepEqual(trace["messages"], input["messages"]) {
		t.Error("the messages are not those of the trace")
	}
	equalJSON(t, "the trace's metadata", trace["metadata"], `{"eval_case_id":"x"}`)
	equalJSON(t, "the events", trace["events"], `[
		{"event_id":"message-0","ordinal":0,"type":"message","message":{"role":"user","content":"Q"},"metadata":{"message_index":0}},
		{"event_id":"message-1","ordinal":1,"type":"message","message":{"role":"assistant","content":"A"},"metadata":{"message_index":1}},
		{"event_id":"message-1-tool-0","parent_event_id":"message-1","ordinal":2,"type":"tool_call","duration_ms":5,"tool":{"name":"find","input":{"max_items":2},"output":"none","status":"ok"},"metadata":{"message_index":1,"tool_index":0}},
		{"event_id":"message-1-tool-0-result","parent_event_id":"message-1-tool-0","ordinal":3,"type":"tool_result","tool":{"name":"find","output":"none","status":"ok"},"metadata":{"message_index":1,"tool_index":0}},
		{"event_id":"message-1-tool-1","parent_event_id":"message-1","ordinal":4,"type":"tool_call","duration_ms":6,"tool":{"name":"find","status":"error"},"metadata":{"message_index":1,"tool_index":1}},
		{"event_id":"message-1-tool-2","parent_event_id":"message-1","ordinal":5,"type":"tool_call","tool":{"name":"read","status":"ok"},"metadata":{"message_index":1,"tool_index":2}},
		{"event_id":"message-2","ordinal":6,"type":"message","message":{"role":"tool","content":"R"},"metadata":{"message_index":2}},
		{"event_id":"final-response","parent_event_id":"message-1","ordinal":7,"type":"final_response","message":{"role":"assistant","content":"A"},"metadata":{"message_index":1}}]`)
}

// TestScriptInputOfLess: what is unknown is null, and what is known to be none is empty.
func TestScriptInputOfLess(t *testing.T) {
	c := &rubric.Case{ID: "x", Input: []rubric.Message{{Role: "system", Content: "S"}, {Role: "user", Content: "Q"}}}
	input := scriptInput(t, c, grade.Submission{Answer: "A", ToolCalls: []grade.ToolCall{{Tool: "find"}}})
	equalJSON(t, "messages", input["messages"], `[{"role":"system","content":"S"},{"role":"user","content":"Q"},{"role":"assistant","content":"A","tool_calls":[{"tool":"find"}]}]`)
	for _, key := range []string{"trace", "trace_summary", "metadata", "duration_ms"} {
		if value, ok := input[key]; !ok || value != nil {
			t.Errorf("%s is %v", key, value)
		}
	}
	whole := []rubric.Message{{Role: "user", Content: "Mine"}, {Role: "user", Content: "And?"}}
	input = scriptInput(t, c, grade.Submission{Messages: whole, Trace: &grade.Trace{EventCount: new(0), ErrorCount: new(2), ToolDurations: map[string][]float64{"find": {1}}}})
	equalJSON(t, "whole messages", input["messages"], `[{"role":"user","content":"Mine"},{"role":"user","content":"And?"}]`)
	equalJSON(t, "its trace_summary", input["trace_summary"], `{"event_count":0,"tool_calls":{},"error_count":2,"llm_call_count":null,"tool_durations":{"find":[1]}}`)
	if events := input["trace"].(map[string]any)["events"].([]any); len(events) != 2 {
		t.Errorf("without an answer there are %d events", len(events))
	}
	input = scriptInput(t, c, grade.Submission{Answer: "A", Trace: &grade.Trace{DurationMS: new(7.0)}})
	equalJSON(t, "messages without calls", input["messages"], `[{"role":"system","content":"S"},{"role":"user","content":"Q"},{"role":"assistant","content":"A"}]`)
	equalJSON(t, "an unknown trace_summary", input["trace_summary"], `{"event_count":null,"tool_calls":null,"error_count":null,"llm_call_count":null}`)
	if input["duration_ms"] != 7.0 || input["trace"].(map[string]any)["duration_ms"] != 7.0 {
		t.Errorf("of the duration is told %v", input)
	}
}
