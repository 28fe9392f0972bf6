package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// roles are the ones that the loader keeps.
var roles = []string{"system", "user", "assistant", "tool"}

// input is what the target is asked. `input_messages` wins over `input` even
// when it is no list, and the case then has no messages. The shorthand `input`
// may be a text, which is one user message.
func (l *lowering) input(n *yaml.Node) []rubric.Message {
	if canonical := n.Get("input_messages"); canonical != nil {
		return l.messages(canonical)
	}
	short := n.Get("input")
	if text, ok := short.Str(); ok {
		return []rubric.Message{{Role: "user", Content: text}}
	}
	return l.messages(short)
}

// expected is what a good answer looks like, by the same precedence.
func (l *lowering) expected(n *yaml.Node) []rubric.Message {
	if canonical := n.Get("expected_messages"); canonical != nil {
		return l.messages(canonical)
	}
	return l.answer(n.Get("expected_output"))
}

// answer expands the shorthand `expected_output`: a list of messages stays
// one, and a text, an object or any other list is one assistant message.
func (l *losses) answer(n *yaml.Node) []rubric.Message {
	n = n.Follow()
	switch {
	case n.IsNull():
		return nil
	case n.IsSeq() && slices.ContainsFunc(n.List(), isMessage):
		return l.messages(n)
	case n.IsSeq() || n.IsMap() && !isMessage(n):
		return []rubric.Message{{Role: "assistant", Content: n.Any()}}
	case n.IsMap():
		return []rubric.Message{message(n)}
	}
	if text, ok := n.Str(); ok {
		return []rubric.Message{{Role: "assistant", Content: text}}
	}
	return nil
}

func (l *losses) messages(n *yaml.Node) []rubric.Message {
	var out []rubric.Message
	for _, item := range n.List() {
		if !isMessage(item) {
			l.add(MessageInvalid, rubric.Silent, item, "")
			continue
		}
		out = append(out, message(item))
	}
	return out
}

// isMessage reports whether the loader takes n for a message: a known role, and
// content that is a text, parts or data, or tool calls instead.
func isMessage(n *yaml.Node) bool {
	role, ok := n.Get("role").Str()
	if !ok || !slices.Contains(roles, role) {
		return false
	}
	content := n.Get("content")
	if _, ok := content.Str(); ok || content.IsMap() {
		return true
	}
	if content.IsSeq() {
		return !slices.ContainsFunc(content.List(), func(part *yaml.Node) bool {
			_, text := part.Str()
			return !text && !part.IsMap()
		})
	}
	return content.IsNull() && len(n.Get("tool_calls").List()) > 0
}

func message(n *yaml.Node) rubric.Message {
	m := rubric.Message{}
	m.Role, _ = n.Get("role").Str()
	m.Name, _ = n.Get("name").Str()
	m.Content = n.Get("content").Any()
	m.ToolCalls = n.Get("tool_calls").Any()
	return m
}

// question is the visible text of a conversation.
func question(messages []rubric.Message) string {
	var parts []string
	for _, m := range messages {
		parts = append(parts, visible(m.Content)...)
	}
	return strings.Join(parts, " ")
}

// visible is the text parts of a message's content. The text of a referenced
// file is the host's to read and is not in it.
func visible(content any) []string {
	switch c := content.(type) {
	case string:
		if t := strings.TrimSpace(c); t != "" {
			return []string{t}
		}
	case []any:
		var parts []string
		for _, part := range c {
			switch p := part.(type) {
			case string:
				parts = append(parts, visible(p)...)
			case map[string]any:
				if p["type"] == "text" {
					parts = append(parts, visible(p["value"])...)
				}
			}
		}
		return parts
	}
	return nil
}

// reference is the last expected message's text: a text as it is, text parts
// together, data as JSON in the order in which it was written, and tool calls,
// if that is all there is, as JSON too.
func reference(n *yaml.Node) string {
	list := n.Get("expected_messages")
	if list == nil {
		list = n.Get("expected_output")
	}
	list = list.Follow()
	if list.IsNull() {
		return ""
	}
	last := list
	if messages := slices.DeleteFunc(slices.Clone(list.List()), func(m *yaml.Node) bool { return !isMessage(m) }); len(messages) > 0 {
		last = messages[len(messages)-1]
	}
	if isMessage(last) {
		if content := last.Get("content"); !content.IsNull() {
			last = content
		} else {
			last = last.Get("tool_calls")
		}
	}
	if text, ok := last.Str(); ok {
		return text
	}
	if parts := visible(last.Any()); last.IsSeq() && len(parts) == len(last.List()) {
		return strings.Join(parts, "\n")
	}
	return yaml.JSON(last, "  ")
}
