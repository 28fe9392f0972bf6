package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// olderCases reads a list of conversations with names, or one conversation as a
// list of turns, which only ADK's own test runner reads.
func (r *reader) olderCases(root *yaml.Node, turns bool) []Case {
	if turns {
		r.misfits(Refusals(r.profile, TurnsFile, root))
		return []Case{olderCase(root, root)}
	}
	r.misfits(Refusals(r.profile, OlderFile, root))
	var cases []Case
	for _, item := range root.List() {
		if !item.Get("data").IsSeq() || item.Get("name") == nil {
			continue
		}
		c := olderCase(item, item.Get("data"))
		c.IDNode = item.Get("name")
		c.ID, c.App = str(c.IDNode), str(item.Get("initial_session").Get("app_name"))
		cases = append(cases, c)
	}
	return cases
}

func olderCase(n, data *yaml.Node) Case {
	c := Case{Node: n, Turns: data.List(), Conversation: []metric.Invocation{}}
	for _, t := range c.Turns {
		c.Conversation = append(c.Conversation, olderTurn(t))
	}
	return c
}

func olderTurn(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{User: saying("user", n.Get("query")), Final: saying("model", n.Get("reference"))}
	for _, use := range n.Get("expected_tool_use").List() {
		i.ToolUses = append(i.ToolUses, metric.ToolCall{Name: str(use.Get("tool_name")), Args: object(use.Get("tool_input"))})
	}
	for _, said := range n.Get("expected_intermediate_agent_responses").List() {
		i.Said = append(i.Said, metric.Event{Author: str(said.Get("author")), Content: saying("", said.Get("text"))})
	}
	return i
}

func saying(role string, n *yaml.Node) *metric.Content {
	return &metric.Content{Role: role, Parts: []metric.Part{{Text: str(n)}}}
}
