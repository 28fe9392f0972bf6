package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// reload looks again at what lies beside the open documents, once nothing has
// changed for a while, and makes those anew for which that makes a difference.
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

// requestDiagnosticRefresh has diagnostics asked for again by a client that asks.
func (s *session) requestDiagnosticRefresh() {
	if c := s.snapshot.Load().client; c.pullsDiagnostics && c.canRefreshDiagnostics {
		s.runInBackground("have diagnostics asked for again", func(ctx context.Context) error {
			return s.peer.call(ctx, protocol.MethodWorkspaceDiagnosticRefresh, nil, nil)
		})
	}
}

// replace puts a document that was looked beside in the place of the one from
// before, if that is still there.
func (s *session) replace(old *document, deps *dependencies) (replaced bool) {
	d := newDocument(old.URI, old.Version, old.body(), deps)
	d.recognised, d.focus, d.diagnosticCache = old.recognised, old.focus, old.diagnosticCache
	s.update(func(next *snapshot) {
		if replaced = next.Documents[old.URI] == old; replaced {
			next.Documents = next.cloneDocuments()
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
