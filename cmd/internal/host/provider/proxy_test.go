package provider_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

// TestMain sets a proxy up before the first request: the environment is read
// then, and never again. What goes to loopback does not pass it.
func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"choices":[{"message":{"content":"through the proxy to `+r.URL.Host+`"},"finish_reason":"stop"}]}`)
	}))
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		os.Unsetenv(name)
	}
	os.Setenv("HTTP_PROXY", proxy.URL)
	os.Setenv("HTTPS_PROXY", strings.Replace(gone.URL, "http://", "http://user:pass-secret@", 1))
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
	_, err = c.Judge(model(wire.OpenAI, "https://provider.example/v1")).Ask(t.Context(), question)
	if err == nil || err.Error() != "openai:m: it could not be reached: the proxy that the environment names: nothing listens at its address" {
		t.Error(err)
	}
}
