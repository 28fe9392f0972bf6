package provider_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/judge/provider/address"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const goldens = "testdata"

// question wants all that a schema of ours holds: ids that are listed, and bounds.
var question = judge.Question{
	System: "You are an examiner.", User: "Is <this> polite & short?", Sample: 2,
	Schema: json.RawMessage(`{"type":"object","properties":{"checks":{"type":"array","minItems":3,"maxItems":7,"items":{"anyOf":[` +
		`{"type":"object","properties":{"id":{"enum":["polite","minimum"]},"satisfied":{"type":"boolean"}}},` +
		`{"type":"object","properties":{"minimum":{"type":"integer","minimum":0,"maximum":10},"weight":{"type":"number","exclusiveMinimum":0}}}]}}},"additionalProperties":false}`),
}

// conversation has every role, neighbours of one role, and a system message in the middle.
var conversation = judge.Question{Messages: []judge.Message{
	{Role: "system", Text: "You are a clerk."}, {Role: "system", Text: "Be brief."},
	{Role: "assistant", Text: "Good morning."},
	{Role: "user", Text: "My balance?"}, {Role: "user", Text: "In euros."},
	{Role: "assistant", Text: "Let me look.", Calls: []judge.Call{{ID: "call_1", Tool: "balance", Input: json.RawMessage(`{"id":7}`)}, {ID: "call_2", Tool: "rate", Input: json.RawMessage(`{}`)}}},
	{Role: "tool", Text: "12", Call: judge.Call{ID: "call_1", Tool: "balance"}},
	{Role: "tool", Call: judge.Call{ID: "call_2", Tool: "rate"}},
	{Role: "system", Text: "The bank closes."}, {Role: "user", Text: "So?"},
}}

// TestRequests compares encoded requests with golden files: with every feature, and without
// optional ones.
func TestRequests(t *testing.T) {
	half := 0.5
	for _, p := range provider.Providers() {
		base := p.BaseURL
		if base == "" {
			base = "https://here.example"
		}
		full := provider.Model{
			Name: "some/model", Base: base, Key: "k-secret", Headers: map[string]string{"X-Team": "evals"},
			Temperature: &half, Seed: 7, MaxTokens: 900, Thinking: 64,
		}
		plain := provider.Model{Name: "some/model", Base: base + "/", Without: []provider.Feature{provider.Schema, provider.Temperature, provider.Seed}}
		zero := provider.Model{Name: "m", Base: base, Version: "2024-10-21"}
		for name, m := range map[string]provider.Model{"full": full, "plain": plain, "zero": zero} {
			at, err := address.Resolve(p, m)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			body, err := p.Encode(m, question)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			golden(t, filepath.Join(goldens, p.Name, "request-"+name+".txt"), shown(at, body))
		}
		talk, err := p.Encode(plain, conversation)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		golden(t, filepath.Join(goldens, p.Name, "conversation.txt"), string(talk)+"\n")
		alone, err := p.Encode(plain, judge.Question{Messages: []judge.Message{{Role: "system", Text: "Say hi."}}})
		if err != nil || strings.Count(string(alone), "Say hi.") != 1 {
			t.Errorf("%s: a system message alone is sent as %s: %v", p.Name, alone, err)
		}
	}
}

// shown is a request as it goes over the network.
func shown(at address.Address, body []byte) string {
	var out strings.Builder
	fmt.Fprintf(&out, "POST %s\n", at.URL)
	for _, name := range slices.Sorted(maps.Keys(at.Header)) {
		fmt.Fprintf(&out, "%s: %s\n", name, at.Header[name])
	}
	fmt.Fprintf(&out, "\n%s\n", body)
	return out.String()
}

// TestReplies compares decoded replies, which are those of the providers' documentation, with
// golden files.
func TestReplies(t *testing.T) {
	for _, p := range provider.Providers() {
		files, err := filepath.Glob(filepath.Join(goldens, p.Name, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, path := range files {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, status, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".json"), ".")
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Fatal(err)
			}
			a, err := p.Decode(provider.Response{Status: code, Body: string(body)})
			fmt.Fprintf(&out, "%s: {Text:%s Model:%s Usage:{Input:%d Output:%d}}\n", name, a.Text, a.Model, a.Usage.Input, a.Usage.Output)
			var fault *provider.Fault
			if errors.As(err, &fault) {
				fmt.Fprintf(&out, "  %s %s, after %s, unreachable %v: %v\n", fault.Kind, fault.Feature, fault.RetryAfter, errors.Is(err, judge.ErrUnreachable), err)
			} else if err != nil {
				t.Errorf("%s: %v is no fault", path, err)
			}
		}
		if len(files) > 0 {
			golden(t, filepath.Join(goldens, p.Name, "decoded.txt"), out.String())
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v\n got %s\nwant %s", path, err, got, want)
	}
}

// TestAddresses: no error shows an address, which may hold a key.
func TestAddresses(t *testing.T) {
	for base, want := range map[string]string{
		"ftp://k-secret@x/": "its address is not an http or https URL", "k-secret": "its address is not an http or https URL",
		"http://[k-secret": "its address is not an http or https URL", "": "`azure` has no address; set AZURE_OPENAI_ENDPOINT",
	} {
		if _, err := address.Resolve(provider.Azure, provider.Model{Name: "m", Base: base}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", base, err)
		}
	}
	if _, err := address.Resolve(provider.OpenAI, provider.Model{}); err == nil || err.Error() != "name a model of `openai`" {
		t.Errorf("no model: %v", err)
	}
	place, err := address.Resolve(provider.Azure, provider.Model{Name: "a/b?c", Base: "https://x.example/proxy?team=1", Version: "v&1"})
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(place.URL)
	if err != nil || at.EscapedPath() != "/proxy/openai/deployments/a%2Fb%3Fc/chat/completions" || at.Query().Get("api-version") != "v&1" || at.Query().Get("team") != "1" {
		t.Errorf("%s, %v", place.URL, err)
	}
}

// TestCopiedAddresses: an address may include none, some or all of the API path.
func TestCopiedAddresses(t *testing.T) {
	const chat, azure, claude, gemini = "/v1/chat/completions", "/openai/deployments/m/chat/completions?api-version=v", "/v1/messages", "/v1beta/models/m:generateContent"
	for _, c := range []struct {
		provider provider.Provider
		written  []string
		want     string
	}{
		{provider.OpenAI, []string{"/v1", "/v1/", "/v1/chat", "/v1/chat/completions", "/v1/chat/completions/"}, chat},
		{provider.OpenAI, []string{"", "/"}, "/chat/completions"}, // as some who imitate it have it
		{provider.OpenAI, []string{"/my-chat"}, "/my-chat/chat/completions"},
		{provider.VLLM, []string{"", "/", "/v1", "/v1/chat/completions"}, chat}, {provider.LMStudio, []string{"", "/v1/"}, chat},
		{provider.Azure, []string{"", "/", "/openai", "/openai/deployments/", "/openai/deployments/m", "/openai/deployments/m/chat/completions"}, azure},
		{provider.Anthropic, []string{"", "/", "/v1", "/v1/", "/v1/messages"}, claude},
		{provider.Gemini, []string{"", "/v1beta", "/v1beta/models/", "/v1beta/models/m:generateContent"}, gemini},
		{provider.Ollama, []string{"", "/", "/api", "/api/chat"}, "/api/chat"},
	} {
		for _, written := range c.written {
			at, err := address.Resolve(c.provider, provider.Model{Name: "m", Base: "http://h" + written, Version: "v"})
			if err != nil || at.URL != "http://h"+c.want {
				t.Errorf("%s at %q: %s, %v", c.provider.Name, written, at.URL, err)
			}
		}
	}
	// Azure's are copied with the version, which is said once.
	const dated, preview = "http://h/openai/deployments/m/chat/completions?api-version=2024-10-21", "http://h/openai/v1/chat/completions?api-version=preview"
	for written, want := range map[string]string{
		dated: dated, "http://h/openai/v1?api-version=preview": preview, preview: preview,
	} {
		for _, version := range []string{"", "2025-01-01"} {
			at, err := address.Resolve(provider.Azure, provider.Model{Name: "m", Base: written, Version: version})
			if err != nil || at.URL != want {
				t.Errorf("%s with version %q: %s, %v", written, version, at.URL, err)
			}
		}
	}
}

// TestHeaders of a model's own win, however they are spelt.
func TestHeaders(t *testing.T) {
	m := provider.Model{Name: "m", Key: "k", Headers: map[string]string{"authorization": "Basic x", "X-Empty": ""}}
	at, err := address.Resolve(provider.OpenAI, m)
	if want := map[string]string{"authorization": "Basic x", "Content-Type": "application/json"}; err != nil || !maps.Equal(at.Header, want) {
		t.Errorf("%v, %v", at.Header, err)
	}
}

// TestWaits reads how long a provider asks to wait.
func TestWaits(t *testing.T) {
	const date = "Sat, 21 Nov 2026 10:00:00 GMT"
	for _, c := range []struct {
		name   string
		header map[string][]string
		want   time.Duration
	}{
		{"nothing", nil, 0},
		{"seconds", map[string][]string{"Retry-After": {"7"}}, 7 * time.Second},
		{"in a page, in lower case", map[string][]string{"retry-after": {" 1.5 "}}, 1500 * time.Millisecond},
		{"milliseconds first", map[string][]string{"Retry-After": {"7"}, "Retry-After-Ms": {"20"}}, 20 * time.Millisecond},
		{"a time", map[string][]string{"Retry-After": {"Sat, 21 Nov 2026 10:01:00 GMT"}, "Date": {date}}, time.Minute},
		{"a time that is past", map[string][]string{"Retry-After": {"Sat, 21 Nov 2026 09:01:00 GMT"}, "Date": {date}}, 0},
		{"a time and no clock", map[string][]string{"Retry-After": {date}}, 0},
		{"below zero", map[string][]string{"Retry-After": {"-7"}}, 0},
		{"no number", map[string][]string{"Retry-After": {"NaN"}}, 0},
		{"endless", map[string][]string{"Retry-After": {"1e300"}}, 1e6 * time.Second},
		{"no value", map[string][]string{"Retry-After": {}}, 0},
	} {
		_, err := provider.OpenAI.Decode(provider.Response{Status: 429, Header: c.header, Body: `{}`})
		var fault *provider.Fault
		if !errors.As(err, &fault) || fault.RetryAfter != c.want || !fault.IsTemporary() || fault.IsPermanent() {
			t.Errorf("%s: %+v, want %s", c.name, fault, c.want)
		}
	}
}

// TestStrangeReplies: every reply gives an answer or a fault.
func TestStrangeReplies(t *testing.T) {
	for _, p := range provider.Providers() {
		for _, status := range []int{0, 200, 302, 400, 429, 500, 999} {
			for _, body := range []string{"", " \n", "null", "[]", "{}", `"x"`, "[null]", `{"error":null}`, `{"error":[]}`, `{"error":{"code":null}}`, `{"choices":[{}]}`, `{"candidates":[{}]}`, "\x00\xff", `{"error":{"details":[{"retryDelay":"-1s"}]}}`} {
				a, err := p.Decode(provider.Response{Status: status, Body: body})
				var fault *provider.Fault
				if !errors.As(err, &fault) || fault.Kind == "" || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "``") {
					t.Errorf("%s %d %q: %+v, %v", p.Name, status, body, a, err)
				}
			}
		}
	}
}

func TestFind(t *testing.T) {
	if p, ok := provider.FindProvider("ollama"); !ok || p.Name != "ollama" {
		t.Error(p.Name)
	}
	if _, ok := provider.FindProvider("acme"); ok {
		t.Error("there is no acme")
	}
}

// FuzzDecode: every reply of every provider is an answer with a text or a fault
// of one line.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(goldens, "*", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("%d goldens, %v", len(files), err)
	}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, body)
		f.Add(429, body)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		for _, p := range provider.Providers() {
			a, err := p.Decode(provider.Response{Status: status, Body: string(body)})
			var fault *provider.Fault
			switch {
			case err == nil && strings.TrimSpace(a.Text) == "":
				t.Errorf("%s: an answer of nothing", p.Name)
			case err != nil && (!errors.As(err, &fault) || strings.ContainsAny(err.Error(), "\n\r") || fault.RetryAfter < 0):
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	})
}

// BenchmarkCompose is what a request costs before it is sent: of cases whose criteria
// have the same ids, and of cases whose criteria have ids of their own.
func BenchmarkCompose(b *testing.B) {
	for _, ids := range []string{"alike", "apart"} {
		b.Run(ids, func(b *testing.B) {
			q := judge.Question{System: "You are an examiner.", User: strings.Repeat("A line of the question.\n", 50)}
			for i := range b.N {
				id := 0
				if ids == "apart" {
					id = i
				}
				q.Schema = fmt.Appendf(nil, `{"type":"object","properties":{"id":{"enum":["a%d","b%d","c"]},"score":{"type":"integer"}}}`, id, id)
				if _, err := provider.OpenAI.Encode(provider.Model{Name: "m"}, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestModeration: an endpoint's categories are verdicts, and what is none of its
// replies is a fault.
func TestModeration(t *testing.T) {
	m := provider.Model{Name: "m", Key: "k"}
	at, err := address.Resolve(provider.Moderation, m)
	if err != nil || at.URL != "https://api.openai.com/v1/moderations" || at.Header["Authorization"] != "Bearer k" {
		t.Errorf("%+v %v", at, err)
	}
	if body, err := provider.Moderation.Encode(m, judge.Question{User: "some <text>"}); err != nil || string(body) != `{"input":"some <text>","model":"m"}` {
		t.Errorf("%s %v", body, err)
	}
	for _, c := range []struct {
		status int
		body   string
		want   string
	}{
		{200, `{"model":"m","results":[{"categories":{"violence":true,"hate":false,"illicit":null},"category_scores":{"hate":0.00012}}]}`,
			`{"checks":[{"id":"hate","satisfied":true,"reasoning":"not found by m, 0.00012 of 1"},{"id":"violence","satisfied":false,"reasoning":"found by m"}]}`},
		{200, `{"results":[{"categories":{}}]}`, "broken"},
		{200, `{"results":[]}`, "broken"},
		{200, `{`, "broken"},
		{401, `{"error":{"message":"no"}}`, "denied"},
	} {
		a, err := provider.Moderation.Decode(provider.Response{Status: c.status, Body: c.body})
		got := a.Text
		if fault, ok := err.(*provider.Fault); ok {
			got = string(fault.Kind)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
