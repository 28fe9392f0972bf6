package cli

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// A resumeJournal is the journal of a run, if it has one, and the places of earlier
// results in it. The results themselves may not fit in memory.
type resumeJournal struct {
	file          *host.Journal
	files         fileIndex                     // files of the run
	complete      map[resultKey]host.RecordSpan // complete results
	incomplete    map[resultKey]host.RecordSpan // answered cases without all grades
	reusedResults int                           // complete results that this run reused
	reusedAnswers int                           // answers that this run reused
	reusedPaid    bool                          // a reused result or answer cost money
	resultCount   int
}

// A resultKey identifies a result. Files of the same name in two folders may have the
// same cases.
type resultKey struct {
	run.RecordKey
	file int // index in [fileIndex], or -1
}

// resolve returns the key under which results contains the result. Results of files that
// were not found have the file index -1.
func (k resultKey) resolve(results map[resultKey]host.RecordSpan) resultKey {
	if _, there := results[k]; !there {
		k.file = -1
	}
	return k
}

// printSummary says how many results were reused. They are part of all totals.
func (j *resumeJournal) printSummary(w io.Writer) {
	var reused []string
	if j.reusedResults > 0 {
		reused = append(reused, fmt.Sprintf("%d of %s", j.reusedResults, plural(j.resultCount, "result")))
	}
	if j.reusedAnswers > 0 {
		reused = append(reused, plural(j.reusedAnswers, "answer"))
	}
	if len(reused) == 0 {
		return
	}
	sums := ""
	if j.reusedPaid {
		sums = "; totals of calls, tokens and cost include them"
	}
	fmt.Fprintf(w, "rubric: %s reused from an earlier run%s\n", strings.Join(reused, " and "), sums)
}

// wasPaid reports whether a result used calls or tokens.
func wasPaid(rec *run.Record) bool {
	usage := rec.JudgeUsage()
	usage.Add(rec.TargetUsage())
	return usage.String() != ""
}

// addEarlier records an earlier result: as complete, or as incomplete if its case was
// answered but not graded in full. It ignores others.
func (j *resumeJournal) addEarlier(rec *run.Record, place host.RecordSpan) {
	key := resultKey{rec.Key(), j.files.lookup(rec.EvalFile).index}
	switch _, whole := j.complete[key]; {
	case rec.Error == "" && !rec.Unreachable && (rec.Ungraded == 0 || rec.HasMetrics()):
		j.complete[key] = place
		delete(j.incomplete, key)
	case !whole && len(rec.Graders) > 0 && !rec.HasMetrics():
		j.incomplete[key] = place
	}
}

// openResumeJournal opens the journal after checking that the outputs can be written. It
// returns an error if the journal has results that the run would lose.
func (s *session) openResumeJournal(suites []loadedSuite, o *runOptions) (*resumeJournal, error) {
	journal := &resumeJournal{files: fileIndex{suites, map[string]fileMatch{}}, complete: map[resultKey]host.RecordSpan{}, incomplete: map[resultKey]host.RecordSpan{}}
	if err := o.checkWritable(); err != nil {
		return journal, err
	}
	path := journalPath(o.outputs)
	if path == "" {
		return journal, nil
	}
	conflicts := resumeConflicts{files: journal.files, options: o, fileByKey: map[run.RecordKey]string{}}
	var err error
	journal.file, err = host.OpenJournal(path, o.resume, func(rec *run.Record, at host.RecordSpan) {
		conflicts.add(rec)
		journal.addEarlier(rec, at)
	})
	if err != nil {
		return journal, err
	}
	if err := conflicts.check(path); err != nil {
		journal.close()
		return journal, err
	}
	if journal.file.TruncatedFile != "" {
		fmt.Fprintf(s.stderr, "rubric: %s: its last line is incomplete and was dropped; that case is graded again\n", journal.file.TruncatedFile)
	}
	return journal, nil
}

func (j *resumeJournal) add(rec *run.Record) error {
	if j.file == nil {
		return nil
	}
	return j.file.Add(rec)
}

// flush writes the added records.
func (j *resumeJournal) flush() error {
	if j.file == nil {
		return nil
	}
	return j.file.Flush()
}

// addAnswer stores the answer of a case that an interrupted run did not judge.
func (j *resumeJournal) addAnswer(rec *run.Record) error {
	if len(rec.Graders) == 0 {
		return nil
	}
	return j.add(rec)
}

// setAsideResults moves earlier results that this run does not replace to another file.
// They were paid for.
func (s *session) setAsideResults(journal *resumeJournal) error {
	if journal.file == nil {
		return nil
	}
	maps.Copy(journal.complete, journal.incomplete)
	n, path, err := journal.file.ArchiveOthers(maps.Values(journal.complete))
	if n > 0 {
		fmt.Fprintf(s.stderr, "rubric: set aside in %s: %s, because the cases are gone or have changed, or the target or judge differs\n", path, plural(n, "earlier result"))
	}
	return err
}

// publish turns the journal into the result file.
func (j *resumeJournal) publish() error {
	if j.file == nil {
		return nil
	}
	return j.file.Publish()
}

// remove deletes the journal after its records were written elsewhere.
func (j *resumeJournal) remove() error {
	if j.file == nil {
		return nil
	}
	return j.file.Remove()
}

func (j *resumeJournal) close() {
	if j.file != nil {
		j.file.Close()
	}
}

// A fileIndex finds the files of a run by the names in results.
type fileIndex struct {
	suites []loadedSuite
	cache  map[string]fileMatch
}

// A fileMatch says how a file named by a result relates to the run.
type fileMatch struct {
	index int  // index in the run, or -1 if the path does not match
	inRun bool // the run has the file, possibly from another folder
}

// lookup finds a file. A file with the same base name that does not exist at the named
// path is taken for the same file, run from another folder.
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
