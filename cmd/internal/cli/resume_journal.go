package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/run"
)

// A resumeJournal continues an earlier run and stores the records of this one.
type resumeJournal struct {
	run.Resume
	file   *resultstore.Journal     // nil, which holds nothing, if results are only printed
	shards []*resultstore.ShardFile // that have the records in place of a file
}

// openResumeJournal opens the journal after checking that the outputs can be written. It
// returns an error if the journal has results that the run would lose.
func (s *session) openResumeJournal(suites []loadedSuite, o *runOptions) (*resumeJournal, error) {
	journal := &resumeJournal{Resume: run.Resume{Locate: locator(suites)}}
	if err := o.checkWritable(); err != nil {
		return nil, err
	}
	path := journalPath(o.outputs)
	if path == "" {
		return journal, nil
	}
	selects := run.MatchIDs(o.cases...)
	file, err := resultstore.OpenJournal(path, o.resume, func(rec *run.Record, at run.Place) { journal.AddEarlier(rec, at, selects) })
	if err != nil {
		return nil, err
	}
	journal.file, journal.Store = file, file
	if err := journal.checkLost(path, suites, o); err != nil {
		file.Close()
		return nil, err
	}
	if file.TruncatedFile != "" {
		fmt.Fprintf(s.stderr, "rubric: %s: its last line is incomplete and was dropped; that case is graded again\n", file.TruncatedFile)
	}
	return journal, nil
}

// checkLost returns an error if the run would drop unchanged results that are in out.
func (j *resumeJournal) checkLost(out string, suites []loadedSuite, o *runOptions) (failed error) {
	for _, suite := range suites {
		if j.MayLose() && failed == nil {
			cases, _ := suite.selectedCases(o, &failed)
			j.Retain(suite.run.Runner, suite.suite, cases)
		}
	}
	count, files := j.Lost()
	holds := fmt.Sprintf("%s holds %s", out, diag.CountNoun(count, "result"))
	switch {
	case failed != nil || count == 0:
		return failed
	case files[0] == "" && len(files) == 1:
		return fmt.Errorf("%s of cases that --case leaves out; drop --case (finished cases are not graded again), or write to another --out", holds)
	case files[0] == "":
		files = files[1:]
	}
	more := ""
	if len(files) > 1 {
		more = fmt.Sprintf(" and %s more", diag.CountNoun(len(files)-1, "file"))
	}
	return fmt.Errorf("%s of `%s`%s, which would be lost; run all of these files together, or write to another --out", holds, files[0], more)
}

// printSummary says how many results were reused. They are part of all totals.
func (j *resumeJournal) printSummary(w io.Writer) {
	var reused []string
	if j.Reused > 0 {
		reused = append(reused, fmt.Sprintf("%d of %s", j.Reused, diag.CountNoun(j.Results, "result")))
	}
	if j.Answers > 0 {
		reused = append(reused, diag.CountNoun(j.Answers, "answer"))
	}
	if len(reused) == 0 {
		return
	}
	sums := ""
	if j.Paid {
		sums = "; totals of calls, tokens and cost include them"
	}
	fmt.Fprintf(w, "rubric: %s reused from an earlier run%s\n", strings.Join(reused, " and "), sums)
}

// locator returns a function that finds files of a run by the names in results; see [run.Resume]. A file with the
// same base name that does not exist at the named path is taken for the same file, run from another folder.
func locator(suites []loadedSuite) func(file string) (index int, inRun bool) {
	type match struct {
		index int
		inRun bool
	}
	known := map[string]match{}
	return func(file string) (int, bool) {
		m, isKnown := known[file]
		if !isKnown {
			path := filepath.FromSlash(file)
			m.index = slices.IndexFunc(suites, func(l loadedSuite) bool { return disk.SameFile(path, l.path) })
			m.inRun = m.index >= 0 || !disk.Exists(path) &&
				slices.ContainsFunc(suites, func(l loadedSuite) bool { return filepath.Base(path) == filepath.Base(l.path) })
			known[file] = m
		}
		return m.index, m.inRun
	}
}
