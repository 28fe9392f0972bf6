//go:build unix

package cli_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var kills = flag.Int("kills", 8, "at how many moments a run is killed")

// A killingProvider is a provider that kills the asking process at a chosen moment.
type killingProvider struct {
	mu           sync.Mutex
	answered     map[int]int // replies sent in full, by case
	requestCount int         // requests of the process that lives
	victim       *os.Process // nil: nobody is killed
	killAt       int         // at which of its requests
	moment       int         // before the reply, in the middle of it, or after
	cmdlines     string      // of those who asked
}

func (d *killingProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	n, _ := strconv.Atoi(caseNumber.FindStringSubmatch(string(body))[1])
	content, _ := json.Marshal(fmt.Sprintf(`{"checks":[{"id":"a","satisfied":%v,"reasoning":"so"},{"id":"b","satisfied":true,"reasoning":"so"}],"overall_reasoning":"%d"}`, n%3 != 0, n))
	reply := fmt.Sprintf(`{"model":"m","choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`, content)
	w.Header().Set("Content-Length", strconv.Itoa(len(reply)))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requestCount++
	now := d.victim != nil && d.requestCount == d.killAt
	if now {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", d.victim.Pid)) // where there is one
		d.cmdlines += string(line)
	}
	if now && d.moment == 0 {
		d.kill()
		return
	}
	io.WriteString(w, reply[:len(reply)/2])
	if now && d.moment == 1 {
		w.(http.Flusher).Flush()
		d.kill()
		return
	}
	io.WriteString(w, reply[len(reply)/2:])
	w.(http.Flusher).Flush()
	d.answered[n]++
	if now {
		d.kill()
	}
}

func (d *killingProvider) kill() {
	_ = d.victim.Kill()
	d.victim = nil
}

// TestKilled: a run that is killed again and again, at whatever moment, and
// resumed each time, ends with the results of one that nobody touched. What had
// been answered is not asked again, but for what was under way; and neither its
// files nor what others see of the process hold the key.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const workers = 4
	seed := rand.New(rand.NewPCG(7, uint64(*kills)))
	site := &killingProvider{answered: map[int]int{}}
	server := httptest.NewServer(site)
	defer server.Close()
	binary := buildBinary(t)
	cache := useTempCache(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", server.URL)
	all := *kills*6 + 20
	var suite strings.Builder
	suite.WriteString("evalcases:\n")
	for n := range all {
		fmt.Fprintf(&suite, "  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", n, n)
	}
	dir := write(t, map[string]string{"x.eval.yaml": suite.String()})
	result := filepath.Join(dir, "r.jsonl")
	run := func(out string, more ...string) *exec.Cmd {
		cmd := exec.Command(binary, append([]string{"run", filepath.Join(dir, "x.eval.yaml"), "--judge", "openai:m", "--workers", strconv.Itoa(workers), "--out", out}, more...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	killed := 0
	for range *kills {
		site.mu.Lock() // nobody is answered before it is known who asks
		site.requestCount, site.killAt, site.moment = 0, 1+seed.IntN(9), seed.IntN(3)
		cmd := run(result, "--resume")
		site.victim = cmd.Process
		site.mu.Unlock()
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() == -1 {
			killed++
		}
	}
	site.mu.Lock()
	site.victim = nil
	site.mu.Unlock()
	if cmd := run(result, "--resume"); cmd.Wait() == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("the last one: %v", cmd.ProcessState)
	}
	again := 0
	site.mu.Lock() // an answer may still be on its way to a process that is gone
	for n := range all {
		again += site.answered[n] - 1
	}
	site.mu.Unlock()
	if killed != *kills || again < 0 || again > killed*workers {
		t.Errorf("killed %d times; %d answers were given again", killed, again)
	}
	t.Logf("killed %d times; %d of %d answers were given again", killed, again, all)
	untouched := filepath.Join(dir, "untouched.jsonl")
	if cmd := run(untouched, "--no-cache"); cmd.Wait() == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("the one that nobody touched: %v", cmd.ProcessState)
	}
	if got, want := readRecords(t, result), readRecords(t, untouched); len(got) != all || !reflect.DeepEqual(got, want) {
		t.Errorf("%d records, which differ", len(got))
	}
	logged := site.cmdlines
	for _, folder := range []string{dir, cache} {
		_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				body, _ := os.ReadFile(path)
				logged += string(body)
			}
			return err
		})
	}
	if strings.Contains(logged, judgeKey) {
		t.Error("the key is told")
	}
}

// TestSharedCache: two processes that ask 50 equal questions at once pay once for each. If one is killed while it is asking,
// the other asks what is open.
func TestSharedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const cases = 50
	var suite strings.Builder
	suite.WriteString("evalcases:\n")
	for n := range cases {
		fmt.Fprintf(&suite, "  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", n, n)
	}
	dir := write(t, map[string]string{"x.eval.yaml": suite.String()})
	site := &killingProvider{answered: map[int]int{}}
	server := httptest.NewServer(site)
	defer server.Close()
	binary := buildBinary(t)
	useTempCache(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", server.URL)
	for _, killAt := range []int{0, 7} {
		site.mu.Lock() // nobody is answered before both are there
		site.requestCount, site.killAt, site.answered = 0, killAt, map[int]int{}
		var runs [2]*exec.Cmd
		for i := range runs {
			runs[i] = exec.Command(binary, "run", filepath.Join(dir, "x.eval.yaml"), "--judge", "openai:m", "--workers", "4", "--cache", filepath.Join(dir, fmt.Sprint("cache", killAt)))
			if err := runs[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		if killAt > 0 {
			site.victim = runs[0].Process
		}
		site.mu.Unlock()
		for i, run := range runs {
			if _ = run.Wait(); run.ProcessState.ExitCode() != 1 && (i > 0 || killAt == 0) { // a third of the cases fails
				t.Errorf("process %d: %v", i, run.ProcessState)
			}
		}
		site.mu.Lock()
		again := site.requestCount - cases
		site.mu.Unlock()
		if highest := min(killAt, 1) * 4; len(site.answered) != cases || again < 0 || again > highest {
			t.Errorf("killed at %d: %d of %d questions were answered, %d requests more", killAt, len(site.answered), cases, again)
		}
	}
}

// readRecords are a file's, settled.
func readRecords(t *testing.T, path string) (records []map[string]any) {
	t.Helper()
	lines, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		records = append(records, normalizeRecord(t, record))
	}
	return records
}
