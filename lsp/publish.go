package lsp

import (
	"runtime"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/text"
)

// publisher pushes diagnostics. Each document has at most one worker, which runs while there are
// changes. So diagnostics are sent in the order of the document's versions.
type publisher struct {
	session *session
	mu      sync.Mutex
	pending map[uri.URI]bool // the documents with a worker, and whether they changed since it started
	slots   chan struct{}    // limits concurrent workers
	wg      sync.WaitGroup
}

// publishWorkers is the number of documents that are analysed at once. It leaves one processor to
// answer requests.
func publishWorkers() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// enqueue schedules the publication of a document's diagnostics.
func (p *publisher) enqueue(u uri.URI) {
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

func (p *publisher) work(u uri.URI) {
	defer p.wg.Done()
	for again := true; again; {
		p.slots <- struct{}{}
		p.session.guardPanic(protocol.MethodTextDocumentPublishDiagnostics, func() { p.publish(u) })
		<-p.slots
		again = p.hasMore(u) && p.session.ctx.Err() == nil
	}
}

// hasMore reports whether the document changed since the worker started. If not, the worker ends.
func (p *publisher) hasMore(u uri.URI) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending[u] {
		p.pending[u] = false
		return true
	}
	delete(p.pending, u)
	return false
}

// publish sends the current diagnostics of a document, or an empty list if it was closed.
func (p *publisher) publish(u uri.URI) {
	snap := p.session.snapshot.Load()
	d := snap.Documents[u]
	params := encodePublish(u, nil, []byte("[]"))
	if d != nil {
		list, _ := snap.diagnosticsJSON(d)
		params = encodePublish(u, &d.Version, list)
	}
	if p.session.snapshot.Load().Documents[u] != d {
		return // a newer version exists, and enqueue was or will be called for it
	}
	snap.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// scheduleDiagnostics publishes a document's diagnostics to clients that do not pull, and delays
// the next reload.
func (s *session) scheduleDiagnostics(u uri.URI) {
	if !s.snapshot.Load().client.pullsDiagnostics {
		s.publisher.enqueue(u)
	}
	s.reloadTimer.Reset(s.server.quiet())
}

// focus is where the user last typed or looked in a document, across its versions. Diagnostics near
// it are shown even if the document has too many.
type focus struct {
	span      atomic.Pointer[text.Span]
	truncated atomic.Bool // the last list of diagnostics lacked some
}

// focusRadius is how many bytes around the focus count as near: more than a screen.
const focusRadius = 16 << 10

// nearby returns the span near the focus.
func (f *focus) nearby() text.Span {
	if span := f.span.Load(); span != nil {
		return text.Span{Start: span.Start - focusRadius, End: span.End + focusRadius}
	}
	return text.Span{End: focusRadius}
}

// setFocus moves the focus to span. If the document's diagnostics were truncated, it publishes them
// again.
func (s *session) setFocus(d *document, span text.Span) {
	if !d.focus.moveTo(span) || !d.focus.truncated.Load() {
		return
	}
	s.republish(d.URI)
	s.requestDiagnosticRefresh()
}

// moveTo moves the focus and reports whether it left the nearby span.
func (f *focus) moveTo(span text.Span) (moved bool) {
	span.End = min(span.End, span.Start+focusRadius) // a request for the whole file counts as its start
	near := f.nearby()
	f.span.Store(&span)
	return span.Start < near.Start || span.End > near.End
}
