package cli_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
)

// startQueue starts a server of a queue, and makes the program the one with a client for it.
func startQueue(t *testing.T) (address string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	cli.QueueClient = jetstream.Client{}
	t.Cleanup(func() {
		cli.QueueClient = queue.Client(nil)
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s.ClientURL()
}

// runWithWorkers runs a command with a queue and so many workers, which end with it.
func runWithWorkers(t *testing.T, workers int, coordinator []string, options ...string) (code int, stdout string) {
	t.Helper()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			if code, _, stderr := rubric(t, "", append([]string{"worker"}, options...)...); code != 0 {
				t.Errorf("a worker ends with %d: %s", code, stderr)
			}
		})
	}
	code, stdout, stderr := rubric(t, "", append(coordinator, options...)...)
	if code == 2 {
		t.Fatal(stderr) // its workers wait for a run that does not come
	}
	wg.Wait()
	return code, stdout
}

// TestQueue: a run by 4 workers gives the records, the report and the exit status of a run without.
func TestQueue(t *testing.T) {
	address := startQueue(t)
	for _, c := range []struct {
		name  string
		files map[string]string
		args  []string
	}{
		{"files", shardedFiles(), []string{"a.eval.yaml", "b.eval.yaml"}},
		{"targets", shardedFiles(), []string{"b.eval.yaml", "--target", "answers.jsonl", "--target", "mock:We refund you."}},
		{"profile", shardedFiles(), []string{"a.eval.yaml", "--profile", "agentv-4", "--case", "case-1*"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(write(t, c.files))
			wantCode, want, _ := rubric(t, "", append([]string{"run", "--out", "whole.jsonl"}, c.args...)...)
			code, stdout := runWithWorkers(t, 4, []string{"run", "--out", "queued.jsonl"}, append(c.args, "--queue", address)...)
			if code != wantCode || stdout != want {
				t.Errorf("exit status %d and not %d\n%s\nnot\n%s", code, wantCode, stdout, want)
			}
			got, want := readFile(t, "queued.jsonl"), readFile(t, "whole.jsonl")
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			if got != want {
				t.Errorf("the records differ at byte %d: %.300s\nnot\n%.300s", at, got[max(0, at-100):], want[max(0, at-100):])
			}
		})
	}
}

// TestQueueAsksOnce: workers ask each question once, also if several cases have it, with a provider that fails at times.
func TestQueueAsksOnce(t *testing.T) {
	m := startMock(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	m.faulty = true
	cases := "evalcases:\n"
	for n := range 24 {
		cases += fmt.Sprintf("  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", n, 2+n%12)
	}
	t.Chdir(write(t, map[string]string{"x.eval.yaml": cases}))
	args := []string{"x.eval.yaml", "--judge", "openai:m", "--queue", startQueue(t)}
	runWithWorkers(t, 3, []string{"run", "--out", "r.jsonl"}, args...)
	if len(m.answered) != 12 || strings.Count(readFile(t, "r.jsonl"), "\n") != 24 {
		t.Errorf("%d questions were answered, and there are %d records", len(m.answered), strings.Count(readFile(t, "r.jsonl"), "\n"))
	}
	for asked, n := range m.answered {
		if n != 1 {
			t.Errorf("paid %d times for %.100s", n, asked)
		}
	}
	m.calls = 0
	if runWithWorkers(t, 1, []string{"run"}, append(args, "--threshold", "0.5")...); m.calls != 0 {
		t.Errorf("another run asks %d questions again", m.calls)
	}
}

// TestQueueLimits: workers have one limit of questions, and the coordinator says how many were not asked. Their rate is
// that of one process, so a limit of requests that is never reached changes nothing.
func TestQueueLimits(t *testing.T) {
	m := startMock(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	cases := "evalcases:\n"
	for n := range 12 {
		cases += fmt.Sprintf("  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", n, n+2)
	}
	t.Chdir(write(t, map[string]string{"x.eval.yaml": cases, "prices.json": `{"openai:m":{"input":1000,"output":1000}}`}))
	address := startQueue(t)
	for _, c := range []struct{ limit, want string }{
		{"--max-calls 5", "rubric: --max-calls reached: 7 questions not asked"},
		{"--max-cost 2 --prices prices.json", "rubric: --max-cost reached: "},
	} {
		m.calls = 0
		args := append([]string{"x.eval.yaml", "--judge", "openai:m", "--no-cache", "--rpm", "60000", "--queue", address}, strings.Fields(c.limit)...)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if code, _, stderr := rubric(t, "", append([]string{"worker"}, args...)...); code != 0 {
					t.Errorf("a worker ends with %d: %s", code, stderr)
				}
			})
		}
		_, _, stderr := rubric(t, "", append([]string{"run"}, args...)...)
		wg.Wait()
		if !strings.Contains(stderr, c.want) || m.calls == 0 || m.calls > 10 {
			t.Errorf("%s: %d calls; %s", c.limit, m.calls, stderr)
		}
	}
}

// TestQueueOptions: what cannot be done with a queue is refused.
func TestQueueOptions(t *testing.T) {
	t.Chdir(write(t, shardedFiles()))
	refused := func(args, want string) {
		t.Helper()
		code, _, stderr := rubric(t, "", strings.Fields(args)...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d, %s", args, code, stderr)
		}
	}
	refused("run a.eval.yaml --queue nats://127.0.0.1:1", "--queue needs the program rubric-queue")
	refused("run a.eval.yaml --otlp http://127.0.0.1:1", "--otlp, --metrics and --log need the program rubric-queue")
	refused("run a.eval.yaml --cache s3://team", "--cache: object stores need the program rubric-queue")
	refused("run a.eval.yaml --cache shared --no-cache", "give only one of --cache and --no-cache")
	address := startQueue(t)
	refused("run a.eval.yaml --cache shared --queue "+address, "--cache does not work with --queue")
	refused("worker a.eval.yaml", "--queue is missing")
	refused("run a.eval.yaml --queue-ca ca.pem", "options of a queue need --queue")
	refused("run a.eval.yaml --shard 1/2 --out x --queue "+address, "give only one of --queue and --shard")
	refused("run a.eval.yaml --record r.jsonl --queue "+address, "--record does not work with --queue")
	refused("run a.eval.yaml --queue nats://127.0.0.1:1", "the queue cannot be reached: ")
	refused("run a.eval.yaml --queue-ca absent.pem --queue "+address, "absent.pem")
	refused("run a.eval.yaml --queue-credentials absent.creds --queue "+address, "absent.creds")
}
