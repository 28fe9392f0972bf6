package convert

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// input is what a turn is asked, after what its agents were told and what was said
// before it.
func (w *toAgentV) input(c adk.Case, at int) (messages []mapping) {
	for _, a := range c.Conversation[at].Agents {
		if a.Instructions != "" {
			messages = append(messages, message("system", a.Instructions))
		}
		if len(a.Tools) > 0 {
			w.lose(c.ID, "the tools of an agent are not declared")
		}
	}
	for _, t := range c.Conversation[:at] {
		messages = append(messages, said("user", t.User)...)
		messages = append(messages, said("assistant", t.Final)...)
	}
	if last := said("user", c.Conversation[at].User); len(last) > 0 {
		return append(messages, last...)
	}
	return append(messages, message("user", "(nothing)"))
}

// answer is what is expected of a turn: its tool calls, and what is said.
func answer(turn metric.Invocation) (messages []mapping) {
	if calls := turn.Calls(); len(calls) > 0 {
		var list []mapping
		for _, c := range calls {
			list = append(list, step(c, "input"))
		}
		messages = append(messages, mapping{{"role", "assistant"}, {"tool_calls", list}})
	}
	return append(messages, said("assistant", turn.Final)...)
}

// step is a call of a tool, with its arguments under a key.
func step(c metric.ToolCall, key string) mapping {
	m := mapping{{"tool", c.Name}}
	if c.Args != nil {
		m = append(m, entry{key, c.Args})
	}
	return m
}

func said(role string, c *metric.Content) []mapping {
	text, _ := c.Text()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []mapping{message(role, text)}
}

func message(role, text string) mapping { return mapping{{"role", role}, {"content", text}} }

// graders are the metrics that AgentV has a grader for.
func (w *toAgentV) graders(id string, turn metric.Invocation) (all []mapping) {
	c, asked := w.by[metric.ToolTrajectory]
	switch calls := turn.Calls(); {
	case asked && len(calls) > 0:
		all = append(all, trajectory(c, calls))
	case asked && c.Match == metric.Exact:
		w.lose(id, "that no tool is to be called cannot be said")
	}
	if _, asked := w.by[metric.FinalResponseMatch]; asked {
		all = append(all, mapping{{"name", metric.FinalResponseMatch}, {"type", "llm_judge"}})
	}
	if _, asked := w.by[metric.Safety]; asked {
		var harms []mapping
		for _, r := range metric.Harms() {
			harms = append(harms, mapping{{"id", r.ID}, {"expected_outcome", r.Text}, {"required", true}})
		}
		all = append(all, mapping{{"name", metric.Safety}, {"type", "llm_judge"}, {"rubrics", harms}})
	}
	return all
}

// trajectory compares tool calls as near to ADK as AgentV can.
func trajectory(c metric.Criterion, calls []metric.ToolCall) mapping {
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
		steps = append(steps, step(call, "args"))
	}
	return append(m, entry{"expected", steps})
}
