package cli

import (
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// resumeJournal is the journal of a run, if it has one, and where what an earlier run wrote
// stands in it, which may be more than there is room for.
type resumeJournal struct {
	file          *host.Journal
	files         fileIndex                     // of the run
	complete      map[resultKey]host.RecordSpan // of whole results
	incomplete    map[resultKey]host.RecordSpan // of answers that are not graded in full
	reusedResults int                           // results of this run that are from there
	reusedAnswers int                           // others of which the answer is
	reusedPaid    bool                          // some of either was paid for
	resultCount   int
}

// resultKey is what a result is of: files of one name in two folders may have the same cases.
type resultKey struct {
	run.RecordKey
	file int // its index among [ourFiles]
}

// resolve is what the result is of if it is among some: of a file that is no more where it says.
func (k resultKey) resolve(results map[resultKey]host.RecordSpan) resultKey {
	if _, there := results[k]; !there {
		k.file = -1
	}
	return k
}

// printSummary says what is from an earlier run. It is in the results, and so in every sum of
// what they took, as if this run had paid for it.
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
		sums = "; the sums of calls, tokens and cost include theirs"
	}
	fmt.Fprintf(w, "rubric: %s kept from an earlier run%s\n", strings.Join(reused, " and "), sums)
}

// wasPaid reports whether something was paid for a result.
func wasPaid(rec *run.Record) bool {
	usage := rec.JudgeUsage()
	usage.Add(rec.TargetUsage())
	return usage.String() != ""
}

// addEarlier takes in a result of an earlier run: one that is whole or, if its case was
// answered and not all of it graded, one that is open. Of the others nothing is kept.
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

// openResumeJournal opens the journal, once it is known that the results can be written. What
// could not be run or judged earlier, as beyond a limit, is tried again. Results that are
// none of this run's business are an error.
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
		fmt.Fprintf(s.stderr, "rubric: %s: its last line breaks off and is left out; that case is graded again\n", journal.file.TruncatedFile)
	}
	return journal, nil
}

func (j *resumeJournal) add(rec *run.Record) error {
	if j.file == nil {
		return nil
	}
	return j.file.Add(rec)
}

// flush writes what was added.
func (j *resumeJournal) flush() error {
	if j.file == nil {
		return nil
	}
	return j.file.Flush()
}

// addAnswer keeps what a case was answered that an interrupted run did not get to judge.
func (j *resumeJournal) addAnswer(rec *run.Record) error {
	if len(rec.Graders) == 0 {
		return nil
	}
	return j.add(rec)
}

// setAsideResults keeps the earlier results that this run has no place for, and says so,
// before its own take their place: they were paid for.
func (s *session) setAsideResults(journal *resumeJournal) error {
	if journal.file == nil {
		return nil
	}
	maps.Copy(journal.complete, journal.incomplete)
	n, path, err := journal.file.ArchiveOthers(maps.Values(journal.complete))
	if n > 0 {
		fmt.Fprintf(s.stderr, "rubric: set aside in %s: %s, of cases that are gone, have changed, or are answered or judged in another way now, or not at all\n", path, plural(n, "earlier result"))
	}
	return err
}

// publish makes what the journal holds the result file.
func (j *resumeJournal) publish() error {
	if j.file == nil {
		return nil
	}
	return j.file.Publish()
}

// remove takes the journal away, once what it holds is written.
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
