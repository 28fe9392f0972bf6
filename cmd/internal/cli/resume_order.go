package cli

import (
	"iter"
	"math"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// resumeOrder are the cases of a file in their order, some of which an earlier run has
// done: they are not run, and their records are due between those of the others. Of
// others there is an answer.
type resumeOrder struct {
	journal      *resumeJournal
	mu           sync.Mutex
	reusable     []reusableResult             // of cases that are done, in order
	answers      map[*rubric.Case]*run.Record // whose answer stands, until they are run
	staleAnswers map[*rubric.Case]staleResult // whose answer does not, until they are answered again

	// Of all cases, once they have come:
	answerCount int   // that stand
	paid        bool  // whether one of these was paid for
	err         error // what kept the rest from coming
}

type reusableResult struct {
	place host.RecordSpan
	index int // which of those that are run
}

// staleResult is an earlier result that a new answer is to take the place of.
type staleResult struct {
	key   resultKey
	place host.RecordSpan
}

// newResumeOrder are the turns of a file that is about to be run.
func newResumeOrder(journal *resumeJournal) *resumeOrder {
	return &resumeOrder{journal: journal, answers: map[*rubric.Case]*run.Record{}, staleAnswers: map[*rubric.Case]staleResult{}}
}

// casesToRun are the cases that are to be run.
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

// findAnswer finds the answer that an earlier run has to a case.
func (ro *resumeOrder) findAnswer(r run.Runner, key resultKey, c *rubric.Case) error {
	key = key.resolve(ro.journal.incomplete)
	place, incomplete := ro.journal.incomplete[key]
	if !incomplete {
		return nil
	}
	delete(ro.journal.incomplete, key) // the case is run, and has another record then
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

// markRun takes note of the record of a case that was run.
func (ro *resumeOrder) markRun(c *rubric.Case, rec *run.Record) {
	if len(rec.Graders) == 0 { // it was not answered
		return
	}
	ro.mu.Lock()
	defer ro.mu.Unlock()
	delete(ro.staleAnswers, c)
}

// finish tells the book what became of the cases, once all have come.
func (ro *resumeOrder) finish() {
	ro.journal.reusedAnswers, ro.journal.reusedPaid = ro.journal.reusedAnswers+ro.answerCount, ro.journal.reusedPaid || ro.paid
	for _, stale := range ro.staleAnswers {
		ro.journal.incomplete[stale.key] = stale.place // the only answer that there is
	}
}

// takeAnswer is the record of a case whose answer stands; see [run.Runner].
func (ro *resumeOrder) takeAnswer(c *rubric.Case) *run.Record {
	ro.mu.Lock()
	defer ro.mu.Unlock()
	rec := ro.answers[c]
	delete(ro.answers, c)
	return rec
}

// afterAll is a number behind which no case is.
const afterAll = math.MaxInt

// visitReusable gives the records that are due before that of the nth case that is run.
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
