// Package queue describes a queue of cases, by which the workers of a run receive them and return their
// records. It knows no network; package jetstream does.
package queue

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// Options say where a queue is and who asks.
type Options struct {
	URL         string // such as nats://host:4222 or tls://host:4222
	Credentials string // a file with a token and a key; "" for none
	CA          string // a file of certificates that the server's is signed by; "" for those of the machine
	Certificate string // a file with the client's certificate, and
	Key         string // one with its key; "" for none
	Plan        string // fingerprint of the run; see [run.ShardPlan]

	// Since is when a worker was started. A run of the plan that ended before is not the worker's.
	Since time.Time
	// Wait is how long a worker waits for a coordinator that is not there.
	Wait time.Duration
}

// Task is a case that a worker is to run. It names the case only: what runs is what the worker's own files and
// options say.
type Task struct {
	Suite   int           `json:"suite"` // from 0
	Key     run.RecordKey `json:"key"`
	Earlier *run.Record   `json:"earlier,omitempty"` // whose answer is reused
}

// Name returns the name of the task's case in a queue.
func (t Task) Name() string { return fmt.Sprintf("%d.%s", t.Suite, hex.EncodeToString(t.Key[:])) }

// A Coordinator gives cases to workers. Its ledger is that of the workers.
type Coordinator interface {
	judge.Ledger
	// Run returns the record of a case that a worker has run. If a worker has run the case for an
	// earlier coordinator of the same run, it is that record.
	Run(context.Context, Task) (*run.Record, error)
	// Cancel stops the cases that workers are running, and drops those that wait.
	Cancel()
	// Finish removes the queue of the run. Its workers end.
	Finish() error
	// Close ends the connection. Another coordinator can continue the run.
	Close()
}

// A Worker runs cases. All workers of a run have the same ledger.
type Worker interface {
	judge.Ledger
	// Work runs tasks, at most parallel at a time, until the run is finished or ctx ends. If a task was given to
	// several workers, and none has finished it, failed says so.
	Work(ctx context.Context, parallel int, work func(ctx context.Context, t Task, failed error) *run.Record) error
	// Judgements are shared by all workers of the server. While one worker asks a question, others that have
	// the same wait for the answer.
	Judgements() judge.Store
	Close()
}

var (
	// ErrFinished means that a run has ended before a worker joined it.
	ErrFinished = errors.New("the run is finished")
	// ErrNoCoordinator means that a worker has waited in vain.
	ErrNoCoordinator = errors.New("no coordinator runs the plan")
	// ErrCoordinated means that another coordinator runs the plan.
	ErrCoordinated = errors.New("another process coordinates a run of the same plan on this server; wait for its end, or stop it and continue with --resume")
)

// Client opens queues.
type Client interface {
	// Coordinate starts the queue of a run. With resume, records of an earlier coordinator count. If another
	// coordinator has the run, the error is [ErrCoordinated].
	Coordinate(ctx context.Context, o Options, resume bool) (Coordinator, error)
	// Join waits for the queue of a run. The error is [ErrFinished] or [ErrNoCoordinator] if there is none.
	Join(ctx context.Context, o Options) (Worker, error)
}
