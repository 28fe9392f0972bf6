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
)

// maxJobs is how many jobs of a session work at once; the others wait.
const maxJobs = 2

// A job's work has lateness to end once it is cancelled; then it is left to
// itself, and nothing that it still says is heard.
const cancelGrace = 500 * time.Millisecond

// errCancelled is why a job that somebody stopped has ended.
var errCancelled = errors.New("it was cancelled")

// jobs are a session's long works. Each outlives the request that asked for it
// and ends with the session.
type jobs struct {
	session *session
	mu      sync.Mutex
	lastID  int
	running map[string]*job
	slots   chan struct{}
	wg      sync.WaitGroup
}

// job is one of them.
type job struct {
	id       string // also the token of its progress
	ctx      context.Context
	cancel   context.CancelCauseFunc
	progress progress
}

// start has some work done beside everything else, of a number of steps if that
// is known. The work gets a slot, tells how far it is, and ends soon after its
// context does.
func (js *jobs) start(title string, steps int, work func(*job)) *job {
	js.mu.Lock()
	js.lastID++
	j := &job{id: fmt.Sprintf("rubric-job-%d", js.lastID), progress: newProgress(title, steps)}
	j.ctx, j.cancel = context.WithCancelCause(js.session.ctx)
	js.running[j.id] = j
	js.mu.Unlock()
	js.wg.Add(2)
	go func() {
		defer js.wg.Done()
		j.progress.send(js.session, j.id)
	}()
	go func() {
		defer js.wg.Done()
		defer js.finish(j)
		select {
		case js.slots <- struct{}{}:
			defer func() { <-js.slots }()
		case <-j.ctx.Done():
		}
		_, _ = js.session.runGuarded(title, func() (any, error) { work(j); return nil, nil }) // which logs its fault
	}()
	return j
}

func (js *jobs) finish(j *job) {
	js.mu.Lock()
	delete(js.running, j.id)
	js.mu.Unlock()
	j.cancel(nil)
	j.progress.close()
}

// isCancelled reports whether somebody has stopped the job.
func (j *job) isCancelled() bool { return errors.Is(context.Cause(j.ctx), errCancelled) }

// cancel cancels a job, or all of them if id is "", and tells which. One that has
// been stopped already is not told again, though it may have yet to end.
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

// wait waits, after the session's end, until what jobs have started is gone: the
// process may end next, and would leave it behind. It does not wait long.
func (js *jobs) wait() {
	done := make(chan struct{})
	go func() { js.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * cancelGrace):
	}
}

// cancelProgress is the button on a job's progress.
func cancelProgress(s *session, p *protocol.WorkDoneProgressCancelParams) error {
	if token, ok := p.Token.(protocol.String); ok && token != "" {
		s.jobs.cancel(string(token))
	}
	return nil
}
