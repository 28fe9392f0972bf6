package grade

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode"

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
	Events     []map[string]any  `json:"events"`
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

// traceEvents returns the steps of a conversation in the reference's form: its messages, its tool calls
// with their results, and the final answer.
func traceEvents(messages []rubric.Message) (events []map[string]any) {
	add := func(id, kind, key string, value any, at map[string]int) {
		events = append(events, map[string]any{"event_id": id, "ordinal": len(events), "type": kind, key: value, "metadata": at})
	}
	final := map[string]any{}
	for i, m := range messages {
		id, at := fmt.Sprintf("message-%d", i), map[string]int{"message_index": i}
		calls := (Submission{Messages: []rubric.Message{m}}).toolCalls()
		m.ToolCalls = nil
		add(id, "message", "message", m, at)
		if m.Role == "assistant" {
			final = map[string]any{"event_id": "final-response", "parent_event_id": id, "type": "final_response", "message": m, "metadata": at}
		}
		for n, call := range calls {
			at, callID := map[string]int{"message_index": i, "tool_index": n}, fmt.Sprintf("%s-tool-%d", id, n)
			tool := map[string]any{"name": call.Tool, "input": call.Input, "status": cmp.Or(call.Status, "ok")}
			add(callID, "tool_call", "tool", tool, at)
			events[len(events)-1]["parent_event_id"], events[len(events)-1]["duration_ms"] = id, call.DurationMS
			if call.Output != nil {
				tool["output"] = call.Output
				result := maps.Clone(tool)
				delete(result, "input")
				add(callID+"-result", "tool_result", "tool", result, at)
				events[len(events)-1]["parent_event_id"] = callID
			}
		}
	}
	if len(final) > 0 {
		final["ordinal"] = len(events)
		events = append(events, final)
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
	var value any
	d := json.NewDecoder(bytes.NewReader(encoded))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
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
			var name []rune
			for i, r := range key {
				if r <= unicode.MaxASCII && unicode.IsUpper(r) {
					if i == 0 {
						name = []rune(key)
						break
					}
					name, r = append(name, '_'), unicode.ToLower(r)
				}
				name = append(name, r)
			}
			out[string(name)] = snakeKeys(item)
		}
		return out
	}
	return value
}
