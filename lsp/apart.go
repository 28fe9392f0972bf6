package lsp

import (
	"path"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"
)

// apart are the files that cannot be of the dataset of any that is open, because
// they are not called so and do not have its name in their text. They are read,
// but never analysed: a folder may have many large ones.
type apart struct {
	sync.Mutex // held while files are compared
	datasets   []string
	files      map[uri.URI]bool // whether they are apart, of those that were read
}

// check forgets what is not so any more: other datasets are open, or files are
// to be read again.
func (a *apart) check(datasets []string, reread bool) {
	if reread || !slices.Equal(a.datasets, datasets) {
		a.datasets, a.files = datasets, map[uri.URI]bool{}
	}
}

// has reports whether a file that nobody has open is apart.
func (a *apart) has(s *session, u uri.URI) bool {
	is, known := a.files[u]
	if !known {
		is = !a.mayShare(s, u)
		a.files[u] = is
	}
	return is
}

func (a *apart) mayShare(s *session, u uri.URI) bool {
	if s.disk.Read == nil || !u.IsFile() {
		return false
	}
	stem := path.Base(u.Path())
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	if slices.Contains(a.datasets, stem) {
		return true
	}
	body, err := s.disk.Read(u.FsPath())
	return err == nil && slices.ContainsFunc(a.datasets, func(name string) bool { return strings.Contains(body, name) })
}
