package cli_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/judge"
)

// keyServer starts a server in OpenAI's place. The returned slice holds the keys that it was sent.
func keyServer(t *testing.T) (url string, keys *[]string) {
	keys = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*keys = append(*keys, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		io.WriteString(w, `{"model":"m","choices":[{"message":{"content":"Fine."},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(server.Close)
	useTempCache(t)
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		t.Setenv(name, "") // so that it is restored
		os.Unsetenv(name)
	}
	return server.URL, keys
}

// TestModelTarget asks a model that only the command line names, with a key from a .env file.
func TestModelTarget(t *testing.T) {
	url, keys := keyServer(t)
	t.Setenv("OPENAI_BASE_URL", url)
	dir := write(t, map[string]string{
		".git/HEAD": "", ".env": "OPENAI_API_KEY=sk-of-the-file-1\n",
		"evals/x.yaml": "tests:\n  - { id: a, criteria: C, input: Q, assertions: [{ type: contains, value: Fine }] }\n  - { id: b, criteria: C, input: Q }\n",
	})
	code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "evals/x.yaml"), "--case", "a", "--target", "openai:m", "--format", "jsonl")
	if code != 0 || !strings.Contains(stdout, `"target":"openai:m"`) || !slices.Equal(*keys, []string{"sk-of-the-file-1"}) {
		t.Errorf("exit status %d, keys %q: %s%s", code, *keys, stdout, stderr)
	}
	*keys = nil
	code, stdout, stderr = rubric(t, "", "run", filepath.Join(dir, "evals/x.yaml"), "--case", "b", "--target", "mock:A", "--judge", "openai:m")
	if code != 3 || len(*keys) == 0 || (*keys)[0] != "sk-of-the-file-1" {
		t.Errorf("exit status %d, keys %q: %s%s", code, *keys, stdout, stderr)
	}
	*keys = nil
	code, stdout, stderr = rubric(t, "", "run", filepath.Join(dir, "evals/x.yaml"), "--case", "a", "--target", "openai:m", "--dry-run")
	if code != 0 || len(*keys) > 0 || !strings.Contains(stdout, "target `openai:m` asks 127.0.0.1") {
		t.Errorf("exit status %d, keys %q: %s%s", code, *keys, stdout, stderr)
	}
}

// TestModelTargetWithoutKey names the variables that could hold the key.
func TestModelTargetWithoutKey(t *testing.T) {
	keyServer(t)
	dir := write(t, map[string]string{".git/HEAD": "", "x.eval.yaml": good})
	code, _, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--target", "openai:m")
	if want := "target: `openai` needs a key; set OPENAI_API_KEY in the environment or a .env file"; code != 2 || !strings.Contains(stderr, want) {
		t.Errorf("exit status %d: %s", code, stderr)
	}
}

// TestStoredKey checks that a key of the user's client is not sent to an address from a .env file.
func TestStoredKey(t *testing.T) {
	url, keys := keyServer(t)
	dir := write(t, map[string]string{".git/HEAD": "", ".env": "OPENAI_BASE_URL=" + url + "\nOPENAI_API_KEY=sk-of-the-file-1\n", "x.eval.yaml": good})
	ports := &targets.Ports{Key: func(context.Context, string) string { return "sk-of-the-client-1" }}
	opened, err := ports.OpenJudge(t.Context(), filepath.Join(dir, "x.eval.yaml"), "openai:m")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Judge.Ask(t.Context(), judge.Question{User: "Q"}); err != nil || !slices.Equal(*keys, []string{"sk-of-the-file-1"}) {
		t.Errorf("keys %q: %v", *keys, err)
	}
}
