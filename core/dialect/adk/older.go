package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readOlderCases reads a list of conversations with names, or one conversation as a
// list of turns, which only ADK's own test runner reads.
func (r *reader) readOlderCases(root *yaml.Node, turns bool) []Case {
	if turns {
		r.addMisfits(Refusals(r.profile, TurnsFile, root))
		return []Case{readOlderCase(root, root)}
	}
	r.addMisfits(Refusals(r.profile, OlderFile, root))
	var cases []Case
	for _, item := range root.List() {
		if !item.Get("data").IsSeq() || item.Get("name") == nil {
			continue
		}
		c := readOlderCase(item, item.Get("data"))
		c.IDNode = item.Get("name")
		c.ID, c.App = stringOf(c.IDNode), stringOf(item.Get("initial_session").Get("app_name"))
		cases = append(cases, c)
	}
	return cases
}

func readOlderCase(n, data *yaml.Node) Case {
	c := Case{Node: n, Turns: data.List(), Conversation: []metric.Invocation{}}
	for _, t := range c.Turns {
		c.Conversation = append(c.Conversation, readOlderTurn(t))
	}
	return c
}

func readOlderTurn(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{User: newTextContent("user", n.Get("query")), Final: newTextContent("model", n.Get("reference"))}
	for _, use := range n.Get("expected_tool_use").List() {
		i.ToolUses = append(i.ToolUses, metric.ToolCall{Name: stringOf(use.Get("tool_name")), Args: readObject(use.Get("tool_input"))})
	}
	for _, response := range n.Get("expected_intermediate_agent_responses").List() {
		i.IntermediateResponses = append(i.IntermediateResponses, metric.Event{Author: stringOf(response.Get("author")), Content: newTextContent("", response.Get("text"))})
	}
	return i
}

func newTextContent(role string, n *yaml.Node) *metric.Content {
	return &metric.Content{Role: role, Parts: []metric.Part{{Text: stringOf(n)}}}
}
