package targets_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

// TestAutoJudge takes a key before a server on this machine, and contacts no other server.
func TestAutoJudge(t *testing.T) {
	for _, p := range wire.Providers() {
		for _, name := range append(p.KeyVars, p.BaseVars...) {
			t.Setenv(name, "")
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			_, _ = w.Write([]byte(`{"data":[{"id":"qwen3:8b"},{"id":"gemma3"}]}`))
		}
	}))
	defer server.Close()
	judge := func(mayAsk bool) string {
		name, why, err := targets.AutoJudge(t.Context(), mayAsk)
		if err != nil {
			return err.Error()
		}
		return name + ", " + why
	}
	t.Setenv("LMSTUDIO_BASE_URL", "http://lmstudio.example/v1")
	t.Setenv("OLLAMA_HOST", server.URL)
	if got := judge(true); got != "ollama:qwen3:8b, ollama has it on this machine" {
		t.Error(got)
	}
	if got := judge(false); !strings.HasPrefix(got, "no key of a provider is set, and neither Ollama nor LM Studio answers") {
		t.Error(got)
	}
	if got := (&targets.Ports{}).AvailableModels(t.Context()); len(got) != 1 || got[0] != "ollama: has qwen3:8b, gemma3" {
		t.Error(got)
	}
	t.Setenv("OLLAMA_HOST", "http://ollama.example")
	t.Setenv("GEMINI_API_KEY", "secret")
	if got := judge(true); got != "gemini:gemini-2.5-flash, GEMINI_API_KEY is set" {
		t.Error(got)
	}
	if got := strings.Join((&targets.Ports{}).AvailableModels(t.Context()), ""); !strings.HasPrefix(got, "gemini: GEMINI_API_KEY is set; asks https://generativelanguage.googleapis.com") || !strings.Contains(got, "; a million tokens of gemini-2.5-flash cost $") {
		t.Error(got)
	}
}
