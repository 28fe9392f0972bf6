package lsp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// maxJobs is how many jobs of a session run at once; the others wait.
const maxJobs = 2

// cancelGrace is how long a cancelled job may take to end. After that the job is abandoned and its
// events are dropped.
const cancelGrace = 500 * time.Millisecond

// errCancelled is the cause of a cancelled job.
var errCancelled = errors.New("it was cancelled")

// jobs are the long-running tasks of a session. Each outlives its request and ends with the
// session.
type jobs struct {
	*cache.Workspace
	ctx     context.Context // ends with the session
	mu      sync.Mutex
	lastID  int
	running map[string]*job
	slots   chan struct{}
	wg      sync.WaitGroup
}

// job is one long-running task.
type job struct {
	id       string // also its progress token
	ctx      context.Context
	cancel   context.CancelCauseFunc
	progress progress
	run      *evalRun // nil for other jobs
}

// start runs work in the background once a slot is free. Steps is the number of progress steps, or
// 0 if unknown, and run is nil for jobs that run no cases. Work must end soon after its context does.
func (js *jobs) start(title string, steps int, run *evalRun, work func(*job)) *job {
	js.mu.Lock()
	js.lastID++
	j := &job{id: fmt.Sprintf("rubric-job-%d", js.lastID), progress: progress{title, steps, make(chan protocol.WorkDoneProgressReport, 1), make(chan struct{})}, run: run}
	j.ctx, j.cancel = context.WithCancelCause(js.ctx)
	js.running[j.id] = j
	js.mu.Unlock()
	if c := js.Current().Client; run == nil || c.ResultsEvery == 0 { // otherwise the client shows how far a run is
		js.wg.Go(func() { j.progress.send(js.ctx, c, j.id) })
	}
	js.wg.Go(func() {
		defer func() {
			js.mu.Lock()
			delete(js.running, j.id)
			js.mu.Unlock()
			j.cancel(nil)
			close(j.progress.done)
		}()
		select {
		case js.slots <- struct{}{}:
			defer func() { <-js.slots }()
		case <-j.ctx.Done():
		}
		js.GuardPanic(title, func() { work(j) })
	})
	return j
}

// runOf returns the id of a job that runs a case, or with the id "" any case of a document; "" if none
// does.
func (js *jobs) runOf(u uri.URI, caseID string) string {
	js.mu.Lock()
	defer js.mu.Unlock()
	for name, j := range js.running {
		if j.run != nil && j.run.doc.URI == u && !j.run.hasEnded.Load() && j.ctx.Err() == nil && (caseID == "" || j.run.casesByID[caseID] != nil) {
			return name
		}
	}
	return ""
}

// isCancelled reports whether the user cancelled the job.
func (j *job) isCancelled() bool { return errors.Is(context.Cause(j.ctx), errCancelled) }

// cancel cancels a job, or all jobs if id is "", and returns the ids of those it cancelled. It
// leaves out jobs that were cancelled before.
func (js *jobs) cancel(id string) []string {
	js.mu.Lock()
	defer js.mu.Unlock()
	stopped := []string{}
	for _, name := range slices.Sorted(maps.Keys(js.running)) {
		if j := js.running[name]; (id == "" || id == name) && j.ctx.Err() == nil {
			j.cancel(errCancelled)
			stopped = append(stopped, name)
		}
	}
	return stopped
}

// createProgressTimeout limits how long a client may take to create a progress. After that the job
// reports none.
const createProgressTimeout = 5 * time.Second

// progress reports a job's progress as fast as the client reads it. The job never waits for it.
type progress struct {
	title  string
	total  int // 0 if unknown
	latest chan protocol.WorkDoneProgressReport
	done   chan struct{}
}

// report sets the progress. It drops a report that was not yet sent. Only one goroutine may call
// it.
func (p progress) report(message string, done int) {
	r := protocol.WorkDoneProgressReport{Kind: "report", Message: &message, Percentage: p.percentage(done)}
	select {
	case <-p.latest:
	default:
	}
	p.latest <- r
}

// percentage returns the progress in percent, nil if unknown.
func (p progress) percentage(done int) *uint32 {
	if p.total == 0 {
		return nil
	}
	return new(uint32(100 * min(done, p.total) / p.total))
}

// send sends the progress from begin to end, if the client supports it.
func (p progress) send(sessionCtx context.Context, c *cache.Client, token string) {
	if !c.HasProgress {
		return
	}
	ctx, cancel := context.WithTimeout(sessionCtx, createProgressTimeout)
	defer cancel()
	if err := c.Call(ctx, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil); err != nil {
		return // the client declined
	}
	c.SendProgress(protocol.String(token), &protocol.WorkDoneProgressBegin{Kind: "begin", Title: p.title, Cancellable: new(true), Percentage: p.percentage(0)})
	for {
		select {
		case r := <-p.latest:
			c.SendProgress(protocol.String(token), &r)
		case <-p.done:
			c.SendProgress(protocol.String(token), &protocol.WorkDoneProgressEnd{Kind: "end"})
			return
		case <-sessionCtx.Done():
			return
		}
	}
}
