package metric

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
)

// Informational is what an agent took for a conversation: ADK's informational metrics of version 2.10,
// which every run reports and which neither pass nor fail. The figures are means per turn, as in ADK's
// _efficiency_evaluators.py.
type Informational struct {
	Figures
	Turns []Figures `json:"invocations"`
}

// Figures are what the agent took for one turn, under the names of ADK's metrics. A figure that the
// recording does not have is nil.
type Figures struct {
	ToolCalls      *float64    `json:"tool_call_count_v1,omitempty"`
	InferenceCalls *float64    `json:"inference_call_count_v1,omitempty"` // of models
	Tokens         *TokenUsage `json:"token_usage_v1,omitempty"`
	Duration       *float64    `json:"invocation_duration_v1,omitempty"` // in seconds
}

// TokenUsage is the tokens of a turn. Total is the sum of Input and Output, Input that of Prompt and ToolUse,
// Output that of Candidates and Reasoning. Cached is a part of Prompt. A count that the agent's models
// did not report is nil.
type TokenUsage struct {
	Total      *float64 `json:"total_tokens,omitempty"`
	Input      *float64 `json:"input_tokens,omitempty"`
	Prompt     *float64 `json:"prompt_tokens,omitempty"`
	Cached     *float64 `json:"cached_tokens,omitempty"`
	ToolUse    *float64 `json:"tool_use_tokens,omitempty"`
	Output     *float64 `json:"output_tokens,omitempty"`
	Candidates *float64 `json:"candidates_tokens,omitempty"`
	Reasoning  *float64 `json:"reasoning_tokens,omitempty"`
}

// ModelCall is what a recording says of the model's call that made an event.
type ModelCall struct {
	Version string          // of the model; may be ""
	Usage   json.RawMessage // as it is recorded, or nil
	Tokens  TokenUsage      // of Usage; only the counts that models report
}

// Measure returns the figures of turns, or nil without any.
func Measure(turns []Invocation) *Informational {
	if len(turns) == 0 {
		return nil
	}
	all := &Informational{}
	for _, t := range turns {
		all.Turns = append(all.Turns, t.figures())
	}
	all.ToolCalls = meanReported(all.Turns, func(f Figures) *float64 { return f.ToolCalls })
	all.InferenceCalls = meanReported(all.Turns, func(f Figures) *float64 { return f.InferenceCalls })
	all.Duration = meanReported(all.Turns, func(f Figures) *float64 { return f.Duration })
	all.Tokens = meanTokens(all.Turns)
	return all
}

func (i Invocation) figures() Figures {
	calls := float64(len(i.Calls()))
	f := Figures{ToolCalls: &calls, Duration: i.Duration}
	if !i.HasEvents {
		return f
	}
	f.InferenceCalls = new(float64)
	var sum TokenUsage
	for _, e := range i.Events {
		if e.Model == nil {
			continue
		}
		*f.InferenceCalls++
		one := e.Model.Tokens
		one.Input, one.Output = generic.AddKnown(one.Prompt, one.ToolUse), generic.AddKnown(one.Candidates, one.Reasoning)
		sum.add(&one)
	}
	if sum.Total = generic.AddKnown(sum.Input, sum.Output); sum.Total != nil {
		f.Tokens = &sum
	}
	return f
}

// counts returns the places of all counts.
func (t *TokenUsage) counts() []**float64 {
	return []**float64{&t.Total, &t.Input, &t.Prompt, &t.Cached, &t.ToolUse, &t.Output, &t.Candidates, &t.Reasoning}
}

func (t *TokenUsage) add(other *TokenUsage) {
	for i, count := range other.counts() {
		total := t.counts()[i]
		*total = generic.AddKnown(*total, *count)
	}
}

// meanReported returns the mean of a figure over the turns that have it; nil if there are none.
func meanReported(turns []Figures, of func(Figures) *float64) *float64 {
	var sum *float64
	n := 0
	for _, t := range turns {
		if figure := of(t); figure != nil {
			sum = generic.AddKnown(sum, figure)
			n++
		}
	}
	return divide(sum, n)
}

// meanTokens returns the mean of each count over all turns. A turn that does not report a count that
// another one reports took none.
func meanTokens(turns []Figures) *TokenUsage {
	var mean TokenUsage
	for _, t := range turns {
		if t.Tokens != nil {
			mean.add(t.Tokens)
		}
	}
	if mean.Total == nil {
		return nil
	}
	for _, total := range mean.counts() {
		*total = divide(*total, len(turns))
	}
	return &mean
}

func divide(sum *float64, n int) *float64 {
	if sum == nil {
		return nil
	}
	return new(*sum / float64(n))
}

// PerTurn describes the means, as of several turns if there are several.
func (all *Informational) PerTurn() string {
	if len(all.Turns) == 1 {
		return all.String()
	}
	return all.String() + " per turn"
}

// String lists the figures that are known.
func (f Figures) String() string {
	var all []string
	add := func(value *float64, one, many string) {
		if value == nil {
			return
		}
		if *value == 1 {
			many = one
		}
		all = append(all, formatFigure(*value)+" "+many)
	}
	add(f.ToolCalls, "tool call", "tool calls")
	if f.InferenceCalls != nil && *f.InferenceCalls > 0 { // ADK counts 0 where a recording has no models' calls
		add(f.InferenceCalls, "model call", "model calls")
	}
	if t := f.Tokens; t != nil {
		add(t.Total, "token", "tokens")
		all[len(all)-1] += " (" + formatCount(t.Input) + " in, " + formatCount(t.Output) + " out)"
	}
	if f.Duration != nil {
		all = append(all, fmt.Sprintf("%.2f s", *f.Duration))
	}
	return strings.Join(all, ", ")
}

func formatFigure(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}

func formatCount(v *float64) string {
	if v == nil {
		return "n/a"
	}
	return formatFigure(*v)
}
