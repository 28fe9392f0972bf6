package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// A receiver holds what it is sent by OTLP.
type receiver struct {
	mu      sync.Mutex
	spans   []*traces.Span
	metrics map[string]bool
}

func (r *receiver) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	var t collecttraces.ExportTraceServiceRequest
	var m collectmetrics.ExportMetricsServiceRequest
	switch request.URL.Path {
	case "/v1/traces":
		if err := proto.Unmarshal(body, &t); err != nil {
			panic(err)
		}
	case "/v1/metrics":
		if err := proto.Unmarshal(body, &m); err != nil {
			panic(err)
		}
	}
	for _, resource := range t.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
	for _, resource := range m.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, metric := range scope.Metrics {
				r.metrics[metric.Name] = true
			}
		}
	}
}

// describe names a span, its questions and whether they were cached.
func describe(s *traces.Span) string {
	text := s.Name
	for _, e := range s.Events {
		if e.Name == "gen_ai.client.inference.operation.details" {
			text += fmt.Sprint(" cached=", value(e.Attributes, "rubric.cached").GetBoolValue(), " tokens=", value(e.Attributes, "gen_ai.usage.input_tokens").GetIntValue())
		}
	}
	return text
}

func value(attributes []*common.KeyValue, key string) *common.AnyValue {
	for _, a := range attributes {
		if a.Key == key {
			return a.Value
		}
	}
	return nil
}

const suite = `evalcases:
  - { id: one, expected_outcome: O, input: Q, expected_output: A secret answer, rubrics: [{ id: a, expected_outcome: A }] }
`

// project changes to a folder with one case, and starts a provider and a receiver.
func project(t *testing.T) (otlp string, r *receiver) {
	t.Helper()
	connect()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"model":"m-1","choices":[{"message":{"content":"{\"checks\":[{\"id\":\"a\",\"satisfied\":true,\"reasoning\":\"so\"}],\"overall_reasoning\":\"ok\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`)
	}))
	t.Cleanup(provider.Close)
	r = &receiver{metrics: map[string]bool{}}
	collector := httptest.NewServer(r)
	t.Cleanup(collector.Close)
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	t.Setenv("OPENAI_API_KEY", "a-secret-key")
	t.Setenv("OPENAI_BASE_URL", provider.URL)
	t.Chdir(dir)
	if err := os.WriteFile(filepath.Join(dir, "x.eval.yaml"), []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	return collector.URL, r
}

func execute(t *testing.T, want int, args ...string) {
	t.Helper()
	executeTo(t, &bytes.Buffer{}, want, args...)
}

func executeTo(t *testing.T, out *bytes.Buffer, want int, args ...string) {
	t.Helper()
	if code := cli.Main(append(args, "x.eval.yaml", "--judge", "openai:m"), strings.NewReader(""), out, out); code != want {
		t.Errorf("%s: %d\n%s", args, code, out)
	}
}

// TestTelemetry: a receiver gets the trace of a run with its cases, their questions and what was cached, and metrics. It gets
// no text and no key. An unreachable receiver does not change a run.
func TestTelemetry(t *testing.T) {
	otlp, r := project(t)
	execute(t, 0, "run", "--otlp", otlp)
	execute(t, 0, "run", "--otlp", otlp, "--log", "run.log")
	execute(t, 0, "run", "--otlp", "http://127.0.0.1:1")
	execute(t, 2, "run", "--otlp", otlp, "--queue", "nats://127.0.0.1:1")
	var got []string
	for _, s := range r.spans {
		got = append(got, describe(s))
		if strings.Contains(s.String(), "secret") {
			t.Errorf("a text is sent: %s", s)
		}
	}
	if want := "case one cached=false tokens=100, run, case one cached=true tokens=100, run"; strings.Join(got, ", ") != want {
		t.Errorf("%q", got)
	}
	if len(r.spans) == 4 && (!bytes.Equal(r.spans[0].ParentSpanId, r.spans[1].SpanId) || r.spans[0].EndTimeUnixNano < r.spans[0].StartTimeUnixNano) {
		t.Errorf("%v", r.spans[:2])
	}
	log, err := os.ReadFile("run.log")
	var line struct {
		ID, Verdict, Trace string
		Questions, Cached  int
	}
	if err != nil || json.Unmarshal(log, &line) != nil || line.ID != "one" || line.Verdict != "pass" || line.Questions != 1 || line.Cached != 1 || line.Trace != hex.EncodeToString(r.spans[2].TraceId) {
		t.Errorf("%s, %v", log, err)
	}
	for _, name := range []string{"rubric.cases", "rubric.questions", "rubric.case.duration", "gen_ai.client.token.usage"} {
		if !r.metrics[name] {
			t.Errorf("%s is not sent", name)
		}
	}
}

// TestWorkerMetrics: Prometheus reads what a worker has run, and the receiver gets the worker's trace.
func TestWorkerMetrics(t *testing.T) {
	otlp, r := project(t)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	read := make(chan string, 1)
	go func() { // the worker waits for its coordinator, so its page is there
		for {
			response, err := http.Get("http://" + address + "/metrics")
			if err != nil {
				time.Sleep(10 * time.Millisecond)
				continue
			}
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			read <- string(body)
			return
		}
	}()
	var wg sync.WaitGroup
	wg.Go(func() {
		execute(t, 0, "worker", "--queue", s.ClientURL(), "--otlp", otlp, "--metrics", address)
	})
	if page := <-read; !strings.Contains(page, "target_info") {
		t.Errorf("%s", page)
	}
	execute(t, 0, "run", "--queue", s.ClientURL())
	wg.Wait()
	if len(r.spans) != 2 || describe(r.spans[0]) != "case one cached=false tokens=100" || !r.metrics["rubric.cases"] {
		t.Errorf("%v, %v", r.spans, r.metrics)
	}
}
