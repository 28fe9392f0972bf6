package metric

import (
	"bytes"
	"encoding/json"
)

// Calls are the tool calls of the turn, in order.
func (i Invocation) Calls() []ToolCall {
	if len(i.Events) == 0 {
		return i.ToolUses
	}
	var all []ToolCall
	for _, e := range i.Events {
		calls, _ := e.Content.toolCalls()
		all = append(all, calls...)
	}
	return all
}

func (i Invocation) toolResponses() []ToolResponse {
	if len(i.Events) == 0 {
		return i.ToolResponses
	}
	var all []ToolResponse
	for _, e := range i.Events {
		_, responses := e.Content.toolCalls()
		all = append(all, responses...)
	}
	return all
}

func (c *Content) toolCalls() (calls []ToolCall, responses []ToolResponse) {
	if c == nil {
		return nil, nil
	}
	for _, p := range c.Parts {
		if p.Call != nil {
			calls = append(calls, *p.Call)
		}
		if p.Response != nil {
			responses = append(responses, *p.Response)
		}
	}
	return calls, responses
}

const (
	noSteps = "No intermediate steps were taken."
	noTools = "Agent has no tools."
)

// ToolSteps is what a judge is shown of the turn's tool calls: JSON with each
// call beside its response, paired by id. Those without an id share one, so that
// the last such response stands beside every such call. A turn without calls is
// a sentence that says so.
func (i Invocation) ToolSteps() string {
	byID := map[string]ToolResponse{}
	for _, r := range i.toolResponses() {
		byID[r.ID] = r
	}
	type step struct {
		Step     int      `json:"step"`
		Call     ToolCall `json:"tool_call"`
		Response any      `json:"tool_response"`
	}
	var steps []step
	for n, call := range i.Calls() {
		s := step{n, call, "None"}
		if r, ok := byID[call.ID]; ok {
			s.Response = r
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		return noSteps
	}
	return indentJSON(map[string]any{"tool_calls_and_response": steps})
}

// toolDeclarations is what a judge is shown of the tools that were there.
func toolDeclarations(agents []Agent) string {
	if len(agents) == 0 {
		return noTools
	}
	byAgent := map[string][]any{}
	for _, a := range agents {
		byAgent[a.Name] = append([]any{}, a.Tools...)
	}
	return indentJSON(map[string]any{"tool_declarations": byAgent})
}

// indentJSON is JSON with an indent of two. A value that JSON cannot hold, which no
// file can bring here, is left out.
func indentJSON(value any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(value) != nil {
		return "{}"
	}
	return string(bytes.TrimRight(b.Bytes(), "\n"))
}
