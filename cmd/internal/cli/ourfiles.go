package cli

import (
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
)

// ourFiles are those of a run, by what results call them.
type ourFiles struct {
	suites []loaded
	known  map[string]ourFile
}

// ourFile is a file that a result names.
type ourFile struct {
	index int  // which of those of the run it is, -1 if none is where the result says
	run   bool // whether it is run, maybe from another folder than that time
}

// find looks for a file. One by the same name that is not where the result says was run
// from another folder.
func (f ourFiles) find(file string) ourFile {
	found, known := f.known[file]
	if known {
		return found
	}
	named := filepath.FromSlash(file)
	found.index = slices.IndexFunc(f.suites, func(l loaded) bool { return host.SameFile(named, l.path) })
	found.run = found.index >= 0 || !host.Exists(named) &&
		slices.ContainsFunc(f.suites, func(l loaded) bool { return filepath.Base(named) == filepath.Base(l.path) })
	f.known[file] = found
	return found
}
