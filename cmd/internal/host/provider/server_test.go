package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

const key = "sk-test-0123456789"

// step is how the server answers one request.
type step func(http.ResponseWriter, *http.Request)

// reply answers with a status and a body, after some headers.
func reply(status int, body string, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// half announces more than it sends.
func half(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	fmt.Fprint(w, `{"model":"m","choices":[`)
}

// slow sends a beginning and then nothing, until the client is gone.
func slow(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, `{"model":`)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// dropped closes the connection without a word.
func dropped(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// server answers its requests step by step, the last step for all that follow.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	steps []step
	asked []string // the bodies of the requests
	keys  []string // what was shown as a key
}

func serve(t *testing.T, steps ...step) *server {
	s := &server{steps: steps}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body strings.Builder
	_, _ = fmt.Fprint(&body, r.Method, " ", r.URL.Path, " ")
	raw := make([]byte, max(0, r.ContentLength))
	n, _ := readFull(r, raw)
	body.Write(raw[:n])
	s.mu.Lock()
	s.asked = append(s.asked, body.String())
	s.keys = append(s.keys, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")+r.Header.Get("Api-Key")+r.Header.Get("X-Goog-Api-Key"))
	now := s.steps[0]
	if len(s.steps) > 1 {
		s.steps = s.steps[1:]
	}
	s.mu.Unlock()
	now(w, r)
}

func readFull(r *http.Request, into []byte) (n int, err error) {
	for n < len(into) && err == nil {
		var m int
		m, err = r.Body.Read(into[n:])
		n += m
	}
	return n, err
}

func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// clock is a time that passes only by waiting.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits = append(c.waits, d)
	c.now = c.now.Add(d)
	return context.Cause(ctx)
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// client is a client without chance and without waiting.
func client(timeout time.Duration, limits provider.Limits) (*provider.Client, *clock) {
	c, ticks := provider.NewClient(timeout, limits), &clock{now: time.Unix(0, 0)}
	c.Wait, c.Now, c.Jitter = ticks.wait, ticks.time, func() float64 { return 1 }
	return c, ticks
}

func model(p wire.Provider, base string) provider.Model {
	return provider.Model{Provider: p, Model: wire.Model{Name: "m", Base: base, Key: key}, Retry: provider.DefaultRetry}
}

var question = judge.Question{System: "S", User: "U", Schema: []byte(`{"type":"object"}`)}

// documented is a reply as the provider documents it.
func documented(t *testing.T, provider, name string) string {
	body, err := os.ReadFile(filepath.Join("../../../../core/judge/provider/testdata", provider, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// secure is the proxy of what goes by TLS: it leads nowhere, with the status in a host's name.
var secure *httptest.Server

// TestMain sets a proxy up before the first request: the environment is read
// then, and never again. What goes to loopback does not pass it.
func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host == "locked.example" {
			w.WriteHeader(http.StatusProxyAuthRequired)
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"through the proxy to `+r.URL.Host+`"},"finish_reason":"stop"}]}`)
	}))
	secure = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(strings.TrimSuffix(r.Host, ".example:443"))
		w.WriteHeader(status)
	}))
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		os.Unsetenv(name)
	}
	os.Setenv("HTTP_PROXY", proxy.URL)
	os.Setenv("HTTPS_PROXY", strings.Replace(secure.URL, "http://", "http://user:pass-secret@", 1))
	code := m.Run()
	proxy.Close()
	os.Exit(code)
}

// TestProxies of the environment are gone through, and named when they are away.
func TestProxies(t *testing.T) {
	c, _ := client(time.Minute, provider.Limits{})
	a, err := c.Judge(model(wire.OpenAI, "http://provider.example/v1")).Ask(t.Context(), question)
	if err != nil || a.Text != "through the proxy to provider.example" {
		t.Errorf("%+v, %v", a, err)
	}
	says := func(at, want string) {
		t.Helper()
		_, err := c.Judge(model(wire.OpenAI, at)).Ask(t.Context(), question)
		if err == nil || !errors.Is(err, judge.ErrUnreachable) || err.Error() != "openai:m: "+want {
			t.Errorf("%s: %v, want %s", at, err, want)
		}
	}
	says("http://locked.example/v1", "it could not be reached: the proxy that the environment names requires a valid user and password in its address (status 407)")
	says("https://407.example/v1", "it could not be reached: the proxy that the environment names requires a valid user and password in its address (status 407)")
	says("https://403.example/v1", "it could not be reached: the proxy that the environment names refused to connect (status 403)")
	says("https://503.example/v1", "tried 4 times: it could not be reached: the proxy that the environment names failed (status 503)")
	direct := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) }))
	defer direct.Close()
	if _, err := c.Judge(model(wire.OpenAI, direct.URL)).Ask(t.Context(), question); err == nil || err.Error() != "openai:m: the provider rejected the request (status 407)" {
		t.Errorf("to whom no proxy leads: %v", err)
	}
	secure.Close()
	address := secure.Listener.Addr().String()
	says("https://provider.example/v1", "it could not be reached: the proxy that the environment names: nothing listens at `"+address+"`")
	again, err := net.Listen("tcp", address) // for -count
	if err != nil {
		t.Fatal(err)
	}
	secure = &httptest.Server{Listener: again, Config: &http.Server{Handler: secure.Config.Handler}}
	secure.Start()
}

// TestIdentity: what an answer depends on makes another model, and nothing else
// does.
func TestIdentity(t *testing.T) {
	base := func() provider.Model { return model(wire.OpenAI, "") }
	same := map[string]func(*provider.Model){
		"key": func(m *provider.Model) { m.Key = "other" }, "patience": func(m *provider.Model) { m.Retry.Retries = 9 },
		"timeout": func(m *provider.Model) { m.Timeout = time.Hour }, "limits": func(m *provider.Model) { m.Limits.Tokens = 9 },
		"the usual address": func(m *provider.Model) { m.Base = m.Provider.BaseURL },
	}
	for name, change := range same {
		if m := base(); m.Identity() != base().Identity() {
			t.Error("it is not the same twice")
		} else if change(&m); m.Identity() != base().Identity() {
			t.Errorf("%s makes another model", name)
		}
	}
	half := 0.5
	for name, change := range map[string]func(*provider.Model){
		"name": func(m *provider.Model) { m.Name = "n" }, "address": func(m *provider.Model) { m.Base = "http://x" },
		"provider": func(m *provider.Model) { m.Provider = wire.Responses }, "temperature": func(m *provider.Model) { m.Temperature = &half },
		"seed": func(m *provider.Model) { m.Seed = 1 }, "limit": func(m *provider.Model) { m.MaxTokens = 9 }, "thinking": func(m *provider.Model) { m.Thinking = 9 },
		"version": func(m *provider.Model) { m.Version = "v" }, "headers": func(m *provider.Model) { m.Headers = map[string]string{"a": "b"} },
	} {
		m := base()
		if change(&m); m.Identity() == base().Identity() {
			t.Errorf("%s does not make another model", name)
		}
	}
}
