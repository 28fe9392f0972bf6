package lsp

import (
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
)

// fileCache keeps the analyses of files that nobody has open, until they or what is
// beside them change: clients ask for all of them every few seconds.
type fileCache struct {
	mu    sync.Mutex
	files map[uri.URI]cachedFile
}

type cachedFile struct {
	*analysis.Analysis
	body string
	deps *dependencies
}

// analysis is that of a file on disk; nil if it cannot be read.
func (fc *fileCache) analysis(s *session, u uri.URI) *analysis.Analysis {
	if s.disk.ReadFile == nil || !u.IsFile() {
		return nil
	}
	body, err := s.disk.ReadFile(u.FsPath())
	if err != nil {
		fc.mu.Lock()
		defer fc.mu.Unlock()
		delete(fc.files, u)
		return nil
	}
	fc.mu.Lock()
	previous, cached := fc.files[u]
	fc.mu.Unlock()
	deps := s.loadDependencies(u)
	if cached && previous.body == body && previous.deps.isCurrent(deps) {
		return previous.Analysis
	}
	a := deps.analyse(body)
	fc.mu.Lock()
	defer fc.mu.Unlock()
	if fc.files == nil {
		fc.files = map[uri.URI]cachedFile{}
	}
	fc.files[u] = cachedFile{a, body, deps}
	return a
}
