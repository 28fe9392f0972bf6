package seed

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// MessageRoles are the roles that loaders accept.
var MessageRoles = []string{"system", "user", "assistant", "tool"}

// readConversation sets the messages for the target and the expected ones. `input_messages` takes precedence
// over `input` even if it is not a list; the case then has no messages. So does `expected_messages`. The
// shorthand `input` may be a string, which becomes one user message.
func (l *Loader) readConversation(c *rubric.Case, n *yaml.Node) {
	short := n.Get("input")
	if canonical := n.Get("input_messages"); canonical != nil {
		c.Input = l.readMessages(canonical.List())
	} else if text, ok := short.Str(); ok {
		c.Input = []rubric.Message{{Role: "user", Content: text}}
	} else {
		c.Input = l.readMessages(short.List())
	}
	if canonical := n.Get("expected_messages"); canonical != nil {
		c.Expected = l.readMessages(canonical.List())
	} else {
		c.Expected = l.readAnswer(n.Get("expected_output"))
	}
}

// readAnswer expands the shorthand `expected_output`. A mapping with a role is a message, and a
// list whose first item has a role is a list of messages. Any other string, mapping or list
// becomes the content of one assistant message.
func (l *Loader) readAnswer(n *yaml.Node) []rubric.Message {
	n = n.Follow()
	_, isText := n.Str()
	switch {
	case n.IsNull():
		return nil
	case n.IsMap() && n.Get("role") != nil:
		return l.readMessages([]*yaml.Node{n})
	case n.IsSeq() && isMessageList(n):
		return l.readMessages(n.List())
	case isText || n.IsMap() || n.IsSeq():
		return []rubric.Message{{Role: "assistant", Content: n.Any()}}
	}
	return nil
}

// ReadExpectedOutput reads the shorthand `expected_output` and ignores invalid messages.
func ReadExpectedOutput(n *yaml.Node) []rubric.Message { return (&Loader{}).readAnswer(n) }

// isMessageList reports whether the first item of a list has a role.
func isMessageList(n *yaml.Node) bool {
	items := n.List()
	return len(items) > 0 && items[0].Get("role") != nil
}

func (l *Loader) readMessages(items []*yaml.Node) (messages []rubric.Message) {
	for _, item := range items {
		if !isMessage(item) {
			l.AddLoss(agentv.MessageInvalid, rubric.Silent, item, "")
			continue
		}
		content := item.Get("content")
		messages = append(messages, rubric.Message{
			Role: item.Get("role").Text(), Name: item.Get("name").Text(),
			Content: content.Any(), Parts: DataParts(content), ToolCalls: item.Get("tool_calls").Any(),
		})
	}
	return messages
}

// isMessage reports whether the loader accepts n as a message. It needs a known role. It also
// needs tool calls, or content that is a string, a mapping or a list of mappings.
func isMessage(n *yaml.Node) bool {
	if !slices.Contains(MessageRoles, n.Get("role").Text()) {
		return false
	}
	content := n.Get("content")
	if _, isText := content.Str(); isText || content.IsMap() || len(n.Get("tool_calls").List()) > 0 {
		return true
	}
	return content.IsSeq() && !slices.ContainsFunc(content.List(), func(part *yaml.Node) bool { return !part.IsMap() })
}

// DataParts returns content that is a mapping as JSON with its keys in source order, or nil.
func DataParts(content *yaml.Node) []rubric.Part {
	if content = content.Follow(); !content.IsMap() {
		return nil
	}
	return []rubric.Part{{Text: yaml.EncodeJSON(content, "  ")}}
}

// ReferenceAnswer returns the text of the last expected message. A string stays as it is. Text
// parts are joined. Data becomes JSON in source order, and so do tool calls if the message has
// no content.
func ReferenceAnswer(n *yaml.Node) string {
	list := cmp.Or(n.Get("expected_messages"), n.Get("expected_output")).Follow()
	if list.IsNull() {
		return ""
	}
	last := list
	if short := n.Get("expected_messages") == nil; list.IsSeq() && (!short || isMessageList(list)) {
		messages := list.List()
		for len(messages) > 0 && !isMessage(messages[len(messages)-1]) {
			messages = messages[:len(messages)-1]
		}
		if len(messages) == 0 {
			return ""
		}
		last = messages[len(messages)-1]
	}
	if last.Get("role") != nil {
		if !isMessage(last) {
			return ""
		}
		if content := last.Get("content"); !content.IsNull() {
			last = content
		} else {
			last = last.Get("tool_calls")
		}
	}
	if text, ok := last.Str(); ok {
		return text
	}
	if !last.IsMap() && !last.IsSeq() {
		return ""
	}
	if last.IsSeq() {
		var texts []string
		for _, p := range rubric.NewParts(last.Any()) {
			if !p.IsFile() {
				texts = append(texts, strings.TrimSpace(p.Text))
			}
		}
		if len(texts) == len(last.List()) {
			return strings.Join(texts, "\n")
		}
	}
	return yaml.EncodeJSON(last, "  ")
}
