package cli

import (
	"fmt"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// book is the journal of a run, if it has one, and where what an earlier run wrote
// stands in it, which may be more than there is room for.
type book struct {
	journal *host.Journal
	earlier map[run.Mark]host.Place
}

// openBook opens the journal. What could not be run earlier is tried again.
func (s *session) openBook(o *runOptions) (*book, error) {
	b := &book{earlier: map[run.Mark]host.Place{}}
	path := journalPath(o.out)
	if path == "" {
		return b, nil
	}
	var err error
	b.journal, err = host.OpenJournal(path, o.resume, func(rec *run.Record, at host.Place) {
		if rec.Error == "" && !rec.Unreachable {
			b.earlier[rec.Mark()] = at
		}
	})
	if err == nil && b.journal.Cut != "" {
		fmt.Fprintf(s.stderr, "rubric: %s: its last line breaks off and is left out; that case is graded again\n", b.journal.Cut)
	}
	return b, err
}

func (b *book) add(rec *run.Record) error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Add(rec)
}

// finish takes the journal away, once what it holds is written.
func (b *book) finish() error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Remove()
}

func (b *book) close() {
	if b.journal != nil {
		b.journal.Close()
	}
}
