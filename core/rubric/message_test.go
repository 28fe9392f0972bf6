package rubric_test

import (
	"encoding/json"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
)

func message(role string, content any) rubric.Message {
	return rubric.Message{Role: role, Content: content}
}

func textPart(text string) any { return map[string]any{"type": "text", "value": text} }

// TestConversationText checks the text of a conversation, with the texts of files and with their
// paths, and the text without roles.
func TestConversationText(t *testing.T) {
	file := rubric.Message{Role: "user", Content: "(parts)", Parts: []rubric.Part{
		{Text: "Read"}, {File: "a.md", Path: "/x/a.md", Named: "/x/a.md", Text: "\nthe text\n"}, {File: "gone.md"},
		{File: "empty.md", Path: "/x/empty.md", Named: "empty.md", Text: " "}, {File: "a.png", Path: "/x/a.png", Image: true},
	}}
	for _, c := range []struct {
		name               string
		messages           []rubric.Message
		text, named, plain string
	}{
		{"none", nil, "", "", ""},
		{"one message", []rubric.Message{message("user", " Hi\n")}, "Hi", "Hi", "Hi"},
		{"a system message alone", []rubric.Message{message("system", "S")}, "S", "S", "S"},
		{"parts", []rubric.Message{message("user", []any{textPart("A"), textPart(" "), "B", map[string]any{"type": "image", "value": "a.png"}, 5})}, "A\n\nB", "A\n\nB", "A B"},
		{"data", []rubric.Message{message("user", map[string]any{"a": []any{1, "<"}})}, "{\n  \"a\": [\n    1,\n    \"<\"\n  ]\n}", "{\n  \"a\": [\n    1,\n    \"<\"\n  ]\n}", "{\n  \"a\": [\n    1,\n    \"<\"\n  ]\n}"},
		{"two with one that is blank", []rubric.Message{message("system", " "), message("user", "Hi")}, "Hi", "Hi", "Hi"},
		{"roles", []rubric.Message{message("system", "S\n"), message("user", "U")}, "@[System]:\nS\n\n\n@[User]:\nU", "@[System]:\nS\n\n\n@[User]:\nU", "S U"},
		{"an answer alone", []rubric.Message{message("assistant", "A")}, "@[Assistant]:\nA", "@[Assistant]:\nA", "A"},
		{"calls have no text", []rubric.Message{message("user", "U"), {Role: "assistant", ToolCalls: []any{1}}, message("tool", "T")}, "@[User]:\nU\n\n@[Tool]:\nT", "@[User]:\nU\n\n@[Tool]:\nT", "U T"},
		{"files", []rubric.Message{file}, "Read\n\n<file path=\"a.md\">\nthe text\n</file>", "Read\n\n<file: path=\"/x/a.md\">\n\n<file: path=\"empty.md\">", "Read"},
		{"files among roles", []rubric.Message{message("system", "S"), file}, "@[System]:\nS\n\n@[User]:\nRead\n<file path=\"a.md\">\nthe text\n</file>",
			"@[System]:\nS\n\n@[User]:\nRead\n<file: path=\"/x/a.md\">\n<file: path=\"empty.md\">", "S Read"},
		{"an unknown role", []rubric.Message{message("", "A"), message("user", "B")}, "@[]:\nA\n\n@[User]:\nB", "@[]:\nA\n\n@[User]:\nB", "A B"},
	} {
		if got := rubric.ConversationText(c.messages); got != c.text {
			t.Errorf("%s: %q, want %q", c.name, got, c.text)
		}
		if got := rubric.NamedFilesText(c.messages); got != c.named {
			t.Errorf("%s: with paths %q, want %q", c.name, got, c.named)
		}
		if got := rubric.PlainText(c.messages); got != c.plain {
			t.Errorf("%s: plain %q, want %q", c.name, got, c.plain)
		}
	}
}

// TestWithFiles checks that a message for programs has the paths and texts of its files, and that
// the original does not change.
func TestWithFiles(t *testing.T) {
	m := message("user", []any{textPart("A"), map[string]any{"type": "file", "value": "/a.md"}, map[string]any{"type": "file", "value": "gone.md"}})
	m.Parts = rubric.NewParts(m.Content)
	m.Parts[1].Path, m.Parts[1].Text = "/x/a.md", "text"
	before, _ := json.Marshal(m)
	const want = `{"role":"user","content":[{"type":"text","value":"A"},{"path":"a.md","resolved_path":"/x/a.md","text":"text","type":"file","value":"/a.md"},{"type":"file","value":"gone.md"}]}`
	if got, err := json.Marshal(m.WithFiles()); string(got) != want {
		t.Errorf("%s, want %s, %v", got, want, err)
	}
	if after, _ := json.Marshal(m); string(after) != string(before) {
		t.Errorf("the message is now %s", after)
	}
	if plain := message("user", "A"); plain.WithFiles().Content != "A" {
		t.Error("a message without parts changes")
	}
}

func TestAsked(t *testing.T) {
	c := &rubric.Case{Input: []rubric.Message{message("system", "S")}}
	if len(c.Asked()) != 1 {
		t.Errorf("%v", c.Asked())
	}
	c.Conversation = &rubric.Conversation{Turns: []rubric.TurnInput{{Input: []rubric.Message{message("user", "A")}}, {Input: []rubric.Message{message("user", "B")}}}}
	if got := rubric.ConversationText(c.Asked()); got != "@[System]:\nS\n\n@[User]:\nA\n\n@[User]:\nB" || len(c.Input) != 1 {
		t.Errorf("%q", got)
	}
}
