package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestKeyOfTheEditor: the key that an editor keeps goes to the provider, before
// the environment's, and is in no message to the editor.
func TestKeyOfTheEditor(t *testing.T) {
	sent := make(chan string, 9)
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"the key %s is wrong"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	defer provider.Close()
	t.Setenv("OPENAI_BASE_URL", provider.URL)
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	dir := write(t, map[string]string{"a.eval.yaml": tempting})
	uri := "file://" + filepath.ToSlash(filepath.Join(dir, "a.eval.yaml"))

	e := startEditor(t, `{"experimental":{"rubric":{"keys":true}}}`)
	e.Handle("rubric/key", func(json.RawMessage) any { return map[string]string{"key": "sk-of-the-editor"} })
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"openai:gpt-x"}}}`)
	e.Open(uri, tempting)
	e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.runCase","arguments":[{"uri":%q,"case":"a"}]}`, uri))
	named := false
	e.Await("the end", func(m lsptest.Message) bool {
		if m.Method == "rubric/results" && strings.Contains(string(m.Params), "sk-of-the-editor") {
			t.Errorf("the key is told: %s", m.Params)
		}
		named = named || strings.Contains(string(m.Params), "the key stored as `OPENAI_API_KEY` was not accepted")
		return m.Method == "rubric/results" && !strings.Contains(string(m.Params), `"state":"running"`)
	})
	if !named {
		t.Error("it is not said which key was not accepted")
	}
	if got := <-sent; got != "Bearer sk-of-the-editor" {
		t.Errorf("the provider was sent %q", got)
	}
	e.Request("shutdown", nil)
}
