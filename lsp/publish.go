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
	lock    sync.Mutex
	again   map[docID]bool // documents with a worker; whether it has to look again
	slots   chan struct{}  // how many may work at once
	busy    sync.WaitGroup
}

// workers is how many documents are analysed at once, leaving room to answer.
func workers() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// touch says that there is something new of a document.
func (p *publisher) touch(u docID) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if _, works := p.again[u]; works {
		p.again[u] = true
		return
	}
	p.again[u] = false
	p.busy.Add(1)
	go p.work(u)
}

func (p *publisher) work(u docID) {
	defer p.busy.Done()
	for more := true; more; {
		p.slots <- struct{}{}
		_, _ = p.session.guard(protocol.MethodTextDocumentPublishDiagnostics, func() (any, error) { // which logs its fault
			p.push(u)
			return nil, nil
		})
		<-p.slots
		more = p.more(u) && p.session.ctx.Err() == nil
	}
}

// more reports whether the worker has to look again; if not, it is done.
func (p *publisher) more(u docID) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.again[u] {
		p.again[u] = false
		return true
	}
	delete(p.again, u)
	return false
}

// push sends the findings in a document as it is now, none if it was closed.
func (p *publisher) push(u docID) {
	at := p.session.now.Load()
	d := at.Documents[u]
	params := published(u, nil, []byte("[]"))
	if d != nil {
		list, _ := at.said(d)
		params = published(u, &d.Version, list)
	}
	if p.session.now.Load().Documents[u] != d {
		return // overtaken: there is something newer, and touch was or will be called for it
	}
	at.client.notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// touch has the findings in a document pushed, to clients that do not ask.
func (s *session) touch(u docID) {
	if !s.now.Load().client.pull {
		s.publish.touch(u)
	}
	s.quiet.Reset(s.server.quiet())
}
