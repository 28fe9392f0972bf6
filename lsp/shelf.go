package lsp

import (
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
)

// shelf keeps the analyses of files that nobody has open, until they or what is
// beside them change: clients ask for all of them every few seconds.
type shelf struct {
	lock sync.Mutex
	made map[uri.URI]shelved
}

type shelved struct {
	*analysis.Analysis
	body   string
	beside *beside
}

// analysis is that of a file on disk; nil if it cannot be read.
func (k *shelf) analysis(s *session, u uri.URI) *analysis.Analysis {
	if s.disk.Read == nil || !u.IsFile() {
		return nil
	}
	body, err := s.disk.Read(u.FsPath())
	if err != nil {
		k.lock.Lock()
		defer k.lock.Unlock()
		delete(k.made, u)
		return nil
	}
	k.lock.Lock()
	old, kept := k.made[u]
	k.lock.Unlock()
	now := s.look(u)
	if kept && old.body == body && old.beside.same(now) {
		return old.Analysis
	}
	a := now.of(body)
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.made == nil {
		k.made = map[uri.URI]shelved{}
	}
	k.made[u] = shelved{a, body, now}
	return a
}
