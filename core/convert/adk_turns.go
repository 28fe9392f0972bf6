package convert

import (
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// most is how often one tool may have to be called at most, so that no number in a
// file makes a list of any length.
const most = 100

// turns are a case's messages as turns, of which the last is to be answered; never
// empty.
func (w *toADK) turns(c *rubric.Case) []metric.Invocation {
	var turns []metric.Invocation
	var told []string
	for _, m := range c.Input {
		text := w.text(c, m)
		switch m.Role {
		case "system":
			told = append(told, text)
		case "assistant":
			if len(turns) == 0 {
				turns = append(turns, metric.Invocation{User: content("user", "")})
			}
			last := &turns[len(turns)-1]
			last.ToolUses = append(last.ToolUses, calls(m)...)
			if text != "" {
				last.Final = content("model", text)
			}
		case "tool":
			w.lose(c.ID, "what a tool returned before is no part of an expected conversation")
		default:
			if n := len(turns); n > 0 && turns[n-1].Final == nil {
				turns[n-1].User.Parts = append(turns[n-1].User.Parts, metric.Part{Text: text})
				continue
			}
			turns = append(turns, metric.Invocation{User: content("user", text)})
		}
	}
	if len(turns) == 0 {
		turns = []metric.Invocation{{User: content("user", c.Question)}}
	}
	if len(turns) > 1 {
		w.lose(c.ID, "the turns before the last are measured too")
	}
	last := &turns[len(turns)-1]
	if c.ReferenceAnswer != "" {
		last.Final = content("model", c.ReferenceAnswer)
	}
	for _, m := range c.Expected {
		last.ToolUses = append(last.ToolUses, calls(m)...)
	}
	for i := range turns {
		if len(told) > 0 {
			turns[i].Agents = []metric.Agent{{Name: "agent", Instructions: strings.Join(told, "\n\n")}}
		}
	}
	if len(c.Input) == 0 {
		w.lose(c.ID, "the case asks nothing that could be read")
	}
	return turns
}

// text is what can be seen of a message. All else is lost.
func (w *toADK) text(c *rubric.Case, m rubric.Message) string {
	parts, _ := m.Content.([]any)
	for _, part := range parts {
		if p, ok := part.(map[string]any); ok && p["type"] != "text" {
			w.lose(c.ID, "messages have no parts of the type `%v`", p["type"])
		}
	}
	return agentv.Question([]rubric.Message{m})
}

func content(role, text string) *metric.Content {
	return &metric.Content{Role: role, Parts: []metric.Part{{Text: text}}}
}

// calls are a message's tool calls.
func calls(m rubric.Message) (all []metric.ToolCall) {
	list, _ := m.ToolCalls.([]any)
	for _, item := range list {
		if c, ok := item.(map[string]any); ok {
			name, _ := c["tool"].(string)
			args, _ := c["input"].(map[string]any)
			all = append(all, metric.ToolCall{Name: name, Args: args})
		}
	}
	return all
}

// trajectory writes the expected calls to the last turn, in the place of those of
// the expected messages.
func (w *toADK) trajectory(c *rubric.Case, from *rubric.Trajectory, last *metric.Invocation) {
	rule := callRule{match: map[string]metric.Match{
		"exact": metric.Exact, "in_order": metric.InOrder, "any_order": metric.AnyOrder, "superset": metric.AnyOrder,
	}[from.Mode]}
	if from.Mode == "subset" {
		w.lose(c.ID, "calls cannot be limited to those that are expected")
		return
	}
	last.ToolUses = nil
	for _, m := range from.Minimums {
		rule.names = true
		if m.Count > most {
			w.lose(c.ID, "a tool is expected at most %d times", most)
		}
		for range int(math.Ceil(min(m.Count, most))) {
			last.ToolUses = append(last.ToolUses, metric.ToolCall{Name: m.Tool})
		}
	}
	for _, s := range from.Expected {
		last.ToolUses = append(last.ToolUses, metric.ToolCall{Name: s.Tool, Args: s.Args})
		switch {
		case s.Args == nil, s.ArgsMatch == rubric.ArgsIgnore:
			rule.names = true
		case s.ArgsMatch != rubric.ArgsExact:
			w.lose(c.ID, "a call has all its arguments or none: those that are not named may not be there")
		}
		if s.MaxDurationMS != nil {
			w.lose(c.ID, "calls have no time limits")
		}
	}
	if rule.names {
		w.lose("", "where a case names tools without arguments, no case's arguments are compared")
	}
	w.calls = append(w.calls, rule)
}
