package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// renew looks again at what lies beside the open documents, once nothing has
// changed for a while, and makes those anew for which that makes a difference.
func (s *session) renew() {
	if s.ctx.Err() != nil {
		return
	}
	moved := s.elsewhere.Swap(false)
	changed := moved
	for u, d := range s.now.Load().Documents {
		if now := s.look(u); !d.beside.same(now) && s.replace(d, now) {
			changed = true
		}
	}
	if s.compare(moved) {
		changed = true
	}
	if changed {
		s.askAgain()
	}
	s.stirred.stir()
}

// askAgain has diagnostics asked for again by a client that asks.
func (s *session) askAgain() {
	if c := s.now.Load().client; c.pull && c.refreshDiagnostics {
		s.meanwhile("have diagnostics asked for again", func(ctx context.Context) error {
			return s.peer.call(ctx, protocol.MethodWorkspaceDiagnosticRefresh, nil, nil)
		})
	}
}

// replace puts a document that was looked beside in the place of the one from
// before, if that is still there.
func (s *session) replace(old *Document, now *beside) (replaced bool) {
	d := open(old.URI, old.Version, old.body(), now)
	d.ours, d.looked, d.spoken = old.ours, old.looked, old.spoken
	s.update(func(next *Snapshot) {
		if replaced = next.Documents[old.URI] == old; replaced {
			next.Documents = next.documents()
			next.Documents[old.URI] = d
		}
	})
	if replaced && !s.now.Load().client.pull {
		s.publish.touch(old.URI)
	}
	if replaced && !s.results.none(old.URI) {
		s.refresh()
	}
	return replaced
}
