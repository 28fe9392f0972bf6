package grade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// scriptInput is what a script assertion reads on standard input. Absent and unknown values are
// null.
type scriptInput struct {
	Criteria       string           `json:"criteria"`
	ExpectedOutput []rubric.Message `json:"expected_output"`
	Output         string           `json:"output"`
	Messages       []rubric.Message `json:"messages"`
	OutputPath     *string          `json:"output_path"`
	InputFiles     []string         `json:"input_files"`
	Input          []rubric.Message `json:"input"`
	Metadata       map[string]any   `json:"metadata"`
	Trace          *scriptTrace     `json:"trace"`
	TraceSummary   *scriptSummary   `json:"trace_summary"`
	TokenUsage     *Tokens          `json:"token_usage"`
	CostUSD        *float64         `json:"cost_usd"`
	DurationMS     *float64         `json:"duration_ms"`
	StartTime      *string          `json:"start_time"`
	EndTime        *string          `json:"end_time"`
	FileChanges    *string          `json:"file_changes"`
	WorkspacePath  *string          `json:"workspace_path"`
	Config         map[string]any   `json:"config"`
}

// scriptSummary counts the calls of a trace.
type scriptSummary struct {
	EventCount    *int                 `json:"event_count"`
	ToolCalls     map[string]int       `json:"tool_calls"`
	ErrorCount    *int                 `json:"error_count"`
	LLMCallCount  *int                 `json:"llm_call_count"`
	ToolDurations map[string][]float64 `json:"tool_durations,omitempty"`
}

// scriptTrace is a trace with its messages and its steps.
type scriptTrace struct {
	scriptSummary
	Messages   []rubric.Message  `json:"messages"`
	Events     []traceEvent      `json:"events"`
	TokenUsage *Tokens           `json:"token_usage,omitempty"`
	CostUSD    *float64          `json:"cost_usd,omitempty"`
	DurationMS *float64          `json:"duration_ms,omitempty"`
	Metadata   map[string]string `json:"metadata"`
}

func (t task) newScriptInput(config map[string]any) scriptInput {
	trace := t.trace()
	p := scriptInput{
		Criteria: t.evalCase.ExpectedOutcome, ExpectedOutput: orEmpty(t.evalCase.Expected), Output: t.submission.Answer,
		Messages: t.transcript(rubric.SentMessages(t.evalCase.Input)), InputFiles: orEmpty(t.submission.InputFiles), Input: make([]rubric.Message, len(t.evalCase.Input)),
		Metadata: t.evalCase.Metadata, TokenUsage: trace.TokenUsage, CostUSD: trace.CostUSD, DurationMS: trace.DurationMS,
	}
	for i, m := range t.evalCase.Input {
		p.Input[i] = m.WithFiles()
	}
	if len(config) > 0 {
		p.Config = config
	}
	if t.submission.Trace == nil {
		return p
	}
	calls, known := t.submission.countCalls()
	summary := scriptSummary{trace.EventCount, calls, trace.ErrorCount, trace.LLMCalls, maps.Clone(trace.ToolDurations)}
	if known {
		summary.ErrorCount = cmp.Or(trace.ErrorCount, new(0))
	}
	if known && calls == nil {
		summary.ToolCalls = map[string]int{}
	}
	for _, call := range t.submission.toolCalls() {
		if call.DurationMS != nil && trace.ToolDurations == nil {
			if summary.ToolDurations == nil {
				summary.ToolDurations = map[string][]float64{}
			}
			summary.ToolDurations[call.Tool] = append(summary.ToolDurations[call.Tool], *call.DurationMS)
		}
	}
	p.TraceSummary = &summary
	p.Trace = &scriptTrace{summary, p.Messages, traceEvents(p.Messages), trace.TokenUsage, trace.CostUSD, trace.DurationMS, map[string]string{"eval_case_id": t.evalCase.ID}}
	return p
}

// transcript returns the messages of the conversation: those of the target, after what it was asked unless
// they hold that, too.
func (t task) transcript(asked []rubric.Message) []rubric.Message {
	messages := t.submission.Messages
	if len(messages) == 0 {
		answer := rubric.Message{Role: "assistant", Content: t.submission.Answer}
		if len(t.submission.ToolCalls) > 0 {
			answer.ToolCalls = t.submission.ToolCalls
		}
		messages = []rubric.Message{answer}
	}
	if !slices.ContainsFunc(messages, func(m rubric.Message) bool { return m.Role == "user" || m.Role == "system" }) {
		messages = slices.Concat(asked, messages)
	}
	return messages
}

// traceEvent is a step of a trace in the reference's form.
type traceEvent struct {
	ID         string          `json:"event_id"`
	Parent     string          `json:"parent_event_id,omitempty"`
	Ordinal    int             `json:"ordinal"`
	Type       string          `json:"type"`
	DurationMS *float64        `json:"duration_ms,omitempty"`
	Message    *rubric.Message `json:"message,omitempty"`
	Tool       *traceTool      `json:"tool,omitempty"`
	Metadata   tracePlace      `json:"metadata"`
}

type traceTool struct {
	Name   string `json:"name"`
	Input  any    `json:"input,omitempty"`
	Output any    `json:"output,omitempty"`
	Status string `json:"status"`
}

type tracePlace struct {
	Message int  `json:"message_index"`
	Tool    *int `json:"tool_index,omitempty"`
}

// traceEvents returns the steps of a conversation: its messages, its tool calls with their results, and the
// final answer.
func traceEvents(messages []rubric.Message) (events []traceEvent) {
	add := func(e traceEvent) {
		e.Ordinal = len(events)
		events = append(events, e)
	}
	var final traceEvent
	for i, m := range messages {
		calls := (Submission{Messages: []rubric.Message{m}}).toolCalls()
		m.ToolCalls = nil
		e := traceEvent{ID: fmt.Sprintf("message-%d", i), Type: "message", Message: &m, Metadata: tracePlace{Message: i}}
		add(e)
		if m.Role == "assistant" {
			final = e
			final.ID, final.Parent, final.Type = "final-response", e.ID, "final_response"
		}
		for n, call := range calls {
			tool := traceTool{call.Tool, call.Input, call.Output, cmp.Or(call.Status, "ok")}
			of := traceEvent{ID: fmt.Sprintf("%s-tool-%d", e.ID, n), Parent: e.ID, Type: "tool_call", DurationMS: call.DurationMS, Tool: &tool, Metadata: tracePlace{i, &n}}
			add(of)
			if call.Output != nil {
				add(traceEvent{ID: of.ID + "-result", Parent: of.ID, Type: "tool_result", Tool: &traceTool{Name: call.Tool, Output: call.Output, Status: tool.Status}, Metadata: of.Metadata})
			}
		}
	}
	if final.Type != "" {
		add(final)
	}
	return events
}

// encodeScriptInput returns the input with all keys in snake_case, also those of data, as programs of the
// reference read them.
func (t task) encodeScriptInput(config map[string]any) ([]byte, error) {
	encoded, err := encodeInput(t.newScriptInput(config))
	if err != nil {
		return nil, err
	}
	value, err := decodeJSON(string(encoded))
	if err != nil {
		return nil, err
	}
	return encodeInput(snakeKeys(value))
}

// snakeKeys returns a value with the keys of its objects in snake_case. Those that begin with a capital,
// such as the names of tools, stay.
func snakeKeys(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v)) // an empty list is not null
		for i, item := range v {
			out[i] = snakeKeys(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[snakeCase(key)] = snakeKeys(item)
		}
		return out
	}
	return value
}

func snakeCase(key string) string {
	var name []byte
	for i, c := range []byte(key) {
		if 'A' <= c && c <= 'Z' {
			if i == 0 {
				return key
			}
			name, c = append(name, '_'), c+'a'-'A'
		}
		name = append(name, c)
	}
	return string(name)
}
