package v4

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

var messageRoles = []string{"system", "user", "assistant", "tool"}

// readMessages reads a conversation: a text is what the user says, a list is
// messages, of which those that are none are left out, as ok then says.
func readMessages(value any) (all []rubric.Message, ok bool) {
	switch v := value.(type) {
	case string:
		return []rubric.Message{{Role: "user", Content: v}}, true
	case []any:
		ok = true
		for _, item := range v {
			m, isMessage := readMessage(item)
			if ok = ok && isMessage; isMessage {
				all = append(all, m)
			}
		}
		return all, ok
	case map[string]any:
		if m, isMessage := readMessage(v); isMessage {
			return []rubric.Message{m}, true
		}
		return []rubric.Message{{Role: "user", Content: v}}, true
	}
	return nil, value == nil
}

func readMessage(value any) (m rubric.Message, ok bool) {
	fields, _ := value.(map[string]any)
	m.Role, _ = fields["role"].(string)
	m.Name, _ = fields["name"].(string)
	m.Content, m.ToolCalls = fields["content"], fields["tool_calls"]
	calls, _ := m.ToolCalls.([]any)
	switch m.Content.(type) {
	case string, []any, map[string]any:
		return m, slices.Contains(messageRoles, m.Role)
	}
	return m, slices.Contains(messageRoles, m.Role) && len(calls) > 0
}
