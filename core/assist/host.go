package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Host is what completion cannot know of the part that is completed. All of it may
// be missing.
type Host struct {
	Targets  []string        // the names of the systems under test
	CaseIDs  func() []string // the ids of the file's cases
	VarNames func() []string // the names that the file's cases give values to
	// ReadDir lists a folder, by its path from the file's own; nil where nobody can tell.
	ReadDir func(path string) []DirEntry
}

// DirEntry is what a folder has in it.
type DirEntry struct {
	Name  string
	IsDir bool
}

// NewHost is what is known at an offset of the rest of its file: the ids of its cases,
// and the variables of those in the neighbourhood.
func NewHost(a *analysis.Analysis, offset int) Host {
	return Host{CaseIDs: a.ListCaseIDs, VarNames: func() (all []string) {
		for _, names := range varsCache.EachIn(a, text.Span{Start: offset - varScanWindow, End: offset + varScanWindow}, false) {
			for _, name := range names {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		}
		return all
	}}
}

// callNames are names that a host may know.
func callNames(names func() []string) []string {
	if names == nil {
		return nil
	}
	return names()
}

// varScanWindow is how many bytes before and behind a place cases are read for what
// is written at it: some tens of cases, which are much like all others.
const varScanWindow = 16 << 10

var varsCache = analysis.NewChunkCache(func(p *analysis.Chunk) []string { return treeVars(p.Tree) })

// treeVars are the names that a tree gives values to.
func treeVars(tree *yaml.Tree) (names []string) {
	yaml.Walk(tree.Root(), func(n *yaml.Node) bool {
		for _, pair := range n.Get("vars").Entries() {
			names = append(names, pair.Key.Value)
		}
		return true
	})
	return names
}
