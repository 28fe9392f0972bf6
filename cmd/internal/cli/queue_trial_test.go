//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

var largeTrials = flag.Bool("trials", false, "run the large trials of docs/SCALE.md, which take minutes")

// A trialProvider judges by a case's number after a while. A share of its answers fails: the same questions each time, and
// none more than three times.
type trialProvider struct {
	latency  time.Duration
	faults   uint32 // of a hundred
	mu       sync.Mutex
	failed   map[string]uint32
	answered map[string]int
	count    atomic.Int64
}

func (p *trialProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	number := string(caseNumber.FindSubmatch(body)[1])
	time.Sleep(p.latency)
	p.mu.Lock()
	sum := fnv.New32()
	fmt.Fprint(sum, number, " ", p.failed[number])
	if p.failed[number] < 3 && sum.Sum32()%100 < p.faults {
		p.failed[number]++
		p.mu.Unlock()
		w.WriteHeader([]int{500, 503, 529}[sum.Sum32()/100%3])
		return
	}
	p.answered[number]++
	p.mu.Unlock()
	n, _ := strconv.Atoi(number)
	fmt.Fprintf(w, `{"model":"m-1","choices":[{"message":{"content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`, judgeReply(n, ""))
	p.count.Add(1)
}

// A network connects clients to a server. While it is parted, nothing passes, and no connection ends.
type network struct {
	address string
	target  string
	parted  sync.RWMutex
}

func startNetwork(t *testing.T, target string) *network {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	n := &network{address: "nats://" + l.Addr().String(), target: target}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go n.connect(client)
		}
	}()
	return n
}

func (n *network) connect(client net.Conn) {
	server, err := net.Dial("tcp", n.target)
	if err != nil {
		client.Close()
		return
	}
	for _, ends := range [][2]net.Conn{{client, server}, {server, client}} {
		go func() {
			defer ends[0].Close()
			defer ends[1].Close()
			_, _ = io.Copy(writerFunc(func(b []byte) (int, error) {
				n.parted.RLock()
				defer n.parted.RUnlock()
				return ends[1].Write(b)
			}), ends[0])
		}()
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A trial is a run by worker processes, and what happens to it.
type trial struct {
	cases, workers, parallel int
	kills, restarts          int           // of workers, and of the server, at random moments
	partition                time.Duration // in the middle of the run
	silence                  time.Duration // see [jetstream.Client]
	provider                 trialProvider
	coordinator              []string // options
}

// trialOutcome is what a trial took.
type trialOutcome struct {
	elapsed                         time.Duration
	coordinatorMemory               int64         // bytes
	coordinatorProcessor, processor time.Duration // of the coordinator, and of all workers
	records                         []byte
}

// prepare starts the provider, writes the cases and changes to their folder.
func (r *trial) prepare(t *testing.T) {
	t.Helper()
	r.provider.failed, r.provider.answered = map[string]uint32{}, map[string]int{}
	site := httptest.NewServer(&r.provider)
	t.Cleanup(site.Close)
	useTempCache(t)
	t.Setenv("OPENAI_BASE_URL", site.URL)
	t.Setenv("OPENAI_API_KEY", "k")
	t.Setenv(queueProgram, r.silence.String())
	t.Chdir(t.TempDir())
	var cases bytes.Buffer
	for n := range r.cases {
		fmt.Fprintf(&cases, `{"id":"c%d","expected_outcome":"O","input":"Question number %d","expected_output":"R","rubrics":[{"id":"a","expected_outcome":"A"},{"id":"b","expected_outcome":"B"}]}`+"\n", n, n)
	}
	if err := os.WriteFile("x.jsonl", cases.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start starts the program with what it prints in a file.
func (r *trial) start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	out, err := os.CreateTemp("", "trial")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(out.Name())
	t.Cleanup(func() {
		if said, _ := os.ReadFile(fmt.Sprintf("/proc/self/fd/%d", out.Fd())); t.Failed() {
			t.Logf("%s: %s\n%.2000s", args[0], cmd.ProcessState, said)
		}
		out.Close()
	})
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// run runs the cases by workers, with all that happens to them.
func (r *trial) run(t *testing.T) (o trialOutcome) {
	t.Helper()
	options := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}
	s := startNATS(t, options)
	defer func() { s.Shutdown() }()
	options.Port = s.Addr().(*net.TCPAddr).Port
	n := startNetwork(t, s.Addr().String())
	args := []string{"x.jsonl", "--judge", "openai:m", "--queue", n.address}
	worker := func() *exec.Cmd {
		return r.start(t, append([]string{"worker", "--workers", strconv.Itoa(r.parallel)}, args...)...)
	}
	var workers []*exec.Cmd
	for range r.workers {
		workers = append(workers, worker())
	}
	begin := time.Now()
	coordinator := r.start(t, append(append([]string{"run", "--out", "queued.jsonl", "--quiet"}, r.coordinator...), args...)...)
	ended := make(chan error, 1)
	go func() { ended <- coordinator.Wait() }()
	memory := make(chan int64, 1)
	go func() { memory <- largestMemory(coordinator.Process.Pid) }()
	for _, e := range r.events() {
		for r.provider.count.Load() < e.after && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		switch e.what {
		case "kill":
			i := rand.IntN(len(workers))
			_ = workers[i].Process.Kill()
			_ = workers[i].Wait()
			workers[i] = worker()
		case "restart":
			s.Shutdown()
			s.WaitForShutdown()
			s = startNATS(t, options)
		case "partition":
			n.parted.Lock()
			time.Sleep(r.partition)
			n.parted.Unlock()
		}
	}
	<-ended
	o.elapsed = time.Since(begin)
	o.coordinatorMemory = <-memory
	o.coordinatorProcessor = processorTime(coordinator)
	for _, w := range workers {
		if err := w.Wait(); err != nil {
			t.Errorf("a worker ends: %v", err)
		}
		o.processor += processorTime(w)
	}
	var err error
	if o.records, err = os.ReadFile("queued.jsonl"); err != nil {
		t.Error(err)
	}
	return o
}

// largestMemory returns the most bytes that a process had, once it has ended; 0 where /proc does not say. What the system
// reports of ended processes includes the memory of the process that started them.
func largestMemory(pid int) (bytes int64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, ok := strings.Cut(string(status), "VmHWM:")
		if err != nil || !ok {
			return bytes
		}
		var kilobytes int64
		_, _ = fmt.Sscan(rest, &kilobytes)
		bytes = kilobytes << 10
		time.Sleep(50 * time.Millisecond)
	}
}

// processorTime returns the processor time that an ended process took.
func processorTime(ended *exec.Cmd) time.Duration {
	return ended.ProcessState.UserTime() + ended.ProcessState.SystemTime()
}

type trialEvent struct {
	after int64 // answers
	what  string
}

// events are what happens to a run, in order.
func (r *trial) events() (events []trialEvent) {
	for range r.kills {
		events = append(events, trialEvent{rand.Int64N(int64(r.cases)), "kill"})
	}
	for i := range r.restarts {
		events = append(events, trialEvent{int64(r.cases * (i + 1) / (r.restarts + 2)), "restart"})
	}
	if r.partition > 0 {
		events = append(events, trialEvent{int64(r.cases * 3 / 4), "partition"})
	}
	slices.SortStableFunc(events, func(a, b trialEvent) int { return int(a.after - b.after) })
	return events
}

func startNATS(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	s, err := server.NewServer(o.Clone())
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return s
}

// paidAgain returns how many answers were given again.
func (p *trialProvider) paidAgain() (again int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.answered {
		again += n - 1
	}
	return again
}

// TestQueueTrial: a run whose workers are killed, whose server restarts and whose network and provider fail gives the
// bytes of a whole run. Only what was in flight is paid for again.
func TestQueueTrial(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and waits for lost ones")
	}
	r := &trial{cases: 60, workers: 3, parallel: 2, kills: 2, restarts: 1, partition: time.Second, silence: 5 * time.Second, provider: trialProvider{faults: 25}}
	if *largeTrials {
		r = &trial{cases: 3000, workers: 4, parallel: 8, kills: 30, restarts: 2, partition: 10 * time.Second, silence: 30 * time.Second, provider: trialProvider{faults: 25, latency: 50 * time.Millisecond}}
	}
	r.prepare(t)
	rubric(t, "", "run", "x.jsonl", "--judge", "openai:m", "--no-cache", "--out", "whole.jsonl", "--workers", "16")
	r.provider.failed, r.provider.answered = map[string]uint32{}, map[string]int{}
	r.provider.count.Store(0)
	o := r.run(t)
	if want := readFile(t, "whole.jsonl"); string(o.records) != want {
		t.Errorf("the records differ: %d and %d", strings.Count(string(o.records), "\n"), strings.Count(want, "\n"))
		for got := range strings.Lines(string(o.records)) {
			if !strings.Contains(want, got) {
				t.Fatalf("not in a whole run: %.600s", got)
			}
		}
	}
	again, most := r.provider.paidAgain(), r.parallel*r.kills
	if len(r.provider.answered) != r.cases || again > most {
		t.Errorf("%d questions were answered, %d of them again, and at most %d were in flight", len(r.provider.answered), again, most)
	}
	t.Logf("%d cases, %d kills: %d questions paid again (at most %d in flight), %v", r.cases, r.kills, again, most, o.elapsed)
}

// TestQueueThroughput measures workers against one worker, and the coordinator's memory with many cases against few.
func TestQueueThroughput(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	few, many := 50, 100
	if *largeTrials {
		few, many = 2000, 100_000
	}
	measure := func(cases, workers int) trialOutcome {
		r := &trial{cases: cases, workers: workers, parallel: 10, silence: 30 * time.Second, provider: trialProvider{latency: 50 * time.Millisecond}}
		r.prepare(t)
		o := r.run(t)
		if n := bytes.Count(o.records, []byte("\n")); n != cases || r.provider.paidAgain() != 0 || r.provider.count.Load() != int64(cases) {
			t.Errorf("%d of %d cases; %d questions, %d paid again", n, cases, r.provider.count.Load(), r.provider.paidAgain())
		}
		var last struct {
			ID string `json:"eval_id"`
		}
		lines := bytes.Split(bytes.TrimSpace(o.records), []byte("\n"))
		if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil || last.ID != fmt.Sprint("c", cases-1) {
			t.Errorf("the last record is of %q, %v", last.ID, err)
		}
		each := func(d time.Duration) time.Duration { return d / time.Duration(cases) }
		t.Logf("%d cases, %d workers: %.0f cases/s in %v; processor per case %v in workers and %v in the coordinator, which has %d MB",
			cases, workers, float64(cases)/o.elapsed.Seconds(), o.elapsed, each(o.processor), each(o.coordinatorProcessor), o.coordinatorMemory>>20)
		return o
	}
	measure(few, 1)
	measure(few, 2)
	measure(many, 8)
}
