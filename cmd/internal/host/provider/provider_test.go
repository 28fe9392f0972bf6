package provider_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

// TestEveryProvider is asked with its key and answers as it documents.
func TestEveryProvider(t *testing.T) {
	for _, p := range wire.Providers() {
		t.Run(p.Name, func(t *testing.T) {
			form := p.Name
			if slices.Contains([]string{"openrouter", "vllm", "lmstudio"}, form) {
				form = "openai" // which they imitate
			}
			s := serve(t, reply(200, documented(t, form, "ok.200")))
			c, _ := client(time.Minute, provider.Limits{})
			a, err := c.Judge(model(p, s.URL)).Ask(t.Context(), question)
			if err != nil || !strings.HasPrefix(a.Text, `{"checks":[{"id":"polite"`) || a.Model == "" || a.Usage.Input == 0 || a.Usage.Output == 0 {
				t.Errorf("%+v, %v", a, err)
			}
			if len(s.keys) != 1 || strings.TrimPrefix(s.keys[0], "Bearer ") != key {
				t.Errorf("it was shown the keys %q", s.keys)
			}
		})
	}
}

// TestKeepsNoReply: an answer holds nothing of its reply but what it says.
func TestKeepsNoReply(t *testing.T) {
	thoughts := strings.Repeat("hm ", 1<<20)
	s := serve(t, reply(200, `{"model":"m","choices":[{"message":{"content":"Yes.","reasoning":"`+thoughts+`"},"finish_reason":"stop"}]}`))
	c, _ := client(time.Minute, provider.Limits{})
	j := c.Judge(model(wire.OpenAI, s.URL))
	inUse := func() uint64 {
		var now runtime.MemStats
		runtime.GC()
		runtime.GC() // for what is pooled
		runtime.ReadMemStats(&now)
		return now.HeapAlloc
	}
	before := inUse()
	var all []judge.Answer
	for range 5 {
		a, err := j.Ask(t.Context(), question)
		if err != nil || a.Text != "Yes." {
			t.Fatalf("%.100q, %v", a.Text, err)
		}
		all = append(all, a)
	}
	if more := int64(inUse() - before); more > int64(2*len(thoughts)) {
		t.Errorf("%d answers keep %d bytes of replies of %d", len(all), more, len(thoughts))
	}
	runtime.KeepAlive(all)
}

// TestTries: temporary failures are retried, after the delay that the provider asks for or one
// that grows. Others are reported at once.
func TestTries(t *testing.T) {
	ok := reply(200, documented(t, "openai", "ok.200"))
	tooLarge := strings.Repeat(" ", 9<<20) + documented(t, "openai", "ok.200")
	packed, packedTooLarge := zipped(documented(t, "openai", "ok.200")), zipped(tooLarge)
	failure := func(name string, headers ...string) step {
		return reply(map[string]int{"rate": 429, "quota": 429, "server": 500, "key": 401, "model": 404, "context": 400, "schema": 400, "temperature": 400}[name],
			documented(t, "openai", map[string]string{"rate": "rate.429", "quota": "quota.429", "server": "server.500", "key": "key.401", "model": "model.404",
				"context": "context.400", "schema": "schema.400", "temperature": "temperature.400"}[name]), headers...)
	}
	for _, c := range []struct {
		name  string
		steps []step
		calls int
		waits []time.Duration
		fails string // "" if there is an answer in the end
	}{
		{"at once", []step{ok}, 1, nil, ""},
		{"a limit that says how long", []step{failure("rate", "Retry-After: 7"), ok}, 2, []time.Duration{8 * time.Second}, ""},
		{"a limit that does not", []step{failure("rate"), ok}, 2, []time.Duration{time.Second}, ""},
		{"failures, ever later", []step{failure("server"), failure("server"), failure("server"), ok}, 4, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, ""},
		{"failures without end", []step{failure("server")}, 4, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, "openai:m: tried 4 times: the provider failed (status 500): The server had an error"},
		{"half a body", []step{half, ok}, 2, []time.Duration{time.Second}, ""},
		{"no JSON", []step{reply(200, "<html>"), ok}, 2, []time.Duration{time.Second}, ""},
		{"JSON of something else", []step{reply(200, `{"choices":7}`), ok}, 2, []time.Duration{time.Second}, ""},
		{"nothing", []step{reply(200, ""), ok}, 2, []time.Duration{time.Second}, ""},
		{"what begins with a byte order mark", []step{reply(200, "\uFEFF"+documented(t, "openai", "ok.200"))}, 1, nil, ""},
		{"what is compressed though nobody asked", []step{reply(200, packed, "Content-Encoding: GZIP")}, 1, nil, ""},
		{"a mistake that is compressed", []step{reply(400, packed, "Content-Encoding: gzip")}, 1, nil, "openai:m: the provider rejected the request (status 400)"},
		{"half of what is compressed", []step{reply(200, packed[:len(packed)-20], "Content-Encoding: gzip"), ok}, 2, []time.Duration{time.Second}, ""},
		{"what is compressed as nobody knows", []step{reply(200, "\x1b", "Content-Encoding: br")}, 4, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, "openai:m: tried 4 times: it could not be reached: its reply has the unsupported encoding `br`"},
		{"a wrong key, compressed as nobody knows", []step{reply(401, "\x1b", "Content-Encoding: br")}, 1, nil, "openai:m: the key was not accepted (status 401)"},
		{"a wrong key, with nothing that is compressed", []step{reply(401, "", "Content-Encoding: gzip")}, 1, nil, "openai:m: the key was not accepted (status 401)"},
		{"a connection that is closed", []step{dropped, ok}, 2, []time.Duration{time.Second}, ""},
		{"far too much", []step{reply(200, tooLarge), ok}, 2, []time.Duration{time.Second}, ""},
		{"far too much once it is unpacked", []step{reply(200, packedTooLarge, "Content-Encoding: gzip"), ok}, 2, []time.Duration{time.Second}, ""},
		{"a wait that nobody waits for", []step{failure("rate", "Retry-After: 3600")}, 1, nil, "openai:m: the provider's rate limit is reached (status 429): Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s. (it asks to wait 1h0m0s)"},
		{"an account that is empty", []step{failure("quota")}, 1, nil, "openai:m: the account has no quota left (status 429)"},
		{"a wrong key", []step{failure("key")}, 1, nil, "openai:m: the key was not accepted (status 401)"},
		{"a model that is not there", []step{failure("model")}, 1, nil, "openai:m: there is no such model or address (status 404): The model `gpt-9` does not exist or you do not have access to it. (asked at `http://127.0.0.1:"},
		{"a question that is too long", []step{failure("context")}, 1, nil, "openai:m: the provider rejected the request (status 400)"},
		{"a refusal", []step{reply(200, documented(t, "openai", "refusal.200"))}, 1, nil, "openai:m: the model refused to answer: I'm sorry"},
		{"a cut", []step{reply(200, documented(t, "openai", "length.200"))}, 1, nil, "openai:m: the reply was cut off at the token limit"},
		{"a filter", []step{reply(200, documented(t, "openai", "filter.200"))}, 1, nil, "openai:m: a content filter of the provider withheld the reply"},
		{"what the model does not take", []step{failure("schema"), failure("temperature"), ok}, 3, nil, ""},
		{"what it still does not take", []step{failure("schema")}, 2, nil, "openai:m: the model does not support a schema (status 400)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.steps...)
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			client, ticks := client(time.Minute, provider.Limits{})
			a, err := client.Judge(model(wire.OpenAI, s.URL)).Ask(t.Context(), question)
			if c.fails == "" && (err != nil || a.Text == "") || c.fails != "" && (err == nil || !strings.HasPrefix(err.Error(), c.fails)) {
				t.Errorf("%+v, %v", a, err)
			}
			if n := len(s.requests()); n != c.calls || !slices.Equal(ticks.waits, c.waits) {
				t.Errorf("%d calls and waits of %v, want %d and %v", n, ticks.waits, c.calls, c.waits)
			}
		})
	}
}

func zipped(text string) string {
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	io.WriteString(w, text)
	w.Close()
	return packed.String()
}

// TestCutShort: a limit that a target has set itself is named where it was reached.
func TestCutShort(t *testing.T) {
	s := serve(t, reply(200, documented(t, "openai", "length.200")))
	c, _ := client(time.Minute, provider.Limits{})
	m := model(wire.OpenAI, s.URL)
	m.MaxTokens = 16
	if _, err := c.Judge(m).Ask(t.Context(), question); err == nil || err.Error() != "openai:m: the reply was cut off at the token limit: `max_output_tokens` is 16" {
		t.Error(err)
	}
}

// TestLearns: a feature that a model does not support is left out from then on, and the prompt
// describes the reply instead.
func TestLearns(t *testing.T) {
	s := serve(t, reply(400, documented(t, "openai", "schema.400")), reply(200, documented(t, "openai", "ok.200")))
	c, _ := client(time.Minute, provider.Limits{})
	j := c.Judge(model(wire.OpenAI, s.URL))
	for range 2 {
		if _, err := j.Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
	}
	asked := s.requests()
	for i, schema := range []bool{true, false, false} {
		if strings.Contains(asked[i], `"json_schema"`) != schema || strings.Contains(asked[i], "valid for this JSON Schema") == schema {
			t.Errorf("request %d: %s", i, asked[i])
		}
	}
}

// TestLasting: after a rejected key nothing more is sent.
func TestLasting(t *testing.T) {
	s := serve(t, reply(401, `{}`))
	c, _ := client(time.Minute, provider.Limits{})
	j := c.Judge(model(wire.OpenAI, s.URL))
	for range 3 {
		if _, err := j.Ask(t.Context(), question); !errors.Is(err, judge.ErrUnreachable) {
			t.Error(err)
		}
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// TestTimeout: a body that stops is given up and asked for again.
func TestTimeout(t *testing.T) {
	s := serve(t, slow, reply(200, documented(t, "openai", "ok.200")))
	c, _ := client(100*time.Millisecond, provider.Limits{})
	if a, err := c.Judge(model(wire.OpenAI, s.URL)).Ask(t.Context(), question); err != nil || a.Text == "" {
		t.Error(err)
	}
	s = serve(t, slow)
	c, _ = client(20*time.Millisecond, provider.Limits{})
	_, err := c.Judge(model(wire.OpenAI, s.URL)).Ask(t.Context(), question)
	if err == nil || err.Error() != "openai:m: tried 4 times: it could not be reached: timed out after 20ms" {
		t.Error(err)
	}
}

// TestCancel ends a request in the middle of its reply, and a wait.
func TestCancel(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"model":`)
		w.(http.Flusher).Flush()
		cancel(stop)
		<-r.Context().Done()
	})
	c, ticks := client(time.Minute, provider.Limits{})
	if _, err := c.Judge(model(wire.OpenAI, s.URL)).Ask(ctx, question); err != stop || len(ticks.waits) != 0 || len(s.requests()) != 1 {
		t.Errorf("%v after %v and %d requests", err, ticks.waits, len(s.requests()))
	}
	s = serve(t, reply(500, ""))
	ctx, cancel = context.WithCancelCause(t.Context())
	patient := provider.NewClient(time.Minute, provider.Limits{}) // which waits by the real clock
	patient.Jitter = func() float64 { cancel(stop); return 1 }
	m := model(wire.OpenAI, s.URL)
	m.Retry.InitialDelay, m.Retry.MaxDelay = time.Hour, time.Hour
	if _, err := patient.Judge(m).Ask(ctx, question); err != stop {
		t.Error(err)
	}
}

// TestRedirects: a key goes nowhere but where it is for.
func TestRedirects(t *testing.T) {
	other := serve(t, reply(200, documented(t, "anthropic", "ok.200")))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, reply(status, "", "Location: "+other.URL+"/v1/messages"))
		c, _ := client(time.Minute, provider.Limits{})
		_, err := c.Judge(model(wire.Anthropic, s.URL)).Ask(t.Context(), question)
		want := "anthropic:m: it could not be reached: it redirects to `" + other.URL + "`; neither the request nor its key is sent there"
		if err == nil || err.Error() != want {
			t.Errorf("%d: %v", status, err)
		}
	}
	if n := len(other.requests()); n != 0 {
		t.Errorf("the other host saw %d requests", n)
	}
	s := serve(t, reply(308, "", "Location: /elsewhere"), reply(200, documented(t, "anthropic", "ok.200")))
	c, _ := client(time.Minute, provider.Limits{})
	if _, err := c.Judge(model(wire.Anthropic, s.URL)).Ask(t.Context(), question); err != nil || !strings.HasPrefix(s.requests()[1], "POST /elsewhere {") {
		t.Errorf("on the same host: %v, %q", err, s.requests())
	}
	turning := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer turning.Close()
	c, _ = client(time.Minute, provider.Limits{})
	if _, err := c.Judge(model(wire.Anthropic, turning.URL)).Ask(t.Context(), question); err == nil || !strings.Contains(err.Error(), "it redirects too often") {
		t.Errorf("in circles: %v", err)
	}
}

// TestPassword: a name and password in an address are what a browser makes of them.
func TestPassword(t *testing.T) {
	var name, password string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ = r.BasicAuth()
		io.WriteString(w, documented(t, "ollama", "ok.200"))
	}))
	defer s.Close()
	c, _ := client(time.Minute, provider.Limits{})
	m := model(wire.Ollama, strings.Replace(s.URL, "http://", "http://us%40er:pass@", 1))
	m.Key = ""
	if _, err := c.Judge(m).Ask(t.Context(), question); err != nil || name != "us@er" || password != "pass" {
		t.Errorf("%q %q, %v", name, password, err)
	}
}

// TestClosedConnection: a request is repeated at once if the server closes a kept
// connection without a reply.
func TestClosedConnection(t *testing.T) {
	ok := reply(200, documented(t, "openai", "ok.200"))
	s := serve(t, ok, dropped, ok)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	client, ticks := client(time.Minute, provider.Limits{})
	judge := client.Judge(model(wire.OpenAI, s.URL))
	for range 2 {
		if _, err := judge.Ask(t.Context(), question); err != nil {
			t.Error(err)
		}
	}
	if n := len(s.requests()); n != 3 || len(ticks.waits) != 0 {
		t.Errorf("%d requests after waits of %v, want 3 and no wait", n, ticks.waits)
	}
}

// TestLongHead: headers of a reply are read up to a limit.
func TestLongHead(t *testing.T) {
	s := serve(t, reply(200, "", "X-Long: "+strings.Repeat("x", 2<<20)), reply(200, documented(t, "openai", "ok.200")))
	client, ticks := client(time.Minute, provider.Limits{})
	if _, err := client.Judge(model(wire.OpenAI, s.URL)).Ask(t.Context(), question); err != nil || len(ticks.waits) != 1 {
		t.Errorf("%v after waits of %v, want an answer after one", err, ticks.waits)
	}
}

// TestHeaders: an invalid header is reported at once, without its value.
func TestHeaders(t *testing.T) {
	s := serve(t, reply(200, documented(t, "openai", "ok.200")))
	for _, c := range []struct{ name, value, want string }{
		{"X Team", "a", "openai:m: it could not be reached: `X Team` is not a valid header name"},
		{"X-Team", "one\ntwo", "openai:m: it could not be reached: its header `X-Team` contains a control character"},
		{"", "a", "openai:m: it could not be reached: `` is not a valid header name"},
		{"X-Team", "one\ttwo \u00e9", ""},
	} {
		client, ticks := client(time.Minute, provider.Limits{})
		m := model(wire.OpenAI, s.URL)
		m.Headers = map[string]string{c.name: c.value}
		answer := ""
		if _, err := client.Judge(m).Ask(t.Context(), question); err != nil {
			answer = err.Error()
		}
		if answer != c.want || len(ticks.waits) != 0 {
			t.Errorf("%q: %q: %q after %v", c.name, c.value, answer, ticks.waits)
		}
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// TestNothingListens: a failed connection is reported at once, in plain words.
func TestNothingListens(t *testing.T) {
	quiet := func(s *httptest.Server) *httptest.Server {
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		return s
	}
	plain := serve(t, reply(200, ""))
	signed := quiet(httptest.NewTLSServer(plain))
	defer signed.Close()
	picky := quiet(httptest.NewUnstartedServer(plain))
	picky.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}
	picky.StartTLS()
	defer picky.Close()
	gone := httptest.NewServer(plain)
	gone.Close()
	for _, c := range []struct{ name, base, want string }{
		{"a certificate of nobody's", signed.URL, "its certificate is not signed by an authority that this machine trusts"},
		{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), "it does not speak TLS"},
		{"nothing", gone.URL, "nothing listens at `" + gone.Listener.Addr().String() + "`"},
		{"no address", "ftp://" + key + "@x", "its address is not an http or https URL"},
	} {
		client, ticks := client(10*time.Second, provider.Limits{})
		_, err := client.Judge(model(wire.Ollama, c.base)).Ask(t.Context(), question)
		if err == nil || !strings.HasPrefix(err.Error(), "ollama:m: it could not be reached: "+c.want) || !errors.Is(err, judge.ErrUnreachable) || len(ticks.waits) > 0 {
			t.Errorf("%s: %v, waits %v", c.name, err, ticks.waits)
		}
	}
}

// TestComesBack: a server that answered before is retried.
func TestComesBack(t *testing.T) {
	s := serve(t, reply(200, documented(t, "ollama", "ok.200")))
	c, ticks := client(time.Minute, provider.Limits{})
	j := c.Judge(model(wire.Ollama, s.URL))
	if _, err := j.Ask(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := j.Ask(t.Context(), question); err == nil || len(ticks.waits) != 3 {
		t.Errorf("%v after %v", err, ticks.waits)
	}
}

// TestKeysStayHidden wherever a server may put them.
func TestKeysStayHidden(t *testing.T) {
	long := strings.Repeat("x", 290) + " " // so that the message ends inside the key
	for name, s := range map[string]step{
		"error": reply(401, `{"error":{"message":"no such key: `+key+`"}}`), "page": reply(500, "<h1>"+key),
		"cut": reply(400, `{"error":"`+long+key+`"}`), "header": reply(400, `{"error":"team hidden-header-1, key Hidden-Bearer-1"}`),
		"redirect": reply(302, "", "Location: http://"+key+".example/?"+key),
		"refusal":  reply(200, `{"choices":[{"message":{"refusal":"`+key+`"}}]}`),
		"answer":   reply(200, `{"model":"`+key+`","choices":[{"message":{"content":"{\"a\":\"`+key+`\"}"},"finish_reason":"stop"}]}`),
		"escaped":  reply(200, `{"choices":[{"message":{"content":"`+strings.ReplaceAll(key, "s", `\u0073`)+`"},"finish_reason":"stop"}]}`),
	} {
		c, _ := client(time.Minute, provider.Limits{})
		m := model(wire.OpenAI, strings.Replace(serve(t, s).URL, "http://", "http://user-secret:pass-secret@", 1)+"/?key=query-secret")
		m.Headers = map[string]string{"X-Team": "hidden-header-1", "Gateway-Authorization": "bearer Hidden-Bearer-1"}
		a, err := c.Judge(m).Ask(t.Context(), question)
		answer := a.Text + a.Model
		if err != nil {
			answer += err.Error()
		}
		for _, secret := range []string{key, key[:9], "hidden-header", "Hidden-Bearer", "user-secret", "pass-secret", "query-secret"} {
			if strings.Contains(answer, secret) {
				t.Errorf("%s: %q tells %q", name, answer, secret)
			}
		}
		if !strings.Contains(answer, "[key]") && name != "cut" && name != "redirect" {
			t.Errorf("%s: %q", name, answer)
		}
	}
}

// TestOpenHeaders: an answer may speak of what a header says that is no key.
func TestOpenHeaders(t *testing.T) {
	const text = "Visit https://acme.example of Acme Support since 2024-10-21."
	s := serve(t, reply(200, `{"choices":[{"message":{"content":"`+text+`"},"finish_reason":"stop"}]}`))
	c, _ := client(time.Minute, provider.Limits{})
	m := model(wire.OpenAI, s.URL+"?api-version=2024-10-21")
	m.Headers = map[string]string{"HTTP-Referer": "https://acme.example", "X-Title": "Acme Support"}
	if a, err := c.Judge(m).Ask(t.Context(), question); err != nil || a.Text != text {
		t.Errorf("%q, %v", a.Text, err)
	}
}

// TestNothingToHide: a text without a key is itself, and no copy.
func TestNothingToHide(t *testing.T) {
	answer, hiding := strings.Repeat("It is in the form. ", 100), provider.NewRedactor([]string{key})
	if n := testing.AllocsPerRun(100, func() { _ = hiding.Replace(answer) }); n > 0 {
		t.Errorf("it is copied: %v allocations", n)
	}
}

// TestLimitsOfItsOwn are each model's, whoever else is at its address; what it does not
// limit itself, the client does.
func TestLimitsOfItsOwn(t *testing.T) {
	s := serve(t, reply(200, documented(t, "openai", "ok.200")))
	client, ticks := client(time.Minute, provider.Limits{Requests: 30})
	for _, c := range []struct {
		limits provider.Limits
		want   time.Duration // until five questions are answered
	}{
		{provider.Limits{Requests: 1}, 4 * time.Minute}, {provider.Limits{Requests: 6000}, 0}, {provider.Limits{Tokens: 1e6}, 8 * time.Second},
	} {
		m, begun := model(wire.OpenAI, s.URL), ticks.time()
		m.Limits = c.limits
		for range 5 {
			if _, err := client.Judge(m).Ask(t.Context(), question); err != nil {
				t.Fatal(err)
			}
		}
		if took := ticks.time().Sub(begun); took != c.want {
			t.Errorf("%+v: %s, want %s", c.limits, took, c.want)
		}
	}
}

// TestLimits spreads requests and tokens over time, and pauses all of them when the provider asks
// for it.
func TestLimits(t *testing.T) {
	ok := documented(t, "openai", "ok.200") // 19 tokens in, 10 out
	for _, c := range []struct {
		name   string
		limits provider.Limits
		steps  []step
		want   time.Duration // until five questions are answered
	}{
		{"none", provider.Limits{}, []step{reply(200, ok)}, 0},
		{"requests", provider.Limits{Requests: 30}, []step{reply(200, ok)}, 8 * time.Second},
		{"a rest", provider.Limits{}, []step{reply(429, "", "Retry-After: 9"), reply(200, ok)}, 10 * time.Second},
	} {
		s := serve(t, c.steps...)
		client, ticks := client(time.Minute, c.limits)
		for range 5 { // models of their own, at one address
			if _, err := client.Judge(model(wire.OpenAI, s.URL)).Ask(t.Context(), question); err != nil {
				t.Fatal(err)
			}
		}
		if took := ticks.time().Sub(time.Unix(0, 0)); took != c.want {
			t.Errorf("%s: %s, want %s", c.name, took, c.want)
		}
	}
	s := serve(t, reply(200, strings.Replace(ok, `"prompt_tokens":19`, `"prompt_tokens":5990`, 1)))
	client, ticks := client(time.Minute, provider.Limits{Tokens: 6000})
	j := client.Judge(model(wire.OpenAI, s.URL))
	for range 3 {
		if _, err := j.Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
	}
	if took := ticks.time().Sub(time.Unix(0, 0)); took < 60*time.Second || took > 121*time.Second {
		t.Errorf("three times a minute's tokens took %s", took)
	}
}
