package lsp

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// refresher has a client ask anew for what shows results. It asks for one round
// at a time: what happens meanwhile makes one more.
type refresher struct {
	mu      sync.Mutex
	running bool
	pending bool
	wake    chan struct{} // what ends the rest between rounds: a run is over
}

// casesPerDelay is how many cases double the rest between two rounds: a client asks for
// the lenses of a whole file anew, and those of 10,000 cases keep an editor busy for
// longer than it takes to run them.
const casesPerDelay = 250

// refreshViews has the views of results renewed: lenses, hints, and the findings of
// open documents.
func (s *session) refreshViews() {
	ref := &s.refresher
	ref.mu.Lock()
	defer ref.mu.Unlock()
	if ref.running {
		ref.pending = true
		return
	}
	ref.running = true
	go s.refreshLoop()
}

// refreshViewsNow is refresh at the end of a run, which no rest puts off.
func (s *session) refreshViewsNow() {
	s.refreshViews()
	select {
	case s.refresher.wake <- struct{}{}:
	default: // one is under way
	}
}

// refreshDelay is how long nothing is asked for anew between two rounds.
func (s *snapshot) refreshDelay() time.Duration {
	cases := 0
	for _, d := range s.Documents {
		cases += len(s.runnableSuite(d).Cases)
	}
	return s.session.server.quiet() * time.Duration(1+cases/casesPerDelay)
}

func (s *session) refreshLoop() {
	for more := true; more; {
		s.republishAll()
		s.changes.notify()
		snap := s.snapshot.Load()
		for _, method := range snap.client.refreshMethods() {
			ctx, cancel := context.WithTimeout(s.ctx, callTimeout)
			_ = snap.client.call(ctx, method, nil, nil) // who does not answer is asked again when there is something new
			cancel()
		}
		select { // a run tells of hundreds of cases a second
		case <-time.After(snap.refreshDelay()):
		case <-s.refresher.wake:
		case <-s.ctx.Done():
		}
		ref := &s.refresher
		ref.mu.Lock()
		more = ref.pending && s.ctx.Err() == nil
		ref.running, ref.pending = more, false
		ref.mu.Unlock()
	}
}

// withLock does what no round may begin after.
func (r *refresher) withLock(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// republishAll has the findings in open documents pushed, unless the session is
// stopping: shutdown waits for what is pushed.
func (s *session) republishAll() {
	for u := range s.snapshot.Load().Documents {
		s.republish(u)
	}
}

// republish is touchAll of one document.
func (s *session) republish(u uri.URI) {
	s.refresher.mu.Lock()
	defer s.refresher.mu.Unlock()
	if !s.snapshot.Load().client.pullsDiagnostics && s.phase.Load() == phaseServing {
		s.publisher.enqueue(u)
	}
}

// refreshMethods are the requests by which the client lets itself be told to ask
// anew.
func (c *client) refreshMethods() (methods []string) {
	for _, m := range []struct {
		method string
		can    bool
	}{
		{protocol.MethodWorkspaceCodeLensRefresh, c.canRefreshLenses},
		{protocol.MethodWorkspaceInlayHintRefresh, c.canRefreshHints},
		{protocol.MethodWorkspaceDiagnosticRefresh, c.pullsDiagnostics && c.canRefreshDiagnostics},
	} {
		if m.can {
			methods = append(methods, m.method)
		}
	}
	return methods
}
