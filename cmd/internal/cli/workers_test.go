package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTargetWorkers: as many cases are asked at a time as the target's definition
// says, unless a person says otherwise. The target answers only when four wait.
func TestTargetWorkers(t *testing.T) {
	const together = 4
	var mu sync.Mutex
	waiting, all := 0, make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if waiting++; waiting == together {
			close(all)
		}
		mu.Unlock()
		_, _ = io.Copy(io.Discard, r.Body) // so that a client that goes is noticed
		select {
		case <-all:
			io.WriteString(w, `{"message":{"content":"We refund you."},"done":true}`)
		case <-r.Context().Done():
		}
	}))
	defer site.Close()
	dir := write(t, map[string]string{
		"x.eval.yaml":  three + "  - { id: d, expected_outcome: O, input: Q, rubrics: [Offers a refund] }\n",
		"targets.yaml": "targets: [{ name: it, provider: ollama, model: m, base_url: '" + site.URL + "', workers: 4, max_retries: 0 }]\n",
	})
	run := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--target", "it"}
	if code, stdout, stderr := rubric(t, "", append(run, "--timeout", "20s")...); code != 0 || !strings.Contains(stdout, "4 pass") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	waiting, all = 0, make(chan struct{})
	if code, stdout, _ := rubric(t, "", append(run, "--timeout", "100ms", "--workers", "2")...); code != 3 || !strings.Contains(stdout, "timed out after 100ms") {
		t.Errorf("%d\n%s", code, stdout)
	}
}
