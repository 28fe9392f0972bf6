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
// done: they are not run, and their records are due between those of the others.
type turns struct {
	book *book
	mu   sync.Mutex
	due  []turn // of cases that are done, in order
}

type turn struct {
	at     host.Place
	before int // which of those that are run
}

// left are the cases that are to be run.
func (t *turns) left(r run.Runner, suite *rubric.Suite, cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	if len(t.book.earlier) == 0 {
		return cases
	}
	return func(yield func(*rubric.Case) bool) {
		n := 0
		for c := range cases {
			if at, done := t.book.earlier[r.Mark(suite, c)]; done {
				t.mu.Lock()
				t.due = append(t.due, turn{at, n})
				t.mu.Unlock()
				continue
			}
			if n++; !yield(c) {
				return
			}
		}
	}
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
