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
	Targets []string        // the names of the systems under test
	Cases   func() []string // the ids of the file's cases
	Vars    func() []string // the names that the file's cases give values to
	// Folder lists a folder, by its path from the file's own; nil where nobody can tell.
	Folder func(path string) []Entry
}

// Entry is what a folder has in it.
type Entry struct {
	Name   string
	Folder bool
}

// HostIn is what is known at an offset of the rest of its file: the ids of its cases,
// and the variables of those in the neighbourhood.
func HostIn(a *analysis.Analysis, offset int) Host {
	return Host{Cases: a.CaseNames, Vars: func() (all []string) {
		for _, names := range vars.In(a, text.Span{Start: offset - neighbourhood, End: offset + neighbourhood}, false) {
			for _, name := range names {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		}
		return all
	}}
}

// asked are names that a host may know.
func asked(names func() []string) []string {
	if names == nil {
		return nil
	}
	return names()
}

// neighbourhood is how many bytes before and behind a place cases are read for what
// is written at it: some tens of cases, which are much like all others.
const neighbourhood = 16 << 10

var vars = analysis.NewMemo(func(p *analysis.Part) []string { return varsOf(p.Tree) })

// varsOf are the names that a tree gives values to.
func varsOf(tree *yaml.Tree) (names []string) {
	yaml.Walk(tree.Root(), func(n *yaml.Node) bool {
		for _, pair := range n.Get("vars").Entries() {
			names = append(names, pair.Key.Value)
		}
		return true
	})
	return names
}
