//go:build unix

package cli_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A simulatedProvider answers questions about five criteria after a while. Latencies have a log-normal
// distribution, as those of models do: with the spread 0.5, one of a hundred takes 3.2 times the median.
type simulatedProvider struct {
	median   time.Duration
	rejected float64       // share of requests that get the status 429
	outage   time.Duration // after a second, all requests get the status 503 for so long
	start    time.Time
	requests atomic.Int64
	failed   atomic.Int64
}

func (p *simulatedProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	p.requests.Add(1)
	since := time.Since(p.start)
	switch {
	case since > time.Second && since < time.Second+p.outage:
		p.failed.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case rand.Float64() < p.rejected:
		p.failed.Add(1)
		w.Header().Set("Retry-After-Ms", "100")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	if p.median > 0 {
		time.Sleep(time.Duration(float64(p.median) * math.Exp(rand.NormFloat64()/2)))
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, scaleReply)
}

// scaleReply is the provider's response for every case.
var scaleReply = func() string {
	var checks []string
	for i := range 5 {
		checks = append(checks, fmt.Sprintf(`{\"id\":\"c%d\",\"satisfied\":true,\"reasoning\":\"The answer says so in its second sentence.\"}`, i))
	}
	return `{"model":"m-1","choices":[{"message":{"content":"{\"checks\":[` + strings.Join(checks, ",") + `],\"overall_reasoning\":\"ok\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":150}}`
}()

// writeScaleCases writes cases with five criteria each, as JSONL. It holds few of them at a time: the kernel
// counts the memory of this process as that of the processes it starts.
func writeScaleCases(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b := bufio.NewWriter(f)
	context := strings.Repeat("The customer bought it in spring and writes for the second time. ", 8)
	for i := range n {
		fmt.Fprintf(b, `{"id":"case-%d","expected_outcome":"A helpful answer","input":"Where is order %d? %s","expected_output":"It is on its way. It arrives on Monday.","rubrics":[`, i, i, context)
		for c := range 5 {
			fmt.Fprintf(b, `%s{"id":"c%d","expected_outcome":"Criterion %d of a helpful answer holds","weight":1}`, []string{"", ","}[min(c, 1)], c, c)
		}
		b.WriteString("]}\n")
	}
	return b.Flush()
}

// BenchmarkScale measures what docs/SCALE.md calculates with: one operation is a run of RUBRIC_SCALE_CASES
// cases (500 by default) of five criteria, judged by a provider in another process. It reports cases per second,
// processor time for each case, and the largest memory of a process.
func BenchmarkScale(b *testing.B) {
	cases, _ := strconv.Atoi(cmp.Or(os.Getenv("RUBRIC_SCALE_CASES"), "500"))
	dir := b.TempDir()
	binary, file := filepath.Join(dir, "rubric"), filepath.Join(dir, "cases.jsonl")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/rubric-ls/rubric/cmd/rubric").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	if err := writeScaleCases(file, cases); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name            string
		provider        *simulatedProvider
		shards, workers int
	}{
		{"instant", &simulatedProvider{}, 1, 32},
		{"instant/2-shards", &simulatedProvider{}, 2, 32},
		{"50ms/1-worker", &simulatedProvider{median: 50 * time.Millisecond}, 1, 1},
		{"50ms/10-workers", &simulatedProvider{median: 50 * time.Millisecond}, 1, 10},
		{"50ms/100-workers", &simulatedProvider{median: 50 * time.Millisecond}, 1, 100},
		{"50ms/8-shards-of-12-workers", &simulatedProvider{median: 50 * time.Millisecond}, 8, 12},
		{"1s/1000-workers", &simulatedProvider{median: time.Second}, 1, 1000},
		{"50ms/100-workers/10%-429", &simulatedProvider{median: 50 * time.Millisecond, rejected: 0.1}, 1, 100},
		{"50ms/100-workers/outage-3s", &simulatedProvider{median: 50 * time.Millisecond, outage: 3 * time.Second}, 1, 100},
	} {
		b.Run(c.name, func(b *testing.B) {
			var sum scaleUsage
			for range b.N {
				c.provider.start = time.Now()
				sum.add(runScale(b, binary, file, c.provider, c.shards, c.workers))
			}
			n := float64(b.N * cases)
			b.ReportMetric(n/sum.elapsed.Seconds(), "cases/s")
			b.ReportMetric(sum.processor.Seconds()*1000/n, "cpu-ms/case")
			b.ReportMetric(float64(sum.memory)/(1<<20), "MB")
			b.ReportMetric(float64(c.provider.requests.Load())/n, "requests/case")
			b.ReportMetric(sum.merge.Seconds()*1000/n, "merge-cpu-ms/case")
			b.ReportMetric(float64(sum.disk)/n, "B/case")
		})
	}
}

// scaleUsage is what runs used.
type scaleUsage struct {
	elapsed, processor, merge time.Duration
	memory                    int64 // bytes of the largest process
	disk                      int64 // bytes of the results
}

func (u *scaleUsage) add(o scaleUsage) {
	u.elapsed, u.processor, u.merge = u.elapsed+o.elapsed, u.processor+o.processor, u.merge+o.merge
	u.memory, u.disk = max(u.memory, o.memory), u.disk+o.disk
}

// runScale runs the shards of a file at the same time, and merges them if there are several.
func runScale(b *testing.B, binary, file string, provider *simulatedProvider, shards, workers int) (u scaleUsage) {
	site := httptest.NewServer(provider)
	defer site.Close()
	out := b.TempDir()
	var mu sync.Mutex
	execute := func(args ...string) (processor time.Duration) {
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+site.URL, "XDG_CACHE_HOME="+out)
		text, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 3 { // 3 if the provider rejected a question four times
			b.Errorf("%v: %.2000s", err, text)
		}
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		mu.Lock()
		defer mu.Unlock()
		u.memory = max(u.memory, usage.Maxrss<<10)
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	start := time.Now()
	var wg sync.WaitGroup
	for i := range shards {
		wg.Go(func() {
			args := []string{"run", file, "--judge", "openai:m", "--no-cache", "--quiet", "--workers", strconv.Itoa(workers)}
			if shards == 1 {
				args = append(args, "--out", filepath.Join(out, "r.jsonl"))
			} else {
				args = append(args, "--out", out, "--shard", fmt.Sprintf("%d/%d", i+1, shards))
			}
			used := execute(args...)
			mu.Lock()
			defer mu.Unlock()
			u.processor += used
		})
	}
	wg.Wait()
	u.elapsed = time.Since(start)
	if shards > 1 {
		u.merge = execute("runs", "merge", out, "--quiet", "--out", filepath.Join(out, "r.jsonl"))
	}
	if info, err := os.Stat(filepath.Join(out, "r.jsonl")); err == nil {
		u.disk = info.Size()
	}
	return u
}
