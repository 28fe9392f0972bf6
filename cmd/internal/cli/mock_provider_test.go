package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// mock is a provider that judges by a case's number, and fails by a plan: the
// first calls for some of the cases go wrong in one way or another.
type mock struct {
	faulty bool
	more   string // checks of criteria that all cases have besides two
	url    string // of the server, where it has one
	keys   sync.Map

	mu       sync.Mutex
	calls    int
	failed   int
	failures map[string]int // so far, by what was asked
	answered map[string]int
}

func newMock() *mock { return &mock{failures: map[string]int{}, answered: map[string]int{}} }

// startMock is a mock behind a server that stands in for OpenAI's, with nothing judged
// before.
func startMock(t *testing.T) *mock {
	m := newMock()
	site := httptest.NewServer(m)
	t.Cleanup(site.Close)
	m.url = site.URL
	useTempCache(t)
	t.Setenv("OPENAI_BASE_URL", m.url)
	return m
}

// failureHandlers are the ways to go wrong.
func failureHandlers() []http.HandlerFunc {
	status := func(code int, body string, after string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if after != "" {
				w.Header().Set("Retry-After-Ms", after)
			}
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	return []http.HandlerFunc{
		status(429, `{"error":{"message":"slow down, `+judgeKey+`"}}`, "2"),
		status(500, `{"error":{"message":"oops"}}`, ""),
		status(503, "<html>"+judgeKey+"</html>", ""),
		status(200, `{"choices":`, ""),
		status(200, `{"nothing":"of this"}`, ""),
		func(w http.ResponseWriter, _ *http.Request) { // half a body
			w.Header().Set("Content-Length", "5000")
			io.WriteString(w, `{"model":"m","choices":[{"message":{"content":"{}"`)
		},
		func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
}

// A dryRunPlan holds what a run would ask, and its JSON form.
func dryRunPlan(n int) int {
	switch {
	case n%40 == 0:
		return 3
	case n%3 == 0:
		return 1
	}
	return 0
}

func (m *mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	asked := string(body)
	m.keys.Store(r.Header.Get("Authorization"), true)
	found := caseNumber.FindStringSubmatch(asked)
	if found == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	n, _ := strconv.Atoi(found[1])
	again := strings.Contains(asked, "could not be used")
	m.mu.Lock()
	m.calls++
	if m.faulty && !again && m.failures[asked] < dryRunPlan(n) {
		m.failures[asked]++
		m.failed++
		way := failureHandlers()[(n/3+m.failures[asked])%len(failureHandlers())]
		m.mu.Unlock()
		way(w, r)
		return
	}
	m.answered[asked]++
	m.mu.Unlock()
	content, refusal := judgeReply(n, m.more), "null"
	switch {
	case n == 77: // which it will never judge
		content, refusal = "null", `"I would rather not."`
	case m.faulty && n%50 == 1 && !again:
		content = `"well, it is fine"`
	}
	fmt.Fprintf(w, `{"model":"mock-1","choices":[{"message":{"content":%s,"refusal":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`, content, refusal)
}

// judgeReply is the reply for a case, which tells the key.
func judgeReply(n int, more string) string {
	reply, _ := json.Marshal(fmt.Sprintf(`{"checks":[{"id":"a","satisfied":%v,"reasoning":"because of %s"},{"id":"b","satisfied":%v,"reasoning":"so"}%s],"overall_reasoning":"%d"}`,
		n%2 == 0, judgeKey, n%5 != 0, more, n))
	return string(reply)
}
