package lsp

import (
	"runtime"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// docID names a document.
type docID = uri.URI

// publisher pushes findings. Each document has at most one worker, which runs
// while there is something new of it: so what is sent of a document is in the
// order of its versions, whatever takes how long.
type publisher struct {
	session *session
	mu      sync.Mutex
	pending map[docID]bool // documents with a worker; whether it has to look again
	slots   chan struct{}  // how many may work at once
	wg      sync.WaitGroup
}

// publishWorkers is how many documents are analysed at once, leaving room to answer.
func publishWorkers() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// enqueue says that there is something new of a document.
func (p *publisher) enqueue(u docID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, works := p.pending[u]; works {
		p.pending[u] = true
		return
	}
	p.pending[u] = false
	p.wg.Add(1)
	go p.work(u)
}

func (p *publisher) work(u docID) {
	defer p.wg.Done()
	for again := true; again; {
		p.slots <- struct{}{}
		_, _ = p.session.runGuarded(protocol.MethodTextDocumentPublishDiagnostics, func() (any, error) { // which logs its fault
			p.publish(u)
			return nil, nil
		})
		<-p.slots
		again = p.hasMore(u) && p.session.ctx.Err() == nil
	}
}

// hasMore reports whether the worker has to look again; if not, it is done.
func (p *publisher) hasMore(u docID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending[u] {
		p.pending[u] = false
		return true
	}
	delete(p.pending, u)
	return false
}

// publish sends the findings in a document as it is now, none if it was closed.
func (p *publisher) publish(u docID) {
	snap := p.session.snapshot.Load()
	d := snap.Documents[u]
	params := encodePublish(u, nil, []byte("[]"))
	if d != nil {
		list, _ := snap.diagnosticsJSON(d)
		params = encodePublish(u, &d.Version, list)
	}
	if p.session.snapshot.Load().Documents[u] != d {
		return // overtaken: there is something newer, and touch was or will be called for it
	}
	snap.client.notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// scheduleDiagnostics has the findings in a document pushed, to clients that do not ask.
func (s *session) scheduleDiagnostics(u docID) {
	if !s.snapshot.Load().client.pullsDiagnostics {
		s.publisher.enqueue(u)
	}
	s.reloadTimer.Reset(s.server.quiet())
}
