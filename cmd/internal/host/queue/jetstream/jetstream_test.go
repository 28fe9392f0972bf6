package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

var (
	client = jetstream.Client{}
	// hasty gives the cases of lost workers to others soon. No test depends on how soon.
	hasty = jetstream.Client{Silence: time.Second}
)

// startServer starts a server whose store is in a folder. Port -1 is any.
func startServer(t *testing.T, dir string, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { stopServer(s) })
	return s
}

func stopServer(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

func optionsFor(s *server.Server) queue.Options {
	return queue.Options{URL: s.ClientURL(), Plan: strings.Repeat("0123456789abcdef", 4)}
}

func coordinate(t *testing.T, c jetstream.Client, o queue.Options, resume bool) queue.Coordinator {
	t.Helper()
	co, err := c.Coordinate(t.Context(), o, resume)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(co.Close)
	return co
}

func join(t *testing.T, c jetstream.Client, o queue.Options) queue.Worker {
	t.Helper()
	w, err := c.Join(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// work starts a worker that calls onTask for each task, until the test ends.
func work(t *testing.T, w queue.Worker, parallel int, onTask func(context.Context, queue.Task)) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- w.Work(ctx, parallel, func(ctx context.Context, task queue.Task, failed error) *run.Record {
			onTask(ctx, task)
			rec := &run.Record{EvalID: task.Name()}
			if failed != nil {
				rec.Error = failed.Error()
			}
			return rec
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
}

func task(i int) queue.Task { return queue.Task{Key: run.RecordKey{byte(i >> 8), byte(i)}} }

// runAll runs tasks at the same time and checks that each gets its own record.
func runAll(t *testing.T, c queue.Coordinator, count int) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range count {
		wg.Go(func() {
			rec, err := c.Run(t.Context(), task(i))
			if err != nil || rec.EvalID != task(i).Name() || rec.Error != "" {
				t.Errorf("task %d: %v, %v", i, rec, err)
			}
		})
	}
	wg.Wait()
}

// TestWorkers: several workers run each case once, and end when the run is finished.
func TestWorkers(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	c := coordinate(t, client, o, false)
	var mu sync.Mutex
	runs := map[string]int{}
	var wg sync.WaitGroup
	for range 4 {
		w := join(t, client, o)
		wg.Go(func() {
			err := w.Work(t.Context(), 3, func(_ context.Context, task queue.Task, _ error) *run.Record {
				mu.Lock()
				defer mu.Unlock()
				runs[task.Name()]++
				return &run.Record{EvalID: task.Name()}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	runAll(t, c, 100)
	if err := c.Finish(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if _, err := client.Join(t.Context(), o); !errors.Is(err, queue.ErrFinished) {
		t.Errorf("a worker that comes late: %v", err)
	}
	o.Since, o.Wait = time.Now(), time.Nanosecond
	if _, err := client.Join(t.Context(), o); !errors.Is(err, queue.ErrNoCoordinator) {
		t.Errorf("a worker that is started after the run: %v", err)
	}
	for name, n := range runs {
		if n != 1 || len(runs) != 100 {
			t.Fatalf("%s was run %d times, and %d cases at all", name, n, len(runs))
		}
	}
}

// TestLostWorkers: a case whose worker is lost is run by another. If five are lost, the sixth says so.
func TestLostWorkers(t *testing.T) {
	for _, c := range []struct {
		lost int
		want string
	}{{1, ""}, {5, "not run: 5 workers have started it, and none has finished it"}} {
		o := optionsFor(startServer(t, t.TempDir(), -1))
		co := coordinate(t, hasty, o, false)
		finished := make(chan *run.Record)
		go func() {
			rec, err := co.Run(t.Context(), task(1))
			if err != nil {
				t.Error(err)
			}
			finished <- rec
		}()
		for range c.lost {
			w := join(t, hasty, o)
			ctx, cancel := context.WithCancel(t.Context())
			_ = w.Work(ctx, 1, func(context.Context, queue.Task, error) *run.Record {
				w.Close()
				cancel()
				return &run.Record{EvalID: "of a lost worker"}
			})
			cancel()
		}
		work(t, join(t, hasty, o), 1, func(context.Context, queue.Task) {})
		if rec := <-finished; rec == nil || rec.EvalID != task(1).Name() || rec.Error != c.want {
			t.Errorf("after %d lost workers: %+v", c.lost, rec)
		}
	}
}

// TestStaysAlive: a worker tells the server that it is still at work on a case.
func TestStaysAlive(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	nc, err := nats.Connect(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	alive := make(chan bool, 100)
	_, err = nc.Subscribe("$JS.ACK.>", func(m *nats.Msg) {
		if string(m.Data) == "+WPI" {
			alive <- true
		}
	})
	if err = errors.Join(err, nc.Flush()); err != nil {
		t.Fatal(err)
	}
	c := coordinate(t, hasty, o, false)
	work(t, join(t, hasty, o), 1, func(context.Context, queue.Task) { <-alive; <-alive })
	runAll(t, c, 1)
}

// TestCoordinatorContinues: records of an earlier coordinator count with resume, and only then.
func TestCoordinatorContinues(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	var runs atomic.Int64
	first := coordinate(t, client, o, false)
	work(t, join(t, client, o), 1, func(context.Context, queue.Task) { runs.Add(1) })
	runAll(t, first, 10)
	first.Close()
	second := coordinate(t, client, o, true)
	runAll(t, second, 12)
	if n := runs.Load(); n != 12 {
		t.Errorf("a coordinator that continues runs %d cases", n)
	}
	second.Close()
	runAll(t, coordinate(t, client, o, false), 12)
	if n := runs.Load(); n != 24 {
		t.Errorf("a coordinator that starts anew runs %d cases", n-12)
	}
}

// TestCancel: a cancelled run stops its cases, which a later run does.
func TestCancel(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	c := coordinate(t, client, o, false)
	started, stopped := make(chan bool, 1), make(chan error, 1)
	var again atomic.Bool
	work(t, join(t, client, o), 1, func(ctx context.Context, task queue.Task) {
		if !again.Load() {
			started <- true
			<-ctx.Done()
			stopped <- context.Cause(ctx)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := c.Run(ctx, task(1))
		ended <- err
	}()
	<-started
	again.Store(true)
	cancel()
	c.Cancel()
	if err := <-stopped; err == nil || err.Error() != "the run was cancelled" {
		t.Errorf("the case was stopped by %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the coordinator got %v", err)
	}
	c.Close()
	runAll(t, coordinate(t, client, o, true), 2)
}

// TestServerRestarts: a server that restarts delays a run and loses nothing of it.
func TestServerRestarts(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir, -1)
	o := optionsFor(s)
	at, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, _ := strconv.Atoi(at.Port())
	c := coordinate(t, jetstream.Client{Silence: 5 * time.Second}, o, false)
	restart := make(chan bool, 100)
	work(t, join(t, hasty, o), 2, func(context.Context, queue.Task) { restart <- true })
	finished := make(chan bool)
	go func() {
		defer close(finished)
		runAll(t, c, 60)
	}()
	for range 5 {
		<-restart
	}
	stopServer(s)
	startServer(t, dir, port)
	<-finished
}

// TestServerRestartsWhileJoining: a server that restarts ends the connection of a worker that joins, and then nothing listens.
func TestServerRestartsWhileJoining(t *testing.T) {
	ending, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := queue.Options{URL: "nats://" + ending.Addr().String(), Plan: strings.Repeat("0123456789abcdef", 4)}
	joined := make(chan error)
	go func() {
		w, err := client.Join(t.Context(), o)
		if err == nil {
			w.Close()
		}
		joined <- err
	}()
	accepted, err := ending.Accept()
	if err = errors.Join(err, accepted.Close(), ending.Close()); err != nil {
		t.Fatal(err)
	}
	startServer(t, t.TempDir(), ending.Addr().(*net.TCPAddr).Port)
	coordinate(t, client, o, false)
	if err := <-joined; err != nil {
		t.Error(err)
	}
}

// TestOneAsks: of workers with the same question, one asks it, and the others get its answer.
func TestOneAsks(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	coordinate(t, client, o, false)
	var asked atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		store := join(t, client, o).Judgements()
		j := judge.Cache(judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			return judge.Answer{Text: fmt.Sprint("answer ", asked.Add(1))}, nil
		}), "model", store, func(bool, error) {})
		for range 5 {
			wg.Go(func() {
				if a, err := j.Ask(t.Context(), judge.Question{User: "Q"}); err != nil || a.Text != "answer 1" {
					t.Errorf("%v, %v", a, err)
				}
			})
		}
	}
	wg.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("the question was asked %d times", n)
	}
}

// TestUnreachableServer: an address without a server is an error that says so.
func TestUnreachableServer(t *testing.T) {
	s := startServer(t, t.TempDir(), -1)
	o := optionsFor(s)
	stopServer(s)
	if _, err := client.Coordinate(t.Context(), o, false); err == nil || !strings.HasPrefix(err.Error(), "the queue cannot be reached: ") {
		t.Errorf("%v", err)
	}
}
