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
	lock    sync.Mutex
	asking  bool
	pending bool
	hurry   chan struct{} // what ends the rest between rounds: a run is over
}

// restful is how many cases double the rest between two rounds: a client asks for
// the lenses of a whole file anew, and those of 10,000 cases keep an editor busy for
// longer than it takes to run them.
const restful = 250

// refresh has the views of results renewed: lenses, hints, and the findings of
// open documents.
func (s *session) refresh() {
	r := &s.refreshes
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.asking {
		r.pending = true
		return
	}
	r.asking = true
	go s.refreshing()
}

// hasten is refresh at the end of a run, which no rest puts off.
func (s *session) hasten() {
	s.refresh()
	select {
	case s.refreshes.hurry <- struct{}{}:
	default: // one is under way
	}
}

// rest is how long nothing is asked for anew between two rounds.
func (at *Snapshot) rest() time.Duration {
	cases := 0
	for _, d := range at.Documents {
		cases += len(at.suite(d).Cases)
	}
	return at.session.server.quiet() * time.Duration(1+cases/restful)
}

func (s *session) refreshing() {
	for more := true; more; {
		s.touchAll()
		s.stirred.stir()
		at := s.now.Load()
		for _, method := range at.client.refreshable() {
			ctx, cancel := context.WithTimeout(s.ctx, patience)
			_ = at.client.call(ctx, method, nil, nil) // who does not answer is asked again when there is something new
			cancel()
		}
		select { // a run tells of hundreds of cases a second
		case <-time.After(at.rest()):
		case <-s.refreshes.hurry:
		case <-s.ctx.Done():
		}
		r := &s.refreshes
		r.lock.Lock()
		more = r.pending && s.ctx.Err() == nil
		r.asking, r.pending = more, false
		r.lock.Unlock()
	}
}

// last does what no round may begin after.
func (r *refresher) last(do func()) {
	r.lock.Lock()
	defer r.lock.Unlock()
	do()
}

// touchAll has the findings in open documents pushed, unless the session is
// stopping: shutdown waits for what is pushed.
func (s *session) touchAll() {
	for u := range s.now.Load().Documents {
		s.retell(u)
	}
}

// retell is touchAll of one document.
func (s *session) retell(u uri.URI) {
	s.refreshes.lock.Lock()
	defer s.refreshes.lock.Unlock()
	if !s.now.Load().client.pull && s.phase.Load() == serving {
		s.publish.touch(u)
	}
}

// refreshable are the requests by which the client lets itself be told to ask
// anew.
func (c *client) refreshable() (methods []string) {
	for _, m := range []struct {
		method string
		can    bool
	}{
		{protocol.MethodWorkspaceCodeLensRefresh, c.refreshLenses},
		{protocol.MethodWorkspaceInlayHintRefresh, c.refreshHints},
		{protocol.MethodWorkspaceDiagnosticRefresh, c.pull && c.refreshDiagnostics},
	} {
		if m.can {
			methods = append(methods, m.method)
		}
	}
	return methods
}
