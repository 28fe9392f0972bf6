package provider_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
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
	body, err := os.ReadFile(filepath.Join("../../../../testdata/wire", provider, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
