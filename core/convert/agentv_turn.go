package convert

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// inputMessages is what a turn is asked, after what its agents were told and what was said
// before it.
func (w *agentvWriter) inputMessages(c adk.Case, at int) (messages []mapping) {
	for _, a := range c.Conversation[at].Agents {
		if a.Instructions != "" {
			messages = append(messages, newMessage("system", a.Instructions))
		}
		if len(a.Tools) > 0 {
			w.addLoss(c.ID, "the tools of an agent are not declared")
		}
	}
	for _, t := range c.Conversation[:at] {
		messages = append(messages, textMessages("user", t.User)...)
		messages = append(messages, textMessages("assistant", t.Final)...)
	}
	if last := textMessages("user", c.Conversation[at].User); len(last) > 0 {
		return append(messages, last...)
	}
	return append(messages, newMessage("user", "(nothing)"))
}

// expectedMessages is what is expected of a turn: its tool calls, and what is said.
func expectedMessages(turn metric.Invocation) (messages []mapping) {
	if calls := turn.Calls(); len(calls) > 0 {
		var list []mapping
		for _, c := range calls {
			list = append(list, toolCallEntry(c, "input"))
		}
		messages = append(messages, mapping{{"role", "assistant"}, {"tool_calls", list}})
	}
	return append(messages, textMessages("assistant", turn.Final)...)
}

// toolCallEntry is a call of a tool, with its arguments under a key.
func toolCallEntry(c metric.ToolCall, key string) mapping {
	m := mapping{{"tool", c.Name}}
	if c.Args != nil {
		m = append(m, entry{key, c.Args})
	}
	return m
}

func textMessages(role string, c *metric.Content) []mapping {
	text, _ := c.Text()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []mapping{newMessage(role, text)}
}

func newMessage(role, text string) mapping { return mapping{{"role", role}, {"content", text}} }

// graderEntries are the metrics that AgentV has a grader for.
func (w *agentvWriter) graderEntries(id string, turn metric.Invocation) (all []mapping) {
	c, asked := w.criteria[metric.ToolTrajectory]
	switch calls := turn.Calls(); {
	case asked && len(calls) > 0:
		all = append(all, trajectoryGrader(c, calls))
	case asked && c.Match == metric.Exact:
		w.addLoss(id, "that no tool is to be called cannot be said")
	}
	if _, asked := w.criteria[metric.FinalResponseMatch]; asked {
		all = append(all, mapping{{"name", metric.FinalResponseMatch}, {"type", "llm_judge"}})
	}
	if _, asked := w.criteria[metric.Safety]; asked {
		var harms []mapping
		for _, r := range metric.SafetyRubrics() {
			harms = append(harms, mapping{{"id", r.ID}, {"expected_outcome", r.Text}, {"required", true}})
		}
		all = append(all, mapping{{"name", metric.Safety}, {"type", "llm_judge"}, {"rubrics", harms}})
	}
	return all
}

// trajectoryGrader compares tool calls as near to ADK as AgentV can.
func trajectoryGrader(c metric.Criterion, calls []metric.ToolCall) mapping {
	m := mapping{{"name", metric.ToolTrajectory}, {"type", "tool_trajectory"}}
	if c.Match == metric.AnyOrder {
		counts := map[string]int{}
		for _, call := range calls {
			counts[call.Name]++
		}
		return append(m, entry{"mode", "any_order"}, entry{"minimums", counts})
	}
	mode := "exact"
	if c.Match == metric.InOrder {
		mode = "in_order"
	}
	m = append(m, entry{"mode", mode})
	var steps []mapping
	for _, call := range calls {
		if c.IgnoreArgs {
			call.Args = nil
		}
		steps = append(steps, toolCallEntry(call, "args"))
	}
	return append(m, entry{"expected", steps})
}
