package seed_test

import (
	"encoding/json"
	"testing"
)

// TestExpectedOutput checks that a value with a role becomes a message, and any other value the
// content of an assistant message.
func TestExpectedOutput(t *testing.T) {
	for _, c := range []struct{ keys, messages, reference string }{
		{"expected_output: hi", `[{"role":"assistant","content":"hi"}]`, "hi"},
		{"expected_output: { b: 1, a: 2 }", `[{"role":"assistant","content":{"a":2,"b":1}}]`, "{\n  \"b\": 1,\n  \"a\": 2\n}"},
		{"expected_output: { role: assistant, content: hi }", `[{"role":"assistant","content":"hi"}]`, "hi"},
		{"expected_output: { role: bot, content: hi }", `null`, ""},
		{"expected_output: [{ role: bot, content: hi }]", `null`, ""},
		{"expected_output: [x, { role: user, content: hi }]", `[{"role":"assistant","content":["x",{"content":"hi","role":"user"}]}]`, "[\n  \"x\",\n  {\n    \"role\": \"user\",\n    \"content\": \"hi\"\n  }\n]"},
		{"expected_output: []", `[{"role":"assistant","content":[]}]`, ""},
		{"expected_output: 5", `null`, ""},
		{"expected_messages: [{ role: user, content: a }, { role: assistant, content: b }]", `[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`, "b"},
		{"expected_messages: [{ role: assistant, content: [1], tool_calls: [{ tool: t }] }]", `[{"role":"assistant","content":[1],"tool_calls":[{"tool":"t"}]}]`, "[\n  1\n]"},
		{"expected_messages: [{ role: assistant, tool_calls: [{ tool: t }] }]", `[{"role":"assistant","tool_calls":[{"tool":"t"}]}]`, "[\n  {\n    \"tool\": \"t\"\n  }\n]"},
		{"expected_messages: [{ role: assistant, content: [plain] }]", `null`, ""},
		{"expected_messages: [{ role: assistant, content: [{ type: text, value: a }, { type: text, value: b }] }]", `[{"role":"assistant","content":[{"type":"text","value":"a"},{"type":"text","value":"b"}]}]`, "a\nb"},
	} {
		k := lower("evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    " + c.keys + "\n").Cases[0]
		got, _ := json.Marshal(k.Expected)
		if string(got) != c.messages || k.ReferenceAnswer != c.reference {
			t.Errorf("%s: %s, reference %q", c.keys, got, k.ReferenceAnswer)
		}
	}
}
