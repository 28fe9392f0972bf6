package targets_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/price"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// noKeyText is the key label of a provider without a key.
func noKeyText(t *testing.T) {
	for _, p := range wire.Providers() {
		for _, name := range append(p.KeyVars, p.BaseVars...) {
			t.Setenv(name, "")
		}
	}
}

// echo answers as chat completions with what it was sent.
func echo(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received := fmt.Sprintf("%s key=%s team=%s %s", r.URL, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+r.Header.Get("Api-Key"), r.Header.Get("X-Team"), body)
		text := fmt.Sprintf(`{"choices":[{"message":{"content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`, received)
		switch {
		case strings.HasSuffix(r.URL.Path, "/api/chat"):
			text = fmt.Sprintf(`{"message":{"content":%q},"done":true}`, received)
		case strings.HasSuffix(r.URL.Path, ":generateContent"):
			text = fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":%q}]},"finishReason":"STOP"}]}`, received)
		}
		io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestJudgeNames opens judges by what a person calls them. Short keys are not
// hidden, which is how they are seen here.
func TestJudgeNames(t *testing.T) {
	site := echo(t)
	for _, c := range []struct {
		name, judge string
		env         string
		targets     string
		says        string // in its answer, or in the error
		lacks       string
		fails       bool
	}{
		{name: "by the environment", judge: "openai:gpt", env: "OPENAI_API_KEY=k1 OPENAI_BASE_URL=SITE/v9", says: `/v9/chat/completions key=k1 team= {"model":"gpt"|"temperature":0,"seed":0`},
		{name: "a server of one's own, without a key", judge: "openai:gpt", env: "OPENAI_BASE_URL=SITE", says: "key= "},
		{name: "no key", judge: "openai:gpt", says: "`openai` needs a key; set OPENAI_API_KEY", fails: true},
		{name: "no address", judge: "azure:gpt", env: "AZURE_OPENAI_API_KEY=k1", says: "`azure` has no address; set AZURE_OPENAI_ENDPOINT", fails: true},
		{name: "an address that is none", judge: "openai:gpt", env: "OPENAI_BASE_URL=k1.example/v1", says: "the address of `openai` is not an http or https URL", lacks: "k1", fails: true},
		{name: "a target's address that is none", judge: "it", targets: "provider: openai, model: m, base_url: 'ftp://k1@x'", says: "target `it`: the address of `openai` is not an http or https URL", lacks: "k1", fails: true},
		{name: "a key that cannot be sent", judge: "openai:gpt", env: "OPENAI_API_KEY=k1\x01k2", says: "the key of `openai` contains a control character", lacks: "k1", fails: true},
		{name: "no model", judge: "ollama: ", says: "it names no model, as in `ollama:MODEL`", fails: true},
		{name: "a model with a colon, at a host without a scheme", judge: "ollama:llama3:8b", env: "OLLAMA_HOST=WHERE", says: `/api/chat key= team= {"model":"llama3:8b"`},
		{name: "azure", judge: "azure:gpt", env: "AZURE_OPENAI_API_KEY=k1 AZURE_OPENAI_ENDPOINT=SITE OPENAI_API_VERSION=2024-10-21", says: "/openai/deployments/gpt/chat/completions?api-version=2024-10-21 key=k1"},
		{name: "misspelt", judge: "openia:gpt", says: "did you mean `openai`?", fails: true},
		{name: "a target", judge: "it", env: "K=k2", targets: "provider: openai, base_url: SITE, model: m, api_key: '${{ K }}', headers: { X-Team: evals }, temperature: 0.5, max_output_tokens: 77, seed: 5", says: `key=k2 team=evals {"model":"m"|"temperature":0.5,"seed":5,"max_completion_tokens":77`},
		{name: "a target's key from the environment", judge: "it", env: "OPENAI_API_KEY=k1 OPENAI_BASE_URL=SITE", targets: "provider: openai, model: m", says: "key=k1"},
		{name: "a target that says where to go gets no key that it does not name", judge: "it", env: "OPENAI_API_KEY=k1", targets: "provider: openai, model: m, base_url: SITE", says: "key= ", lacks: "k1"},
		{name: "a target in camelCase", judge: "it", env: "K=k2", targets: "provider: azure, endpoint: SITE, deploymentName: m, apiKey: '${{ K }}', apiVersion: v1", says: "/openai/deployments/m/chat/completions?api-version=v1 key=k2"},
		{name: "a target under other names of its settings", judge: "it", targets: "provider: gemini, baseUrl: SITE, apiKey: k3, variant: v, maxTokens: 77, thinkingBudget: 9, timeoutSeconds: 5, requestsPerMinute: 6000, tokensPerMinute: 60000", says: `/v1beta/models/v:generateContent|"maxOutputTokens":77,|"thinkingBudget":9`},
		{name: "azure by the name of a resource", judge: "it", targets: "provider: azure, endpoint: '" + strings.Repeat("r", 64) + "', model: other, deployment: m, api_key: k2", says: "azure:m: it could not be reached: there is no host `" + strings.Repeat("r", 64) + ".openai.azure.com`", fails: true},
		{name: "a target that is not to think", judge: "it", targets: "provider: gemini, base_url: SITE, api_key: k3, model: m, thinking_budget: 0", says: `"thinkingConfig":{"thinkingBudget":0}`},
		{name: "a target without a key that goes to where it says", judge: "it", env: "AZURE_OPENAI_API_KEY=k1", targets: "provider: azure, endpoint: SITE, model: m", says: "target `it`: `azure` needs a key; set `api_key`, because keys from the environment are not sent to an address in a targets file", fails: true},
		{name: "a target whose key is a header", judge: "it", targets: "provider: azure, endpoint: SITE, model: m, headers: { Authorization: Bearer k4 }", says: "/openai/v1/chat/completions key=k4"},
		{name: "a target whose key is its gateway's", judge: "it", targets: "provider: azure, endpoint: SITE, model: m, headers: { Ocp-Apim-Subscription-Key: k5 }", says: "/openai/v1/chat/completions key= "},
		{name: "a target whose key is an empty header", judge: "it", targets: "provider: azure, endpoint: SITE, model: m, headers: { api-key: '' }", says: "target `it`: `azure` needs a key", fails: true},
		{name: "a target whose key is empty", judge: "it", env: "K=", targets: "provider: openai, base_url: SITE, model: m, api_key: '${{ K }}'", says: "target `it`: its `api_key` is `K` of the environment, which is empty", fails: true},
		{name: "a target that needs no key", judge: "it", env: "K=", targets: "provider: vllm, base_url: SITE, model: m, api_key: '${{ K }}'", says: "/v1/chat/completions key= "},
		{name: "a target without a model", judge: "it", targets: "provider: openai, base_url: SITE", says: "targets.yaml: target `it`: it names no model", fails: true},
		{name: "a target whose variable is not set", judge: "it", targets: "provider: openai, model: m, api_key: '${{ NOT_SET_A }}'", says: "not set in the environment or a .env file beside or above the targets file: NOT_SET_A", fails: true},
		{name: "a target that is a command", judge: "it", targets: "provider: cli, command_template: 'echo {EVAL_ID} {PROMPT}'", says: "judge S\n\nU"},
		{name: "a target that is a command for all cases", judge: "it", targets: "provider: cli, provider_batching: true, command_template: 'echo {EVAL_ID} {PROMPT}'", says: "judge S\n\nU"},
		{name: "no target", judge: "it", says: "there is no judge `it`, and no targets.yaml", fails: true},
		{name: "no command", judge: "cli: ", says: "it names no command, as in `cli:COMMAND`", fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			noKeyText(t)
			fill := strings.NewReplacer("SITE", site, "WHERE", strings.TrimPrefix(site, "http://")).Replace
			for pair := range strings.FieldsSeq(fill(c.env)) {
				name, value, _ := strings.Cut(pair, "=")
				t.Setenv(name, value)
			}
			dir := t.TempDir()
			t.Chdir(dir)
			if c.targets != "" {
				hosttest.Put(t, filepath.Join(dir, "targets.yaml"), fill("targets: [{ name: it, "+c.targets+" }]\n"))
			}
			opened, err := new(targets.Ports).OpenJudge(t.Context(), filepath.Join(dir, "x.yaml"), c.judge)
			var a judge.Answer
			if err == nil {
				a, err = opened.Judge.Ask(t.Context(), judge.Question{System: "S", User: "U"})
			}
			message := a.Text
			if err != nil {
				message = err.Error()
			}
			if (err != nil) != c.fails {
				t.Fatalf("%v", err)
			}
			if c.targets != "" && !c.fails {
				approved(t, filepath.Join(dir, "targets.yaml"))
			}
			for part := range strings.SplitSeq(c.says, "|") {
				if !strings.Contains(message, part) {
					t.Errorf("%q is not in %s", part, message)
				}
			}
			if c.lacks != "" && strings.Contains(message, c.lacks) {
				t.Errorf("%q is in %s", c.lacks, message)
			}
		})
	}
}

// targetOf opens a target of the targets.yaml in a folder.
func targetOf(t *testing.T, dir, name string) run.Target {
	t.Helper()
	opened, err := new(targets.Ports).OpenTarget(t.Context(), filepath.Join(dir, "x.yaml"), name)
	if err != nil {
		t.Fatal(err)
	}
	return opened.Target
}

// TestModelTarget: a model that is a target gets no temperature and no seed, and its usage is
// recorded.
func TestModelTarget(t *testing.T) {
	noKeyText(t)
	dir := t.TempDir()
	hosttest.Put(t, filepath.Join(dir, "targets.yaml"), "targets: [{ name: it, provider: openai, model: m, base_url: '"+echo(t)+"' }, { name: gone, provider: ollama, model: m, base_url: 'http://127.0.0.1:1' }]\n")
	ask := func(name string) (string, error) {
		sub, err := targetOf(t, dir, name)(t.Context(), &rubric.Case{Question: "Why?"})
		if err == nil && (sub.Trace.TokenUsage.Input != 3 || sub.Trace.TokenUsage.Output != 4 || *sub.Trace.LLMCalls != 1) {
			t.Errorf("%+v", sub.Trace)
		}
		return sub.Answer, err
	}
	if answer, err := ask("it"); err != nil || !strings.HasSuffix(answer, `{"model":"m","messages":[{"role":"user","content":"Why?"}]}`) {
		t.Errorf("%s, %v", answer, err)
	}
	if _, err := ask("gone"); !errors.Is(err, judge.ErrUnreachable) || err.Error() != "ollama:m: it could not be reached: nothing listens at `127.0.0.1:1`" {
		t.Error(err)
	}
}

// TestDescribePrice: a model's price is the project's, or the dated one at its provider's address.
func TestDescribePrice(t *testing.T) {
	noKeyText(t)
	dir := t.TempDir()
	hosttest.Put(t, filepath.Join(dir, "targets.yaml"), "targets:\n  - { name: dated, provider: openai, model: gpt-4.1-mini, api_key: k }\n"+
		"  - { name: own, provider: ollama, model: m }\n  - { name: unknown, provider: ollama, model: other }\n  - { name: mock, provider: mock }\n")
	hosttest.Put(t, filepath.Join(dir, ".rubric.yaml"), "prices: { 'ollama:m': { input: 0.5, output: 2 } }\n")
	evalFile := filepath.Join(dir, "a.eval.yaml")
	ports, err := targets.NewPorts(run.Settings{}, nil, evalFile)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := targets.ListTargets(evalFile, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range listed {
		got = append(got, ports.DescribePrice(t.Context(), evalFile, l))
	}
	want := []string{
		"$0.4 for a million tokens read and $1.6 written (built in, as of " + price.BuiltInDate() + ")",
		"$0.5 for a million tokens read and $2 written (from " + filepath.Join(dir, ".rubric.yaml") + ")",
		"its price is unknown; `rubric help costs` says how to set it",
		"",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
