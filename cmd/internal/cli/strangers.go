package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// ourFiles are those of a run, by what results call them.
type ourFiles struct {
	suites []loaded
	known  map[string]int
}

// index is which of them one is, -1 if none is where that says.
func (f ourFiles) index(file string) int {
	i, known := f.known[file]
	if !known {
		i = slices.IndexFunc(f.suites, func(l loaded) bool { return host.SameFile(filepath.FromSlash(file), l.path) })
		f.known[file] = i
	}
	return i
}

// strangers are results that stand where a run is to go on, and that it would leave
// out although nothing about them has changed: those of other files, and of cases
// that --case does not choose.
type strangers struct {
	suites []loaded
	o      *runOptions
	ours   map[string]bool     // whether a file, as records name it, is run
	of     map[run.Mark]string // their files, "" for those that --case leaves out
}

// look takes in a result.
func (x *strangers) look(rec *run.Record) {
	if rec.EvalFile != "" && !x.isOurs(rec.EvalFile) {
		x.of[rec.Mark()] = rec.EvalFile
	} else if !run.Only(x.o.cases...)(&rubric.Case{ID: rec.EvalID}) {
		x.of[rec.Mark()] = ""
	}
}

// isOurs reports whether a file is run. One by the same name that is not where the
// record says was run from another folder.
func (x *strangers) isOurs(file string) bool {
	ours, known := x.ours[file]
	if known {
		return ours
	}
	named := filepath.FromSlash(file)
	ours = slices.ContainsFunc(x.suites, func(l loaded) bool {
		return host.SameFile(named, l.path) || filepath.Base(named) == filepath.Base(l.path) && !host.Exists(named)
	})
	x.ours[file] = ours
	return ours
}

// fault says whose they are, if there are any. A file that was moved or copied has
// the cases that it had.
func (x *strangers) fault(out string) error {
	for _, suite := range x.suites {
		if len(x.of) == 0 {
			return nil
		}
		r := x.o.runner(suite)
		var failed error
		cases, _ := suite.chosen(x.o.cases, &failed)
		for c := range cases {
			delete(x.of, r.Mark(suite.suite, c))
		}
		if failed != nil {
			return failed
		}
	}
	holds := fmt.Sprintf("%s holds %s", out, plural(len(x.of), "result"))
	files := slices.Compact(slices.Sorted(maps.Values(x.of)))
	switch {
	case len(files) == 0:
		return nil
	case files[0] == "" && len(files) == 1:
		return fmt.Errorf("%s of cases that --case leaves out; go on without it, which grades only what is not graded yet, or write to another --out", holds)
	case files[0] == "":
		files = files[1:]
	}
	more := ""
	if len(files) > 1 {
		more = fmt.Sprintf(" and %s more", plural(len(files)-1, "file"))
	}
	return fmt.Errorf("%s of `%s`%s, which would be lost; run all of these files together, or write to another --out", holds, files[0], more)
}
