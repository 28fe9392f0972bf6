package provider_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge/provider/address"
)

// TestExchange: a temporary failure is retried, but a request that the server acts on only if the server refused it.
func TestExchange(t *testing.T) {
	for _, c := range []struct {
		name     string
		once     bool
		statuses []int
		want     string
		asked    int32
	}{
		{"refused for now", true, []int{429, 503, 200}, "", 3},
		{"a failure", false, []int{500, 200}, "", 2},
		{"a failure after the server has begun", true, []int{500, 200}, "the provider failed (status 500): no", 1},
		{"a lost connection", false, []int{0, 200}, "", 2},
		{"a lost connection after the server has begun", true, []int{0, 200}, "it could not be reached: the connection broke off", 1},
		{"for good", true, []int{503, 503, 503, 503}, "the provider failed (status 503): no", 4},
		{"gone", true, []int{404}, "there is no such model or address (status 404): no", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				status := c.statuses[asked.Add(1)-1]
				if status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(status)
				w.Write([]byte(map[bool]string{true: r.Method, false: "no"}[status == 200]))
			}))
			defer server.Close()
			client := provider.NewClient(time.Minute, provider.Limits{})
			client.Wait = func(context.Context, time.Duration) error { return nil }
			reply, err := client.Exchange(t.Context(), provider.Request{Method: http.MethodPut, Address: address.Address{URL: server.URL}, Once: c.once})
			if err != nil && err.Error() != c.want || err == nil && (c.want != "" || reply.Body != "PUT") || asked.Load() != c.asked {
				t.Errorf("asked %d times: %q, %v", asked.Load(), reply.Body, err)
			}
		})
	}
}
