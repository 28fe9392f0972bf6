package cache

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// A Workspace is what the server knows of the files of one client. Changes replace its snapshot, and
// tell the client what is out of date.
type Workspace struct {
	*shared
	Tokens  Tokens
	Changes Broadcast // wakes requests that wait for the next change

	updateMu     sync.Mutex
	index        workspaceIndex
	publisher    *publisher
	refresher    *refresher
	reloadTimer  *time.Timer
	filesChanged atomic.Bool // closed files may have changed
}

// NewWorkspace returns the workspace of a client, until ctx ends. Quiet is the pause after the last
// change before dependencies are read again.
func NewWorkspace(ctx context.Context, peer transport.Peer, disk Disk, quiet time.Duration, logf func(string, ...any)) *Workspace {
	w := &Workspace{shared: &shared{Results: Results{disk: disk}, ctx: ctx, disk: disk, quiet: quiet, logf: logf}}
	w.setFocus = func(d *Document, span text.Span) {
		if d.focus.moveTo(span) && d.focus.truncated.Load() {
			w.publisher.enqueue(d.URI)
			w.refreshPulled()
		}
	}
	w.current.Store(&Snapshot{shared: w.shared, Client: &Client{Peer: peer}, Documents: map[uri.URI]*Document{}, recordings: map[uri.URI]string{}, RunSettings: run.DefaultSettings()})
	w.publisher = &publisher{shared: w.shared, pending: map[uri.URI]bool{}, slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
	w.refresher = &refresher{Workspace: w, wake: make(chan struct{}, 1)}
	w.reloadTimer = time.AfterFunc(time.Hour, func() { w.GuardPanic("reload", w.reload) })
	w.reloadTimer.Stop()
	context.AfterFunc(ctx, func() { w.reloadTimer.Stop() })
	return w
}

// Stop publishes nothing more. The returned function waits until what was begun is published.
func (w *Workspace) Stop() (wait func()) {
	w.publisher.mu.Lock()
	w.publisher.stopped = true
	w.publisher.mu.Unlock()
	w.Changes.notify()
	return w.publisher.wg.Wait
}

// reloadSoon reads dependencies and the index again after a pause, which joins bursts: a branch switch changes
// thousands of files.
func (w *Workspace) reloadSoon() { w.reloadTimer.Reset(w.quiet) }

// refreshPulled asks the client to pull diagnostics again, if it pulls them.
func (w *Workspace) refreshPulled() {
	if c := w.Current().Client; c.PullsDiagnostics && c.canRefreshDiagnostics {
		w.InBackground("refresh diagnostics", func(ctx context.Context) error {
			return c.Call(ctx, protocol.MethodWorkspaceDiagnosticRefresh, nil, nil)
		})
	}
}

// InBackground runs a task that waits for the client.
func (w *Workspace) InBackground(name string, task func(context.Context) error) {
	go func() {
		ctx, cancel := context.WithTimeout(w.ctx, CallTimeout)
		defer cancel()
		var err error
		w.GuardPanic(name, func() { err = task(ctx) })
		if err != nil && w.ctx.Err() == nil {
			w.logf("%s: %v", name, err)
		}
	}()
}

// Update replaces the snapshot by a changed copy. Notifications call it one at a time; the lock is
// for client answers that arrive meanwhile.
func (w *Workspace) Update(modify func(next *Snapshot)) {
	w.updateMu.Lock()
	defer w.updateMu.Unlock()
	next := *w.Current()
	modify(&next)
	w.current.Store(&next)
}

// setDocument adds a document or replaces its previous version; nil removes it.
func (w *Workspace) setDocument(u uri.URI, d *Document) {
	w.Update(func(next *Snapshot) {
		next.Documents = maps.Clone(next.Documents)
		if next.Documents[u] = d; d == nil {
			delete(next.Documents, u)
		}
	})
	w.publisher.enqueue(u)
	w.reloadSoon()
}

// Open adds a document. It replaces a document that is already open.
func (w *Workspace) Open(p *protocol.DidOpenTextDocumentParams) error {
	u := uri.URI(strings.Clone(string(p.TextDocument.URI)))
	w.setDocument(u, newDocument(u, p.TextDocument.Version, strings.Clone(p.TextDocument.Text), w.loadDependencies(u)))
	return nil
}

// Edit applies changes to a document.
func (w *Workspace) Edit(p *protocol.DidChangeTextDocumentParams) error {
	snap := w.Current()
	d := snap.Documents[p.TextDocument.URI]
	if d == nil {
		return errNotOpen(p.TextDocument.URI)
	}
	w.setDocument(d.URI, d.applyChanges(p.TextDocument.Version, p.ContentChanges, snap.Client.Encoding))
	return nil
}

// Close removes a document, and clears its diagnostics.
func (w *Workspace) Close(p *protocol.DidCloseTextDocumentParams) error {
	u := p.TextDocument.URI
	if w.Current().Documents[u] == nil {
		return errNotOpen(u)
	}
	w.Tokens.last.Delete(u)
	w.setDocument(u, nil)
	return nil
}

func errNotOpen(u uri.URI) error { return fmt.Errorf("`%s` is not open", u) }

// Saved tells that a document was saved. Other files may refer to it.
func (w *Workspace) Saved(*protocol.DidSaveTextDocumentParams) error {
	w.reloadSoon()
	return nil
}

// FilesChanged tells that files on disk changed. The next reload reads the closed files again.
func (w *Workspace) FilesChanged() {
	w.filesChanged.Store(true)
	w.reloadSoon()
}

// ResultsChanged tells that cases were run, or what results depend on changed. The client learns it without delay if
// nothing follows soon, as at the end of a run.
func (w *Workspace) ResultsChanged(isEnd bool) {
	if w.refresher.start(); isEnd {
		w.refresher.end()
	}
}

// SetSettings replaces the client's settings.
func (w *Workspace) SetSettings(severities map[string]diag.Severity, settings run.Settings) {
	if !w.Current().Client.IsTrusted {
		settings = settings.Untrusted()
	}
	if !reflect.DeepEqual(w.Current().RunSettings, settings) {
		defer w.ResultsChanged(true)
	}
	w.Update(func(next *Snapshot) { next.Severities, next.RunSettings = severities, settings })
	w.reload()
}

// reload reads the dependencies of the open documents again and replaces the documents whose
// dependencies changed.
func (w *Workspace) reload() {
	if w.ctx.Err() != nil {
		return
	}
	reread := w.filesChanged.Swap(false)
	var reloaded []uri.URI
	for u, d := range w.Current().Documents {
		if deps := w.loadDependencies(u); !d.deps.isCurrent(deps) && w.replace(d, deps) {
			reloaded = append(reloaded, u)
		}
	}
	duplicated := w.index.update(w.Current(), reread, func(duplicates map[uri.URI]lint.Duplicates, siblingIDs map[uri.URI][]string) {
		w.Update(func(next *Snapshot) { next.duplicates, next.siblingIDs = duplicates, siblingIDs })
	})
	for _, u := range append(reloaded, duplicated...) {
		w.publisher.enqueue(u)
	}
	if reread || len(duplicated) > 0 {
		w.refreshPulled()
	}
	if len(reloaded) > 0 {
		w.ResultsChanged(true) // a lens names the target and the judge
	}
	w.Changes.notify()
}

// replace replaces a document by a version with new dependencies, unless it has changed meanwhile.
func (w *Workspace) replace(old *Document, deps *dependencies) (replaced bool) {
	d := newDocument(old.URI, old.Version, old.Body(), deps)
	d.recognised, d.focus = old.recognised, old.focus
	w.Update(func(next *Snapshot) {
		if replaced = next.Documents[old.URI] == old; replaced {
			next.Documents = maps.Clone(next.Documents)
			next.Documents[old.URI] = d
		}
	})
	return replaced
}
