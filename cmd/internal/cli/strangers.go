package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// strangers are results that stand where a run is to go on, and that it would leave
// out although nothing about them has changed: those of other files, and of cases
// that --case does not choose.
type strangers struct {
	files ourFiles
	o     *runOptions
	of    map[run.Mark]string // their files, "" for those that --case leaves out
}

// look takes in a result.
func (x *strangers) look(rec *run.Record) {
	if rec.EvalFile != "" && !x.files.find(rec.EvalFile).run {
		x.of[rec.Mark()] = rec.EvalFile
	} else if !run.Only(x.o.cases...)(&rubric.Case{ID: rec.EvalID}) {
		x.of[rec.Mark()] = ""
	}
}

// fault says whose they are, if there are any. A file that was moved or copied has
// the cases that it had.
func (x *strangers) fault(out string) error {
	for _, suite := range x.files.suites {
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
