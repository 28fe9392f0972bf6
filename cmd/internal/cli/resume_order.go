package cli

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// A resumeOrder merges reused records with new ones in the file's order. Cases with a
// complete earlier result are not run. Cases with an incomplete one may reuse its answer.
type resumeOrder struct {
	journal      *resumeJournal
	mu           sync.Mutex
	reusable     []reusableResult             // complete results in file order
	answers      map[*rubric.Case]*run.Record // reusable answers of cases not yet run
	staleAnswers map[*rubric.Case]staleResult // results to replace once there is a new answer

	// Complete after the last case:
	answerCount int   // reused answers
	paid        bool  // a reused answer cost money
	err         error // why iteration stopped early
}

type reusableResult struct {
	place host.RecordSpan
	index int // index of the next case that is run
}

// A staleResult is an earlier result that a new answer replaces.
type staleResult struct {
	key   resultKey
	place host.RecordSpan
}

// newResumeOrder returns the order for a file that is about to be run.
func newResumeOrder(journal *resumeJournal) *resumeOrder {
	return &resumeOrder{journal: journal, answers: map[*rubric.Case]*run.Record{}, staleAnswers: map[*rubric.Case]staleResult{}}
}

// casesToRun yields the cases without a complete earlier result.
func (ro *resumeOrder) casesToRun(r run.Runner, suite *rubric.Suite, cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	if len(ro.journal.complete)+len(ro.journal.incomplete) == 0 {
		return cases
	}
	return func(yield func(*rubric.Case) bool) {
		n, file := 0, ro.journal.files.lookup(r.EvalFile).index
		for c := range cases {
			key := resultKey{r.RecordKey(suite, c), file}
			if place, complete := ro.journal.complete[key.resolve(ro.journal.complete)]; complete {
				ro.mu.Lock()
				ro.reusable = append(ro.reusable, reusableResult{place, n})
				ro.mu.Unlock()
				continue
			}
			if ro.err = ro.findAnswer(r, key, c); ro.err != nil {
				return
			}
			if n++; !yield(c) {
				return
			}
		}
	}
}

// findAnswer looks for the earlier answer to a case.
func (ro *resumeOrder) findAnswer(r run.Runner, key resultKey, c *rubric.Case) error {
	key = key.resolve(ro.journal.incomplete)
	place, incomplete := ro.journal.incomplete[key]
	if !incomplete {
		return nil
	}
	delete(ro.journal.incomplete, key) // running the case replaces the record
	rec, err := ro.journal.file.ReadRecord(place)
	if err != nil {
		return err
	}
	ro.mu.Lock()
	defer ro.mu.Unlock()
	if !r.CanReuseAnswer(rec, c) {
		ro.staleAnswers[c] = staleResult{key, place}
		return nil
	}
	ro.answerCount++
	ro.paid = ro.paid || wasPaid(rec)
	ro.answers[c] = rec
	return nil
}

// markRun records that a case was run.
func (ro *resumeOrder) markRun(c *rubric.Case, rec *run.Record) {
	if len(rec.Graders) == 0 { // the case has no answer
		return
	}
	ro.mu.Lock()
	defer ro.mu.Unlock()
	delete(ro.staleAnswers, c)
}

// finish passes the counts to the journal after all cases. Stale answers that were not
// replaced are the only ones, so they stay.
func (ro *resumeOrder) finish() {
	ro.journal.reusedAnswers, ro.journal.reusedPaid = ro.journal.reusedAnswers+ro.answerCount, ro.journal.reusedPaid || ro.paid
	for _, stale := range ro.staleAnswers {
		ro.journal.incomplete[stale.key] = stale.place // it is still the only answer
	}
}

// takeAnswer returns the earlier record of a case whose answer can be reused; see
// [run.Runner].
func (ro *resumeOrder) takeAnswer(c *rubric.Case) *run.Record {
	ro.mu.Lock()
	defer ro.mu.Unlock()
	rec := ro.answers[c]
	delete(ro.answers, c)
	return rec
}

// afterAll is an index after all cases.
const afterAll = math.MaxInt

// visitReusable visits the reusable records that come before the case with index n.
func (ro *resumeOrder) visitReusable(n int, visit func(*run.Record) error) error {
	for {
		ro.mu.Lock()
		if len(ro.reusable) == 0 || ro.reusable[0].index > n {
			ro.mu.Unlock()
			return nil
		}
		next := ro.reusable[0]
		ro.reusable = ro.reusable[1:]
		ro.mu.Unlock()
		rec, err := ro.journal.file.Reuse(next.place)
		if err != nil {
			return err
		}
		if err := visit(rec); err != nil {
			return err
		}
	}
}

// resumeConflicts are unchanged earlier results that the run would drop: results of other
// files, and of cases that --case leaves out.
type resumeConflicts struct {
	files     fileIndex
	options   *runOptions
	fileByKey map[run.RecordKey]string // eval files, or "" for cases that --case leaves out
}

// add records a result if it conflicts.
func (rc *resumeConflicts) add(rec *run.Record) {
	if rec.EvalFile != "" && !rc.files.lookup(rec.EvalFile).inRun {
		rc.fileByKey[rec.Key()] = rec.EvalFile
	} else if !run.MatchIDs(rc.options.cases...)(&rubric.Case{ID: rec.EvalID}) {
		rc.fileByKey[rec.Key()] = ""
	}
}

// check returns an error if there are conflicts. Results of cases that the run has, such
// as those of a moved or copied file, are no conflicts.
func (rc *resumeConflicts) check(out string) error {
	for _, suite := range rc.files.suites {
		if len(rc.fileByKey) == 0 {
			return nil
		}
		r := suite.run
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
		return fmt.Errorf("%s of cases that --case leaves out; drop --case (finished cases are not graded again), or write to another --out", holds)
	case files[0] == "":
		files = files[1:]
	}
	more := ""
	if len(files) > 1 {
		more = fmt.Sprintf(" and %s more", plural(len(files)-1, "file"))
	}
	return fmt.Errorf("%s of `%s`%s, which would be lost; run all of these files together, or write to another --out", holds, files[0], more)
}
