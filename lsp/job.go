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

// atATime is how many jobs of a session work at once; the others wait.
const atATime = 2

// A job's work has lateness to end once it is cancelled; then it is left to
// itself, and nothing that it still says is heard.
const lateness = 500 * time.Millisecond

// errCancelled is why a job that somebody stopped has ended.
var errCancelled = errors.New("it was cancelled")

// jobs are a session's long works. Each outlives the request that asked for it
// and ends with the session.
type jobs struct {
	session *session
	lock    sync.Mutex
	last    int
	running map[string]*job
	slots   chan struct{}
	busy    sync.WaitGroup
}

// job is one of them.
type job struct {
	id     string // also the token of its progress
	ctx    context.Context
	cancel context.CancelCauseFunc
	meter  meter
}

// begin has some work done beside everything else, of a number of steps if that
// is known. The work gets a slot, tells how far it is, and ends soon after its
// context does.
func (k *jobs) begin(title string, steps int, work func(*job)) *job {
	k.lock.Lock()
	k.last++
	j := &job{id: fmt.Sprintf("rubric-job-%d", k.last), meter: newMeter(title, steps)}
	j.ctx, j.cancel = context.WithCancelCause(k.session.ctx)
	k.running[j.id] = j
	k.lock.Unlock()
	k.busy.Add(2)
	go func() {
		defer k.busy.Done()
		j.meter.show(k.session, j.id)
	}()
	go func() {
		defer k.busy.Done()
		defer k.end(j)
		select {
		case k.slots <- struct{}{}:
			defer func() { <-k.slots }()
		case <-j.ctx.Done():
		}
		_, _ = k.session.guard(title, func() (any, error) { work(j); return nil, nil }) // which logs its fault
	}()
	return j
}

func (k *jobs) end(j *job) {
	k.lock.Lock()
	delete(k.running, j.id)
	k.lock.Unlock()
	j.cancel(nil)
	j.meter.close()
}

// cancelled reports whether somebody has stopped the job.
func (j *job) cancelled() bool { return errors.Is(context.Cause(j.ctx), errCancelled) }

// stop cancels a job, or all of them if id is "", and tells which. One that has
// been stopped already is not told again, though it may have yet to end.
func (k *jobs) stop(id string) []string {
	k.lock.Lock()
	defer k.lock.Unlock()
	stopped := []string{}
	for _, name := range slices.Sorted(maps.Keys(k.running)) {
		if j := k.running[name]; (id == "" || id == name) && j.ctx.Err() == nil {
			j.cancel(errCancelled)
			stopped = append(stopped, name)
		}
	}
	return stopped
}

// settle waits, after the session's end, until what jobs have started is gone: the
// process may end next, and would leave it behind. It does not wait long.
func (k *jobs) settle() {
	gone := make(chan struct{})
	go func() { k.busy.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-time.After(2 * lateness):
	}
}

// cancelProgress is the button on a job's progress.
func cancelProgress(s *session, p *protocol.WorkDoneProgressCancelParams) error {
	if token, ok := p.Token.(protocol.String); ok && token != "" {
		s.jobs.stop(string(token))
	}
	return nil
}
