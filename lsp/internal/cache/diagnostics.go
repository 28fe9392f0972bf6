package cache

import (
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	idediagnostic "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/text"
)

// maxGates is how many failed gates are shown per document.
const maxGates = idediagnostic.MaxDiagnostics / 2

// Diagnostics returns the diagnostics of a document: lint findings, and gates that failed in the last
// run. IsEvalFile is also true for a document that cannot be analysed.
func (s *Snapshot) Diagnostics(d *Document) (list []ide.Finding, isEvalFile bool) {
	list = []ide.Finding{}
	fault := s.shared.GuardPanic(string(d.URI), func() {
		if isEvalFile = d.IsEvalFile(); !isEvalFile {
			return
		}
		nearby := d.focus.nearby()
		gates, more := s.failedGates(d, nearby)
		var truncated bool
		list, truncated = idediagnostic.List(s.File(d.URI, d.Analysis), nearby, s.duplicates[d.URI], len(gates), more)
		d.focus.truncated.Store(truncated)
		for _, g := range gates {
			list = append(list, g.toDiagnostic(s.SpanRange(d, g.span)))
		}
	})
	if fault != nil {
		return s.faultDiagnostics(d.URI, d.Analysis, fault), true
	}
	return list, isEvalFile
}

// ClosedFileDiagnostics is Diagnostics for a file that is not open.
func (s *Snapshot) ClosedFileDiagnostics(u uri.URI) (list []ide.Finding, isEvalFile bool) {
	var a *analysis.Analysis
	list = []ide.Finding{}
	fault := s.shared.GuardPanic(string(u), func() {
		if a = s.shared.closedAnalysis(u); a != nil && a.Recognised() {
			list, _ = idediagnostic.List(s.File(u, a), text.Span{}, s.duplicates[u], 0, 0)
			isEvalFile = true
		}
	})
	if fault != nil {
		return s.faultDiagnostics(u, a, fault), true
	}
	return list, isEvalFile
}

// faultDiagnostics returns the diagnostic of a file that cannot be analysed. A may be nil.
func (s *Snapshot) faultDiagnostics(u uri.URI, a *analysis.Analysis, fault *diag.Panic) []ide.Finding {
	finding := fault.Diagnostic(text.Span{})
	f, rng := s.File(u, a), text.Range{}
	if a != nil {
		rng = idediagnostic.FirstLine(f)
	}
	return []ide.Finding{idediagnostic.New(f, finding, rng)}
}

// publisher pushes diagnostics. Each document has at most one worker, which runs while there are
// changes. So diagnostics are sent in the order of the document's versions.
type publisher struct {
	shared  *shared
	mu      sync.Mutex
	stopped bool             // the session is stopping, which waits for the workers
	pending map[uri.URI]bool // the documents with a worker, and whether they changed since it started
	slots   chan struct{}    // limits concurrent workers, and leaves one processor to answer requests
	wg      sync.WaitGroup
}

// enqueue schedules the publication of a document's diagnostics, unless the client pulls them or the
// publisher has stopped.
func (p *publisher) enqueue(u uri.URI) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || p.shared.Current().Client.PullsDiagnostics {
		return
	}
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
		p.shared.GuardPanic(protocol.MethodTextDocumentPublishDiagnostics, func() { p.publish(u) })
		<-p.slots
		p.mu.Lock()
		if again = p.pending[u]; again { // the document changed since then
			p.pending[u] = false
			again = p.shared.ctx.Err() == nil
		} else {
			delete(p.pending, u)
		}
		p.mu.Unlock()
	}
}

// publishParams are those of publishDiagnostics.
type publishParams struct {
	URI         uri.URI       `json:"uri"`
	Version     *int32        `json:"version,omitzero"`
	Diagnostics []ide.Finding `json:"diagnostics"`
}

// publish sends the current diagnostics of a document, or an empty list if it was closed.
func (p *publisher) publish(u uri.URI) {
	snap := p.shared.Current()
	d := snap.Documents[u]
	params := &publishParams{URI: u, Diagnostics: []ide.Finding{}}
	if d != nil {
		params.Version = &d.Version
		params.Diagnostics, _ = snap.Diagnostics(d)
	}
	if p.shared.Current().Documents[u] != d {
		return // a newer version exists, and enqueue was or will be called for it
	}
	snap.Client.Notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}
