package grade

import (
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Submission is an answer to grade, with what is known about its origin.
type Submission struct {
	Answer         string           `json:"candidate_answer"`
	Messages       []rubric.Message `json:"output_messages,omitempty"`
	ToolCalls      []ToolCall       `json:"tool_calls,omitempty"` // in order; empty: taken from Messages
	Trace          *Trace           `json:"trace_summary,omitempty"`
	GuidelineFiles []string         `json:"guideline_files,omitempty"`
	InputFiles     []string         `json:"input_files,omitempty"`
	Origin         Origin           `json:"-"`
	AnsweredBy     string           `json:"-"` // the fallback that answered in the place of the target
	Shared         bool             `json:"-"` // it was given for another judge, whose record has its cost
}

// Origin says where an answer is from, and so what can be known about it.
type Origin int

const (
	FromTarget    Origin = iota // given by a target during the run
	FromRecording               // its duration is that of the recording
	FromFile                    // the file's own expected output: nothing was run
)

func (o Origin) describeMissing() string {
	switch o {
	case FromFile:
		return "the answer is the file's own expected output, not a target's"
	case FromRecording:
		return "the recording does not hold it"
	}
	return "the target does not report it"
}

// ToolCall is one tool call of a target.
type ToolCall struct {
	Tool       string   `json:"tool"`
	Input      any      `json:"input,omitempty"`
	Output     any      `json:"output,omitempty"`
	DurationMS *float64 `json:"duration_ms,omitempty"`
	Status     string   `json:"status,omitempty"` // "" or "ok", "unknown", or how the call failed
}

// Trace summarizes a target's run. A nil value is unknown, not zero.
type Trace struct {
	EventCount      *int                 `json:"event_count,omitempty"` // tool calls
	ToolNames       []string             `json:"tool_names,omitempty"`
	ToolCallsByName map[string]int       `json:"tool_calls_by_name,omitempty"`
	ErrorCount      *int                 `json:"error_count,omitempty"`
	TokenUsage      *Tokens              `json:"token_usage,omitempty"`
	CostUSD         *float64             `json:"cost_usd,omitempty"`
	DurationMS      *float64             `json:"duration_ms,omitempty"`
	LLMCalls        *int                 `json:"llm_calls,omitempty"`
	ToolDurations   map[string][]float64 `json:"tool_durations,omitempty"` // milliseconds
}

// Tokens counts the tokens that a target's model read and wrote.
type Tokens struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
	Cached float64 `json:"cached,omitempty"`
}

// UnmarshalJSON reads the counts of a file or a target. It refuses what lacks one, such as the names of
// another tool: it would count as 0.
func (t *Tokens) UnmarshalJSON(body []byte) error {
	var read struct{ Input, Output, Cached *float64 }
	if err := json.Unmarshal(body, &read); err != nil {
		return err
	}
	if read.Input == nil || read.Output == nil {
		return errors.New("token usage needs `input` and `output`")
	}
	*t = Tokens{*read.Input, *read.Output, generic.OrZero(read.Cached)}
	return nil
}

// Summary returns the trace with the numbers of calls that the submission shows: the messages of a
// target are all that it did, so that no tool call in them means none. The reference takes a target
// that gives only text for one that asked a model once and called no tool.
func (s Submission) Summary(profile score.Profile) *Trace {
	onlyText := len(s.Messages) == 0 && len(s.ToolCalls) == 0
	if s.Origin == FromFile || onlyText && (s.Origin != FromTarget || !profile.IsReference()) {
		return s.Trace
	}
	t := generic.OrZero(s.Trace)
	if calls := s.toolCalls(); t.EventCount == nil && t.ToolCallsByName == nil {
		n := len(calls)
		t.EventCount = &n
		t.ToolCallsByName, _ = s.countCalls()
	}
	if (onlyText || len(s.Messages) > 0) && t.LLMCalls == nil && profile != score.AgentV {
		n := 0
		for _, m := range s.Messages {
			if m.Role == "assistant" {
				n++
			}
		}
		if onlyText {
			n = 1
		}
		t.LLMCalls = &n
	}
	return &t
}

// toolCalls returns the tool calls, from wherever the submission has them.
func (s Submission) toolCalls() []ToolCall {
	if len(s.ToolCalls) > 0 {
		return s.ToolCalls
	}
	var all []ToolCall
	for _, m := range s.Messages {
		if m.ToolCalls == nil {
			continue
		}
		// Messages may hold anything that a file or a target wrote.
		var calls []ToolCall
		if raw, err := json.Marshal(m.ToolCalls); err == nil && json.Unmarshal(raw, &calls) == nil {
			all = append(all, calls...)
		}
	}
	return all
}

// countCalls counts the calls by tool. It is false if their tools are not known.
func (s Submission) countCalls() (map[string]int, bool) {
	if calls := s.toolCalls(); len(calls) > 0 {
		counts := map[string]int{}
		for _, c := range calls {
			counts[c.Tool]++
		}
		return counts, counts[""] == 0
	}
	if s.Trace == nil {
		return nil, false
	}
	// A bare number of calls does not say which tools, unless it is 0.
	none := s.Trace.EventCount != nil && *s.Trace.EventCount == 0
	return s.Trace.ToolCallsByName, none || s.Trace.ToolCallsByName != nil
}
