package cli

import (
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
)

// fileIndex are those of a run, by what results call them.
type fileIndex struct {
	suites []loadedSuite
	cache  map[string]fileMatch
}

// fileMatch is a file that a result names.
type fileMatch struct {
	index int  // which of those of the run it is, -1 if none is where the result says
	inRun bool // whether it is run, maybe from another folder than that time
}

// lookup looks for a file. One by the same name that is not where the result says was run
// from another folder.
func (f fileIndex) lookup(file string) fileMatch {
	match, cached := f.cache[file]
	if cached {
		return match
	}
	path := filepath.FromSlash(file)
	match.index = slices.IndexFunc(f.suites, func(l loadedSuite) bool { return host.SameFile(path, l.path) })
	match.inRun = match.index >= 0 || !host.Exists(path) &&
		slices.ContainsFunc(f.suites, func(l loadedSuite) bool { return filepath.Base(path) == filepath.Base(l.path) })
	f.cache[file] = match
	return match
}
