package metric

import "strings"

// Evidence is what a judge may hold claims of the turn against: what its agents
// were told, what the user said, the tools there were, and what happened in its
// first events. Calls that are written down as plain lists come after those.
func (i Invocation) Evidence(events int) string {
	parts := []string{
		"Developer instructions:\n" + allInstructions(i.Agents),
		"User prompt:\n" + i.userText(),
		"Tool definitions:\n" + toolDeclarations(i.Agents),
	}
	for _, e := range i.Events[:events] {
		calls, responses := e.Content.toolCalls()
		parts = append(parts, eventSections(e.Content.textParts(), calls, responses)...)
	}
	if len(i.Events) == 0 {
		parts = append(parts, eventSections(nil, i.ToolUses, i.ToolResponses)...)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

func eventSections(texts []string, calls []ToolCall, responses []ToolResponse) []string {
	var parts []string
	if len(texts) > 0 {
		parts = append(parts, strings.Join(texts, "\n"))
	}
	if len(calls) > 0 {
		parts = append(parts, "tool_calls:\n"+indentJSON(calls))
	}
	if len(responses) > 0 {
		parts = append(parts, "tool_outputs:\n"+indentJSON(responses))
	}
	return parts
}
