package convert

import (
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// maxCallsPerTool is how often one tool may have to be called at most, so that no number in a
// file makes a list of any length.
const maxCallsPerTool = 100

// convertTurns are a case's messages as turns, of which the last is to be answered; never
// empty.
func (w *adkWriter) convertTurns(c *rubric.Case) []metric.Invocation {
	var turns []metric.Invocation
	var instructions []string
	for _, m := range c.Input {
		text := w.messageText(c, m)
		switch m.Role {
		case "system":
			instructions = append(instructions, text)
		case "assistant":
			if len(turns) == 0 {
				turns = append(turns, metric.Invocation{User: newContent("user", "")})
			}
			last := &turns[len(turns)-1]
			last.ToolUses = append(last.ToolUses, toolCalls(m)...)
			if text != "" {
				last.Final = newContent("model", text)
			}
		case "tool":
			w.addLoss(c.ID, "what a tool returned before is no part of an expected conversation")
		default:
			if n := len(turns); n > 0 && turns[n-1].Final == nil {
				turns[n-1].User.Parts = append(turns[n-1].User.Parts, metric.Part{Text: text})
				continue
			}
			turns = append(turns, metric.Invocation{User: newContent("user", text)})
		}
	}
	if len(turns) == 0 {
		turns = []metric.Invocation{{User: newContent("user", c.Question)}}
	}
	if len(turns) > 1 {
		w.addLoss(c.ID, "the turns before the last are measured too")
	}
	last := &turns[len(turns)-1]
	if c.ReferenceAnswer != "" {
		last.Final = newContent("model", c.ReferenceAnswer)
	}
	for _, m := range c.Expected {
		last.ToolUses = append(last.ToolUses, toolCalls(m)...)
	}
	for i := range turns {
		if len(instructions) > 0 {
			turns[i].Agents = []metric.Agent{{Name: "agent", Instructions: strings.Join(instructions, "\n\n")}}
		}
	}
	if len(c.Input) == 0 {
		w.addLoss(c.ID, "the case asks nothing that could be read")
	}
	return turns
}

// messageText is what can be seen of a message. All else is lost.
func (w *adkWriter) messageText(c *rubric.Case, m rubric.Message) string {
	parts, _ := m.Content.([]any)
	for _, part := range parts {
		if p, ok := part.(map[string]any); ok && p["type"] != "text" {
			w.addLoss(c.ID, "messages have no parts of the type `%v`", p["type"])
		}
	}
	return agentv.QuestionText([]rubric.Message{m})
}

func newContent(role, text string) *metric.Content {
	return &metric.Content{Role: role, Parts: []metric.Part{{Text: text}}}
}

// toolCalls are a message's tool calls.
func toolCalls(m rubric.Message) (all []metric.ToolCall) {
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

// addTrajectory writes the expected calls to the last turn, in the place of those of
// the expected messages.
func (w *adkWriter) addTrajectory(c *rubric.Case, from *rubric.Trajectory, last *metric.Invocation) {
	rule := callRule{match: map[string]metric.Match{
		"exact": metric.Exact, "in_order": metric.InOrder, "any_order": metric.AnyOrder, "superset": metric.AnyOrder,
	}[from.Mode]}
	if from.Mode == "subset" {
		w.addLoss(c.ID, "calls cannot be limited to those that are expected")
		return
	}
	last.ToolUses = nil
	for _, m := range from.Minimums {
		rule.namesOnly = true
		if m.Count > maxCallsPerTool {
			w.addLoss(c.ID, "a tool is expected at most %d times", maxCallsPerTool)
		}
		for range int(math.Ceil(min(m.Count, maxCallsPerTool))) {
			last.ToolUses = append(last.ToolUses, metric.ToolCall{Name: m.Tool})
		}
	}
	for _, s := range from.Expected {
		last.ToolUses = append(last.ToolUses, metric.ToolCall{Name: s.Tool, Args: s.Args})
		switch {
		case s.Args == nil, s.ArgsMatch == rubric.ArgsIgnore:
			rule.namesOnly = true
		case s.ArgsMatch != rubric.ArgsExact:
			w.addLoss(c.ID, "a call has all its arguments or none: those that are not named may not be there")
		}
		if s.MaxDurationMS != nil {
			w.addLoss(c.ID, "calls have no time limits")
		}
	}
	if rule.namesOnly {
		w.addLoss("", "where a case names tools without arguments, no case's arguments are compared")
	}
	w.callRules = append(w.callRules, rule)
}
