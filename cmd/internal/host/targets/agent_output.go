package targets

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// transcript is what an agent's program reports about its run, in JSON lines.
type transcript struct {
	messages []rubric.Message
	calls    map[string]*grade.ToolCall // by id; the messages hold them
	trace    grade.Trace
	failure  string
	events   int // lines that are events
}

// parseAgentOutput reads the JSON lines of an agent's program with a function for one event. The
// last message with a text is the answer. Output without any event is that of a program whose
// arguments ask for another format, and is read as any command's.
func parseAgentOutput[Event any](read func(*transcript, Event)) func(output string) (grade.Submission, error) {
	return func(output string) (grade.Submission, error) {
		t := &transcript{calls: map[string]*grade.ToolCall{}}
		for line := range strings.Lines(strings.ToValidUTF8(output, "\uFFFD")) {
			var head struct{ Type string }
			if json.Unmarshal([]byte(line), &head) != nil || head.Type == "" {
				continue
			}
			t.events++
			var event Event
			if json.Unmarshal([]byte(line), &event) == nil {
				read(t, event)
			}
		}
		switch {
		case t.events == 0:
			return parseSubmission(output), nil
		case t.failure != "":
			return grade.Submission{}, errors.New(t.failure)
		}
		t.trace.ErrorCount = new(0)
		return grade.Submission{Answer: lastAssistantText(t.messages), Messages: t.messages, Trace: &t.trace}, nil
	}
}

// addMessage adds a message of the assistant. Empty text is that of a message with calls only.
func (t *transcript) addMessage(text string, calls []*grade.ToolCall) {
	m := rubric.Message{Role: "assistant"}
	if text != "" {
		m.Content = text
	}
	if len(calls) > 0 {
		m.ToolCalls = calls
	}
	if text != "" || len(calls) > 0 {
		t.messages = append(t.messages, m)
	}
}

// addToLast adds to the only message of an agent whose program does not print its turns: a text, which
// replaces the one before, or a call.
func (t *transcript) addToLast(text string, call *grade.ToolCall) {
	if len(t.messages) == 0 {
		t.messages = []rubric.Message{{Role: "assistant"}}
	}
	last := &t.messages[0]
	if text != "" {
		last.Content = text
	}
	if call != nil {
		calls, _ := last.ToolCalls.([]*grade.ToolCall)
		last.ToolCalls = append(calls, call)
	}
}

// newCall returns a call under the name that the reference gives to the tool; see agentTools.
func (t *transcript) newCall(id, tool string, input any) *grade.ToolCall {
	call := &grade.ToolCall{Tool: tool, Input: input}
	if name, known := agentTools[tool]; known {
		call.Tool = name
	}
	for _, prefix := range []string{"mcp:", "Using skill: "} {
		if skill, ok := strings.CutPrefix(tool, prefix); ok {
			fields, _ := input.(map[string]any)
			call.Tool, call.Input = "Skill", withField(fields, "skill", skill)
		}
	}
	if strings.HasPrefix(tool, "Viewing ") {
		call.Tool = "Read"
	}
	if fields, isMap := call.Input.(map[string]any); call.Tool == "Read" && isMap && fields["file_path"] == nil {
		for _, key := range []string{"filePath", "path"} {
			if fields[key] != nil {
				call.Input = withField(fields, "file_path", fields[key])
			}
		}
	}
	t.calls[id] = call
	return call
}

func withField(fields map[string]any, key string, value any) map[string]any {
	copied := map[string]any{}
	maps.Copy(copied, fields)
	copied[key] = value
	return copied
}

// agentTools are the common names of tools that agents name differently (AgentV 4.42.4,
// normalize-tool-call.ts).
var agentTools = map[string]string{
	"command_execution": "Bash", "bash": "Bash", "runTerminalCommand": "Bash", "file_change": "Edit", "editFile": "Edit", "Edit File": "Edit",
	"read": "Read", "readFile": "Read", "Read File": "Read", "readTextFile": "Read", "writeTextFile": "Write", "Write File": "Write", "skill": "Skill",
}

// addTokens adds tokens to those used so far.
func (t *transcript) addTokens(input, output, cached float64) {
	if t.trace.TokenUsage == nil {
		t.trace.TokenUsage = &grade.Tokens{}
	}
	t.trace.TokenUsage.Input += input
	t.trace.TokenUsage.Output += output
	t.trace.TokenUsage.Cached += cached
}

// block is a part of a message of Claude or pi.
type block struct {
	Type, Text, ID, Name string
	Input, Arguments     any
	ToolUseID            string `json:"tool_use_id"`
	Content              any
}

// blocks reads the content of a message, which is a text or a list of parts.
func blocks(raw json.RawMessage) (all []block) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	_ = json.Unmarshal(raw, &all) // other content has neither text nor calls
	return all
}

// addBlocks adds the assistant's message that parts form.
func (t *transcript) addBlocks(parts []block) {
	var texts []string
	var calls []*grade.ToolCall
	for _, b := range parts {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "tool_use":
			calls = append(calls, t.newCall(b.ID, b.Name, b.Input))
		case "toolCall":
			calls = append(calls, t.newCall(b.ID, b.Name, b.Arguments))
		}
	}
	t.addMessage(strings.Join(texts, "\n"), calls)
}

// claudeEvent is an event of `claude --print --output-format stream-json --verbose`
// (code.claude.com/docs/en/headless and the types of its Agent SDK).
type claudeEvent struct {
	Type, Subtype, Result string
	IsError               bool                              `json:"is_error"`
	Message               struct{ Content json.RawMessage } `json:"message"`
	Cost                  *float64                          `json:"total_cost_usd"`
	Duration              *float64                          `json:"duration_ms"`
	Usage                 struct {
		Input   float64 `json:"input_tokens"`
		Output  float64 `json:"output_tokens"`
		Read    float64 `json:"cache_read_input_tokens"`
		Created float64 `json:"cache_creation_input_tokens"`
	}
}

func readClaudeEvent(t *transcript, e claudeEvent) {
	switch e.Type {
	case "assistant":
		t.addBlocks(blocks(e.Message.Content))
	case "user":
		for _, b := range blocks(e.Message.Content) {
			if call := t.calls[b.ToolUseID]; call != nil && b.Type == "tool_result" {
				call.Output = b.Content
			}
		}
	case "result":
		t.trace.CostUSD, t.trace.DurationMS = e.Cost, e.Duration
		t.addTokens(e.Usage.Input+e.Usage.Read+e.Usage.Created, e.Usage.Output, e.Usage.Read)
		switch {
		case e.IsError || strings.HasPrefix(e.Subtype, "error"):
			t.failure = fmt.Sprintf("the agent ended with `%s`: %s", e.Subtype, e.Result)
		case lastAssistantText(t.messages) == "":
			t.addMessage(e.Result, nil)
		}
	}
}

// codexEvent is an event of `codex exec --json` (developers.openai.com/codex/noninteractive;
// openai/codex, sdk/typescript/src/events.ts and items.ts).
type codexEvent struct {
	Type, Message string
	Error         struct{ Message string }
	Item          struct {
		ID, Type, Text, Command, Server, Tool string
		Output                                any `json:"aggregated_output"`
		Changes, Arguments, Result, Error     any
	}
	Usage struct {
		Input  float64 `json:"input_tokens"`
		Output float64 `json:"output_tokens"`
		Cached float64 `json:"cached_input_tokens"`
	}
}

func readCodexEvent(t *transcript, e codexEvent) {
	switch e.Type {
	case "turn.completed":
		t.failure = "" // an error before it was retried
		t.addTokens(e.Usage.Input, e.Usage.Output, e.Usage.Cached)
	case "turn.failed":
		t.failure = "the agent's turn failed: " + e.Error.Message
	case "error":
		t.failure = "the agent failed: " + e.Message
	case "item.completed":
		item := e.Item
		add := func(tool string, input, output any) {
			call := t.newCall(item.ID, tool, input)
			call.Output = output
			t.addToLast("", call)
		}
		switch item.Type {
		case "agent_message":
			t.addToLast(item.Text, nil)
		case "command_execution":
			add(item.Type, map[string]any{"command": item.Command}, item.Output)
		case "file_change":
			add(item.Type, item.Changes, nil)
		case "mcp_tool_call":
			add("mcp:"+item.Server+"/"+item.Tool, item.Arguments, cmp.Or(item.Result, item.Error))
		}
	}
}

// copilotEvent is an event of `copilot --output-format json` (docs.github.com, Running GitHub
// Copilot CLI programmatically; github/copilot-cli issues 3544 and 4107).
type copilotEvent struct {
	Type string
	Data struct {
		Content, Message     string
		ToolCallID, ToolName string
		Arguments, Result    any
		InputTokens          float64
		OutputTokens         float64
		CacheReadTokens      float64
	}
}

func readCopilotEvent(t *transcript, e copilotEvent) {
	switch e.Type {
	case "assistant.message":
		t.addToLast(e.Data.Content, nil)
	case "assistant.usage":
		t.addTokens(e.Data.InputTokens, e.Data.OutputTokens, e.Data.CacheReadTokens)
	case "tool.execution_start":
		t.addToLast("", t.newCall(e.Data.ToolCallID, e.Data.ToolName, e.Data.Arguments))
	case "tool.execution_complete":
		if call := t.calls[e.Data.ToolCallID]; call != nil {
			call.Output = e.Data.Result
		}
	case "session.error":
		t.failure = "the agent failed: " + e.Data.Message
	}
}

// piEvent is an event of `pi --print --mode json` (earendil-works/pi,
// packages/coding-agent/docs/json.md).
type piEvent struct {
	Type       string
	ToolCallID string
	Result     any
	Message    struct {
		Role, StopReason, ErrorMessage string
		Content                        json.RawMessage
		Usage                          *struct {
			Input, Output, CacheRead float64
			Cost                     struct{ Total float64 }
		}
	}
}

func readPiEvent(t *transcript, e piEvent) {
	switch {
	case e.Type == "tool_execution_end" && t.calls[e.ToolCallID] != nil:
		t.calls[e.ToolCallID].Output = e.Result
	case e.Type == "message_end" && e.Message.Role == "assistant":
		t.addBlocks(blocks(e.Message.Content))
		if t.failure = ""; e.Message.StopReason == "error" {
			t.failure = "the agent failed: " + e.Message.ErrorMessage
		}
		if u := e.Message.Usage; u != nil {
			t.addTokens(u.Input, u.Output, u.CacheRead)
			cost := u.Cost.Total
			if t.trace.CostUSD != nil {
				cost += *t.trace.CostUSD
			}
			t.trace.CostUSD = &cost
		}
	}
}
