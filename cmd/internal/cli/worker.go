package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// QueueClient opens queues. It is nil in the program rubric, which would be larger than 32 MB with it; the program
// rubric-queue sets it.
var QueueClient queue.Client

var workerCommand = command{
	name:    "worker",
	args:    "[PATH]…",
	summary: "Run cases of a run that another machine coordinates",
	example: "rubric-queue worker evals --judge openai:m --queue nats://queue:4222",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &runOptions{isWorker: true}
		selectionFlags(flags, o)
		declareOptions(flags, &o.Settings, "target targets prompt judge profile threshold min-pass-rate min-mean trials samples workers timeout rpm tpm max-calls max-cost prices no-cache allow-exec")
		queueFlags(flags, o)
		flags.StringVar(&o.metrics, "metrics", "", "show metrics to Prometheus at `ADDRESS`, such as :9090")
		flags.DurationVar(&o.wait, "wait", 10*time.Minute, "end if nobody has coordinated the run for `DURATION`; 0 waits forever")
		return func(s *session, args []string) error { return s.worker(args, o) }
	},
}

// selectionFlags declares the flags that select cases and allow to run them.
func selectionFlags(flags *pflag.FlagSet, o *runOptions) {
	flags.StringArrayVar(&o.cases, "case", nil, "select cases by `ID` or pattern (repeatable)")
	flags.StringArrayVar(&o.tags, "tag", nil, "select cases with `TAG`, or without !TAG (repeatable)")
	flags.BoolVar(&o.trust, "trust", false, "consent to targets and judges that files name")
	flags.BoolVar(&o.ignoreErrors, "ignore-errors", false, "leave out cases with errors, and run the others")
}

func queueFlags(flags *pflag.FlagSet, o *runOptions) {
	flags.StringVar(&o.queue.URL, "queue", "", "share the run with workers by the NATS server at `URL`")
	flags.StringVar(&o.queue.Credentials, "queue-credentials", "", "authenticate with the token and key in `FILE`")
	flags.StringVar(&o.queue.CA, "queue-ca", "", "trust servers whose certificates those in `FILE` have signed")
	flags.StringVar(&o.queue.Certificate, "queue-certificate", "", "show the server the certificate in `FILE`")
	flags.StringVar(&o.queue.Key, "queue-key", "", "use the key of the certificate in `FILE`")
	flags.StringVar(&o.otlp, "otlp", "", "send traces and metrics to the OTLP receiver at `URL`")
	flags.StringVar(&o.log, "log", "", "append each case as a line of JSON to `FILE`; - prints to stderr")
}

// Telemetry reports the cases that this process runs.
type Telemetry interface {
	Observe(run.Event)
	Close() error
}

// OpenTelemetry starts to report to the OTLP receiver at a URL, on an address that Prometheus reads, and to a log. It is nil
// in the program rubric, as [QueueClient] is.
var OpenTelemetry func(ctx context.Context, otlp, listen string, log io.Writer) (Telemetry, error)

// openTelemetry starts what --otlp, --metrics and --log ask for. The returned function ends it.
func (s *session) openTelemetry(o *runOptions) (end func(), err error) {
	if o.otlp+o.metrics+o.log == "" {
		return func() {}, nil
	}
	log := io.Discard
	closeLog := func() error { return nil }
	switch o.log {
	case "":
	case "-":
		log = s.stderr
	default:
		file, err := os.OpenFile(o.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, fmt.Errorf("--log: %w", disk.FileError(o.log, err))
		}
		log, closeLog = file, file.Close
	}
	t, err := OpenTelemetry(s.ctx, o.otlp, o.metrics, log)
	if err != nil {
		return nil, errors.Join(err, closeLog())
	}
	o.observe = t.Observe
	return func() {
		if err := errors.Join(t.Close(), closeLog()); err != nil {
			s.printNote(fmt.Sprintf("telemetry: %s", err))
		}
	}, nil
}

// isCoordinator reports whether workers run the cases.
func (o *runOptions) isCoordinator() bool { return o.queue.URL != "" && !o.isWorker }

// validateQueue checks the options of a queue.
func (o *runOptions) validateQueue() error {
	switch {
	case o.otlp+o.metrics+o.log != "" && OpenTelemetry == nil:
		return errors.New("--otlp, --metrics and --log need the program rubric-queue; see `rubric help tracing`")
	case o.otlp+o.log != "" && o.isCoordinator():
		return errors.New("--otlp and --log belong to the workers, which run the cases, and not to the coordinator")
	case o.queue.URL == "" && o.isWorker:
		return errors.New("--queue is missing, the address of a NATS server such as nats://queue:4222")
	case o.queue.URL == "" && o.queue != queue.Options{}:
		return errors.New("options of a queue need --queue")
	case o.queue.URL == "":
		return nil
	case QueueClient == nil:
		return errors.New("--queue needs the program rubric-queue, which is rubric with a client for NATS; see `rubric help queue`")
	case o.shardText != "":
		return errors.New("give only one of --queue and --shard")
	case o.Record != "":
		return errors.New("--record does not work with --queue; workers ask the judge")
	case o.Cache != "":
		return errors.New("--cache does not work with --queue; workers share answers by the queue's server")
	}
	return nil
}

// coordinationWindow is the number of cases that a coordinator gives to workers before the first of them is
// finished, without --workers.
const coordinationWindow = 256

// coordinate makes workers run the cases of suites. The returned function ends that.
func (s *session) coordinate(suites []loadedSuite, o *runOptions, shared *sharedStores) (finish func() error, err error) {
	plan, err := s.planOf(suites, o, 1)
	if err != nil {
		return nil, err
	}
	o.queue.Plan = plan.Fingerprint
	q, err := QueueClient.Coordinate(s.ctx, o.queue, o.resume)
	if err != nil {
		return nil, err
	}
	shared.Ledger = q
	s.printNote(fmt.Sprintf("workers run plan %.12s", plan.Fingerprint))
	for i := range suites {
		r := &suites[i].run.Runner
		if !o.IsSet("workers") {
			r.Workers = coordinationWindow
		}
		here := *r
		r.Elsewhere = func(ctx context.Context, suite *rubric.Suite, c *rubric.Case, earlier *run.Record) *run.Record {
			rec, err := q.Run(ctx, queue.Task{Suite: i, Key: here.RecordKey(suite, c), Earlier: earlier})
			if err != nil {
				return here.FailedRecord(ctx, suite, c, fmt.Errorf("not run: %w", err))
			}
			return rec
		}
	}
	return func() error {
		defer q.Close()
		if s.ctx.Err() != nil {
			q.Cancel()
			return nil
		}
		return q.Finish()
	}, nil
}

// sharedStores are what the processes of a run share. They are opened after the judges, since what judges are
// opened decides which run it is.
type sharedStores struct {
	judge.Store
	judge.Ledger
}

// Lease implements [judge.Leaser].
func (c *sharedStores) Lease(ctx context.Context, key string) (func(), error) {
	if shared, ok := c.Store.(judge.Leaser); ok {
		return shared.Lease(ctx, key)
	}
	return func() {}, nil
}

// worker runs cases of a queue.
func (s *session) worker(args []string, o *runOptions) error {
	o.queue.Since = time.Now()
	files, _, err := s.findRunFiles(args)
	if err == nil {
		err = o.validate(files)
	}
	if err != nil {
		return err
	}
	defer s.handleInterrupts()()
	backends, err := s.prepare(files, o)
	if err != nil {
		return err
	}
	defer backends.close()
	suites := backends.suites
	plan, err := s.planOf(suites, o, 1)
	if err != nil {
		return err
	}
	tasks, parallel, err := workerTasks(suites, o)
	if err != nil {
		return err
	}
	endTelemetry, err := s.openTelemetry(o)
	if err != nil {
		return err
	}
	defer endTelemetry()
	o.queue.Plan, o.queue.Wait = plan.Fingerprint, o.wait
	s.printNote(fmt.Sprintf("ready for plan %.12s", plan.Fingerprint))
	w, err := QueueClient.Join(s.ctx, o.queue)
	if err != nil {
		return s.endWorker(err, 0)
	}
	defer w.Close()
	backends.shared.Store, backends.shared.Ledger = w.Judgements(), w
	var count atomic.Int64
	err = w.Work(s.ctx, parallel, func(ctx context.Context, t queue.Task, failed error) *run.Record {
		count.Add(1)
		return runTask(ctx, suites, tasks, t, failed, o.observe)
	})
	return s.endWorker(err, int(count.Load()))
}

// endWorker says how a worker ended, and returns the exit status.
func (s *session) endWorker(err error, count int) error {
	switch {
	case s.ctx.Err() != nil:
		s.printNote("interrupted; other workers run what was not finished")
		return exitInterrupted
	case errors.Is(err, queue.ErrNoCoordinator):
		s.printNote(fmt.Sprintf("%s; %s run here", err, diag.CountNoun(count, "case")))
		return exitUnreachable
	case err != nil && !errors.Is(err, queue.ErrFinished):
		return err
	}
	s.printNote(fmt.Sprintf("the run is finished; %s run here", diag.CountNoun(count, "case")))
	return nil
}

// workerTasks returns the cases of suites by their keys, and how many are run at a time: as many as the most
// modest target allows.
func workerTasks(suites []loadedSuite, o *runOptions) (tasks []map[run.RecordKey]*rubric.Case, parallel int, failed error) {
	for _, suite := range suites {
		byKey := map[run.RecordKey]*rubric.Case{}
		cases, _ := suite.selectedCases(o, &failed)
		for c := range cases {
			byKey[suite.run.RecordKey(suite.suite, c)] = c
		}
		tasks = append(tasks, byKey)
		if parallel == 0 || suite.run.Workers < parallel {
			parallel = suite.run.Workers
		}
	}
	return tasks, max(1, parallel), failed
}

// runTask runs the case of a task.
func runTask(ctx context.Context, suites []loadedSuite, tasks []map[run.RecordKey]*rubric.Case, t queue.Task, failed error, observe func(run.Event)) *run.Record {
	if t.Suite < 0 || t.Suite >= len(suites) || tasks[t.Suite][t.Key] == nil {
		failed = errors.New("not run: the worker has no such case")
		t.Suite = 0
		tasks = []map[run.RecordKey]*rubric.Case{{t.Key: {ID: t.Name()}}}
	}
	suite, c := suites[t.Suite], tasks[t.Suite][t.Key]
	r := suite.run.Runner
	if failed != nil {
		return r.FailedRecord(ctx, suite.suite, c, failed)
	}
	if t.Earlier != nil {
		r.Earlier = func(*rubric.Case) *run.Record { return t.Earlier }
	}
	if observe == nil {
		observe = func(run.Event) {}
	}
	observe(run.Event{Stage: run.Started, Case: c})
	rec := r.RunCase(ctx, suite.suite, c, func(*run.GraderRecord) {})
	observe(run.Event{Stage: run.Done, Case: c, Record: rec})
	return rec
}
