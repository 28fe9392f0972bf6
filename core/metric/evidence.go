package metric

import "strings"

// Evidence is what a judge may hold claims of the turn against: what its agents
// were told, what the user said, the tools there were, and what happened in its
// first events. Calls that are written down as plain lists come after those.
func (i Invocation) Evidence(events int) string {
	parts := []string{
		"Developer instructions:\n" + instructionsOf(i.Agents),
		"User prompt:\n" + i.asked(),
		"Tool definitions:\n" + toolDeclarations(i.Agents),
	}
	for _, e := range i.Events[:events] {
		calls, responses := e.Content.tools()
		parts = append(parts, happened(e.Content.texts(), calls, responses)...)
	}
	if len(i.Events) == 0 {
		parts = append(parts, happened(nil, i.ToolUses, i.ToolResponses)...)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

func happened(texts []string, calls []ToolCall, responses []ToolResponse) []string {
	var parts []string
	if len(texts) > 0 {
		parts = append(parts, strings.Join(texts, "\n"))
	}
	if len(calls) > 0 {
		parts = append(parts, "tool_calls:\n"+pretty(calls))
	}
	if len(responses) > 0 {
		parts = append(parts, "tool_outputs:\n"+pretty(responses))
	}
	return parts
}
