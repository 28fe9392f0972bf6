package cli

import (
	"iter"
	"math"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// turns are the cases of a file in their order, some of which an earlier run has
// done: they are not run, and their records are due between those of the others. Of
// others there is an answer.
type turns struct {
	book  *book
	mu    sync.Mutex
	due   []turn                       // of cases that are done, in order
	stand map[*rubric.Case]*run.Record // whose answer stands, until they are run
	again map[*rubric.Case]outdated    // whose answer does not, until they are answered again

	// Of all cases, once they have come:
	answers int   // that stand
	paid    bool  // whether one of these was paid for
	fault   error // what kept the rest from coming
}

type turn struct {
	at     host.Place
	before int // which of those that are run
}

// outdated is an earlier result that a new answer is to take the place of.
type outdated struct {
	of turnOf
	at host.Place
}

// turnsOf are the turns of a file that is about to be run.
func turnsOf(b *book) *turns {
	return &turns{book: b, stand: map[*rubric.Case]*run.Record{}, again: map[*rubric.Case]outdated{}}
}

// left are the cases that are to be run.
func (t *turns) left(r run.Runner, suite *rubric.Suite, cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	if len(t.book.earlier)+len(t.book.open) == 0 {
		return cases
	}
	return func(yield func(*rubric.Case) bool) {
		n, file := 0, t.book.files.find(r.EvalFile).index
		for c := range cases {
			of := turnOf{r.Mark(suite, c), file}
			if at, done := t.book.earlier[of.in(t.book.earlier)]; done {
				t.mu.Lock()
				t.due = append(t.due, turn{at, n})
				t.mu.Unlock()
				continue
			}
			if t.fault = t.reopen(r, of, c); t.fault != nil {
				return
			}
			if n++; !yield(c) {
				return
			}
		}
	}
}

// reopen finds the answer that an earlier run has to a case.
func (t *turns) reopen(r run.Runner, of turnOf, c *rubric.Case) error {
	of = of.in(t.book.open)
	at, open := t.book.open[of]
	if !open {
		return nil
	}
	delete(t.book.open, of) // the case is run, and has another record then
	rec, err := t.book.journal.Earlier(at)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !r.AnswerStands(rec, c) {
		t.again[c] = outdated{of, at}
		return nil
	}
	t.answers++
	t.paid = t.paid || paidFor(rec)
	t.stand[c] = rec
	return nil
}

// ran takes note of the record of a case that was run.
func (t *turns) ran(c *rubric.Case, rec *run.Record) {
	if len(rec.Graders) == 0 { // it was not answered
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.again, c)
}

// end tells the book what became of the cases, once all have come.
func (t *turns) end() {
	t.book.answers, t.book.paid = t.book.answers+t.answers, t.book.paid || t.paid
	for _, was := range t.again {
		t.book.open[was.of] = was.at // the only answer that there is
	}
}

// earlier is the record of a case whose answer stands; see [run.Runner].
func (t *turns) earlier(c *rubric.Case) *run.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	rec := t.stand[c]
	delete(t.stand, c)
	return rec
}

// every is a number behind which no case is.
const every = math.MaxInt

// until gives the records that are due before that of the nth case that is run.
func (t *turns) until(n int, take func(*run.Record) error) error {
	for {
		t.mu.Lock()
		if len(t.due) == 0 || t.due[0].before > n {
			t.mu.Unlock()
			return nil
		}
		next := t.due[0]
		t.due = t.due[1:]
		t.mu.Unlock()
		rec, err := t.book.journal.Again(next.at)
		if err != nil {
			return err
		}
		if err := take(rec); err != nil {
			return err
		}
	}
}
