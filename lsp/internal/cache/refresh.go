package cache

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"
)

// refresher asks the client to refresh views of results. Only one round runs at a time; requests
// during a round start one more.
type refresher struct {
	*Workspace

	mu      sync.Mutex
	running bool
	pending bool
	wake    chan struct{} // ends a delay, such as when a run is over
}

// casesPerDelay is the number of cases that doubles the delay between rounds. A client requests the
// lenses of a whole file again, and with 10,000 cases that takes an editor longer than the run.
const casesPerDelay = 250

// start refreshes the client's lenses, hints and diagnostics.
func (ref *refresher) start() {
	ref.mu.Lock()
	defer ref.mu.Unlock()
	if ref.running {
		ref.pending = true
		return
	}
	ref.running = true
	go ref.loop()
}

// end ends the delay before a round.
func (ref *refresher) end() {
	select {
	case ref.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// refreshDelay returns the delay between two rounds.
func (s *Snapshot) refreshDelay() time.Duration {
	cases := 0
	for _, d := range s.Documents {
		cases += len(s.RunnableSuite(d).Cases)
	}
	return s.shared.quiet * time.Duration(1+cases/casesPerDelay)
}

// wait waits for a delay, the end of a run or the end of the session.
func (ref *refresher) wait(delay time.Duration) {
	select {
	case <-time.After(delay):
	case <-ref.wake:
	case <-ref.ctx.Done():
	}
}

func (ref *refresher) loop() {
	ref.wait(min(2*ref.quiet, ref.Current().refreshDelay())) // a quick run ends meanwhile
	for more := true; more; {
		snap := ref.Current()
		for u := range snap.Documents {
			if !ref.Results.isEmpty(u) {
				ref.publisher.enqueue(u)
			}
		}
		ref.Changes.notify()
		for _, method := range snap.Client.refreshMethods() {
			ctx, cancel := context.WithTimeout(ref.ctx, CallTimeout)
			_ = snap.Client.Call(ctx, method, nil, nil) // a client that does not answer is asked again after the next change
			cancel()
		}
		ref.wait(snap.refreshDelay()) // a run reports hundreds of cases a second
		ref.mu.Lock()
		more = ref.pending && ref.ctx.Err() == nil
		ref.running, ref.pending = more, false
		ref.mu.Unlock()
	}
}

// refreshMethods returns the refresh requests that the client supports.
func (c *Client) refreshMethods() (methods []string) {
	if c.canRefreshLenses {
		methods = append(methods, protocol.MethodWorkspaceCodeLensRefresh)
	}
	if c.canRefreshHints {
		methods = append(methods, protocol.MethodWorkspaceInlayHintRefresh)
	}
	if c.PullsDiagnostics && c.canRefreshDiagnostics {
		methods = append(methods, protocol.MethodWorkspaceDiagnosticRefresh)
	}
	return methods
}

// A Broadcast wakes all goroutines that wait for the next change of the workspace. The zero value is
// ready to use.
type Broadcast struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next change; nil until someone waits
}

// Wait returns a channel that the next notify closes.
func (b *Broadcast) Wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// notify wakes all current waiters.
func (b *Broadcast) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}
