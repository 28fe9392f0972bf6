package lsp

import "go.lsp.dev/uri"

// lookAt looks beside a document when its analysis is made.
func (s *session) lookAt(u uri.URI) func(body string) *beside {
	return func(body string) *beside { return s.look(u, body) }
}

// renew looks again at what lies beside the open documents, once nothing has
// changed for a while, and makes those anew for which that makes a difference.
func (s *session) renew() {
	for u, d := range s.now.Load().Documents {
		m := d.known.Load()
		if m == nil || m.analysis.Source().Body != d.body {
			continue // not analysed yet: it will look then
		}
		now := s.look(u, d.body)
		if m.beside.same(now) {
			continue
		}
		s.replace(d, now)
	}
}

// replace puts a document that was looked beside in the place of the one from
// before, if that is still there.
func (s *session) replace(old *Document, now *beside) {
	d := open(old.URI, old.Version, old.body, func(string) *beside { return now })
	d.ours = old.ours
	replaced := false
	s.update(func(next *Snapshot) {
		if replaced = next.Documents[old.URI] == old; replaced {
			next.Documents = next.documents()
			next.Documents[old.URI] = d
		}
	})
	if replaced && !s.now.Load().client.pull {
		s.publish.touch(old.URI)
	}
}
