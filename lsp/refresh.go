package lsp

import (
	"context"
	"maps"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// refresher asks the client to refresh views of results. Only one round runs at a time; requests
// during a round start one more.
type refresher struct {
	mu      sync.Mutex
	running bool
	pending bool
	wake    chan struct{} // ends the delay between rounds when a run is over
}

// casesPerDelay is the number of cases that doubles the delay between rounds. A client requests the
// lenses of a whole file again, and with 10,000 cases that takes an editor longer than the run.
const casesPerDelay = 250

// refreshViews refreshes the client's lenses, hints and diagnostics.
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

// refreshViewsNow is refreshViews without the delay, for the end of a run.
func (s *session) refreshViewsNow() {
	s.refreshViews()
	select {
	case s.refresher.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// refreshDelay returns the delay between two rounds.
func (s *snapshot) refreshDelay() time.Duration {
	cases := 0
	for _, d := range s.Documents {
		cases += len(s.runnableSuite(d).Cases)
	}
	return s.session.server.quiet() * time.Duration(1+cases/casesPerDelay)
}

func (s *session) refreshLoop() {
	for more := true; more; {
		snap := s.snapshot.Load()
		for u := range snap.Documents {
			s.republish(u)
		}
		s.changes.notify()
		for _, method := range snap.client.refreshMethods() {
			ctx, cancel := context.WithTimeout(s.ctx, callTimeout)
			_ = snap.client.Call(ctx, method, nil, nil) // a client that does not answer is asked again after the next change
			cancel()
		}
		select { // a run reports hundreds of cases a second
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

// republish publishes the diagnostics of one document, unless the session is stopping: shutdown
// waits for the publisher.
func (s *session) republish(u uri.URI) {
	s.refresher.mu.Lock()
	defer s.refresher.mu.Unlock()
	if !s.snapshot.Load().client.pullsDiagnostics && s.phase.Load() == phaseServing {
		s.publisher.enqueue(u)
	}
}

// refreshMethods returns the refresh requests that the client supports.
func (c *client) refreshMethods() (methods []string) {
	if c.canRefreshLenses {
		methods = append(methods, protocol.MethodWorkspaceCodeLensRefresh)
	}
	if c.canRefreshHints {
		methods = append(methods, protocol.MethodWorkspaceInlayHintRefresh)
	}
	if c.pullsDiagnostics && c.canRefreshDiagnostics {
		methods = append(methods, protocol.MethodWorkspaceDiagnosticRefresh)
	}
	return methods
}

// reload reads the dependencies of the open documents again and replaces the documents whose
// dependencies changed. It runs when nothing has changed for a while.
func (s *session) reload() {
	if s.ctx.Err() != nil {
		return
	}
	filesChanged := s.filesChanged.Swap(false)
	changed := filesChanged
	for u, d := range s.snapshot.Load().Documents {
		if deps := s.loadDependencies(u); !d.deps.isCurrent(deps) && s.replace(d, deps) {
			changed = true
		}
	}
	if s.updateIndex(filesChanged) {
		changed = true
	}
	if changed {
		s.requestDiagnosticRefresh()
	}
	s.changes.notify()
}

// requestDiagnosticRefresh asks a client that pulls diagnostics to pull again.
func (s *session) requestDiagnosticRefresh() {
	if c := s.snapshot.Load().client; c.pullsDiagnostics && c.canRefreshDiagnostics {
		s.runInBackground("refresh diagnostics", func(ctx context.Context) error {
			return s.peer.Call(ctx, protocol.MethodWorkspaceDiagnosticRefresh, nil, nil)
		})
	}
}

// replace replaces a document by a version with new dependencies, unless it has changed meanwhile.
func (s *session) replace(old *document, deps *dependencies) (replaced bool) {
	d := newDocument(old.URI, old.Version, old.body(), deps)
	d.recognised, d.focus = old.recognised, old.focus
	s.update(func(next *snapshot) {
		if replaced = next.Documents[old.URI] == old; replaced {
			next.Documents = maps.Clone(next.Documents)
			next.Documents[old.URI] = d
		}
	})
	if replaced && !s.snapshot.Load().client.pullsDiagnostics {
		s.publisher.enqueue(old.URI)
	}
	if replaced && !s.results.isEmpty(old.URI) {
		s.refreshViews()
	}
	return replaced
}

// broadcast wakes all goroutines that wait for the next change of the workspace. The zero value is
// ready to use.
type broadcast struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next change; nil until someone waits
}

// wait returns a channel that the next notify closes.
func (b *broadcast) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// notify wakes all current waiters.
func (b *broadcast) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}
