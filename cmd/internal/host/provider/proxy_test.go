package provider_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

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
	says("https://provider.example/v1", "it could not be reached: the proxy that the environment names: nothing listens at `"+secure.Listener.Addr().String()+"`")
}
