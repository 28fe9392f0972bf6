package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// resumeConflicts are results that stand where a run is to go on, and that it would leave
// out although nothing about them has changed: those of other files, and of cases
// that --case does not choose.
type resumeConflicts struct {
	files     fileIndex
	options   *runOptions
	fileByKey map[run.RecordKey]string // their files, "" for those that --case leaves out
}

// add takes in a result.
func (rc *resumeConflicts) add(rec *run.Record) {
	if rec.EvalFile != "" && !rc.files.lookup(rec.EvalFile).inRun {
		rc.fileByKey[rec.Key()] = rec.EvalFile
	} else if !run.MatchIDs(rc.options.cases...)(&rubric.Case{ID: rec.EvalID}) {
		rc.fileByKey[rec.Key()] = ""
	}
}

// check says whose they are, if there are any. A file that was moved or copied has
// the cases that it had.
func (rc *resumeConflicts) check(out string) error {
	for _, suite := range rc.files.suites {
		if len(rc.fileByKey) == 0 {
			return nil
		}
		r := rc.options.newRunner(suite)
		var failed error
		cases, _ := suite.selectedCases(rc.options.cases, &failed)
		for c := range cases {
			delete(rc.fileByKey, r.RecordKey(suite.suite, c))
		}
		if failed != nil {
			return failed
		}
	}
	holds := fmt.Sprintf("%s holds %s", out, plural(len(rc.fileByKey), "result"))
	files := slices.Compact(slices.Sorted(maps.Values(rc.fileByKey)))
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
