package provider

import (
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// conversation returns the question's messages, or its system and user prompts as messages.
func conversation(m Model, q judge.Question) []judge.Message {
	if len(q.Messages) > 0 {
		return q.Messages
	}
	user := judge.Message{Role: "user", Text: q.User}
	if system := m.system(q); system != "" {
		return []judge.Message{{Role: "system", Text: system}, user}
	}
	return []judge.Message{user}
}

// turn is a sequence of messages of one side. Tool results belong to the user's side.
type turn struct {
	role     string // user or assistant
	messages []judge.Message
}

// turns returns the conversation for APIs that take the system prompt apart and want the sides to
// alternate, the user first. Later system messages, and what the assistant says first, become
// marked texts of the user.
func turns(m Model, q judge.Question) (system string, sides []turn) {
	rest := conversation(m, q)
	var prompts []string
	for len(rest) > 1 && rest[0].Role == "system" {
		prompts, rest = append(prompts, rest[0].Text), rest[1:]
	}
	for i, message := range rest {
		side := "user"
		switch {
		case message.Role == "assistant" && i > 0, len(message.Calls) > 0:
			side = "assistant"
		case message.Role == "assistant":
			message = judge.Message{Role: "user", Text: "@[Assistant]:\n" + message.Text}
		case message.Role == "system" && len(q.Messages) > 1:
			message = judge.Message{Role: "user", Text: "@[System]:\n" + message.Text}
		}
		if n := len(sides); n == 0 || sides[n-1].role != side {
			sides = append(sides, turn{role: side})
		}
		last := &sides[len(sides)-1]
		last.messages = append(last.messages, message)
	}
	return strings.Join(prompts, "\n\n"), sides
}

// calledTools returns the names of the tools that the conversation calls, without duplicates.
func calledTools(messages []judge.Message) (names []string) {
	seen := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			if !seen[c.Tool] {
				seen[c.Tool], names = true, append(names, c.Tool)
			}
		}
	}
	return names
}
