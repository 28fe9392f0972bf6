package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestConversationRequest checks what a chat model is sent for cases with messages of several
// roles: exactly the messages.
func TestConversationRequest(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"four roles", `[{role: system, content: "You are a clerk."}, {role: user, content: "My balance?"}, {role: assistant, content: "Let me look."}, {role: tool, content: "12 euros"}]`,
			`[{"role":"system","content":"You are a clerk."},{"role":"user","content":"My balance?"},` +
				`{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"tool","arguments":"{}"}}]},` +
				`{"role":"tool","content":"12 euros","tool_call_id":"call_1"}]`},
		{"a call and its result", `[{role: user, content: "My balance?"}, {role: assistant, tool_calls: [{tool: look.up, input: {id: 7}}]}, {role: tool, content: "12 euros"}, {role: user, content: "In dollars?"}]`,
			`[{"role":"user","content":"My balance?"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","function":{"name":"look_up","arguments":"{\"id\":7}"}}]},` +
				`{"role":"tool","content":"12 euros","tool_call_id":"call_1"},{"role":"user","content":"In dollars?"}]`},
		{"a call with its result", `[{role: user, content: Q}, {role: assistant, content: A, tool_calls: [{tool: f, input: 5, output: {n: 1}}, {tool: g}]}, {role: user, content: R}]`,
			`[{"role":"user","content":"Q"},` +
				`{"role":"assistant","content":"A","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"input\":5}"}},{"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}]},` +
				`{"role":"tool","content":"{\"n\":1}","tool_call_id":"call_1"},{"role":"tool","content":"","tool_call_id":"call_2"},{"role":"user","content":"R"}]`},
		{"parts and files", `[{role: system, content: S}, {role: user, content: [{type: text, value: Read this.}, {type: file, value: note.md}]}]`,
			`[{"role":"system","content":"S"},{"role":"user","content":"Read this.\n<file path=\"note.md\">\nthe note\n</file>"}]`},
		{"one message", `[{role: user, content: [{type: text, value: Read this.}, {type: file, value: note.md}]}]`,
			`[{"role":"user","content":"Read this.\n\n<file path=\"note.md\">\nthe note\n</file>"}]`},
		{"a picture", `[{role: user, content: [{type: text, value: Look}, {type: image, value: a.png}]}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = string(body)
				io.WriteString(w, `{"model":"m","choices":[{"message":{"content":"Fine."},"finish_reason":"stop"}]}`)
			}))
			defer server.Close()
			dir := write(t, map[string]string{
				"note.md": "the note\n", "targets.yaml": "targets: [{ name: it, provider: openai, model: m, base_url: '" + server.URL + "', api_key: sk-test }]\n",
				"x.yaml": "tests:\n  - { id: a, criteria: C, input: " + c.input + ", assertions: [{ type: contains, value: Fine }] }\n",
			})
			code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.yaml"), "--target", "it")
			if c.want == "" {
				if code == 0 || asked != "" || !strings.Contains(stdout, "has a picture, which is not sent to models") {
					t.Errorf("exit status %d, asked %q: %s%s", code, asked, stdout, stderr)
				}
				return
			}
			if code != 0 || asked != fmt.Sprintf(`{"model":"m","messages":%s}`, c.want) {
				t.Errorf("exit status %d: %s%s\nasked %s\nwant  %s", code, stdout, stderr, asked, c.want)
			}
		})
	}
}
