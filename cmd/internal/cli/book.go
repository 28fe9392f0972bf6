package cli

import (
	"fmt"
	"io"
	"maps"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// book is the journal of a run, if it has one, and where what an earlier run wrote
// stands in it, which may be more than there is room for.
type book struct {
	journal *host.Journal
	earlier map[run.Mark]host.Place
	kept    int // results of this run that are from there
	all     int
}

// tell says how many results are from an earlier run: what they took was spent then.
func (b *book) tell(w io.Writer) {
	if b.kept > 0 {
		fmt.Fprintf(w, "rubric: %d of %s kept from an earlier run, and so is what they cost\n", b.kept, plural(b.all, "result"))
	}
}

// openBook opens the journal, once it is known that the results can be written. What
// could not be run or judged earlier, as beyond a limit, is tried again. Results that are
// none of this run's business are an error.
func (s *session) openBook(suites []loaded, o *runOptions) (*book, error) {
	b := &book{earlier: map[run.Mark]host.Place{}}
	if err := o.writable(); err != nil {
		return b, err
	}
	path := journalPath(o.out)
	if path == "" {
		return b, nil
	}
	others := strangers{suites: suites, o: o, ours: map[string]bool{}, of: map[run.Mark]string{}}
	var err error
	b.journal, err = host.OpenJournal(path, o.resume, func(rec *run.Record, at host.Place) {
		others.look(rec)
		if rec.Error == "" && !rec.Unreachable && (rec.Ungraded == 0 || rec.Measured()) {
			b.earlier[rec.Mark()] = at
		}
	})
	if err != nil {
		return b, err
	}
	if err := others.fault(path); err != nil {
		b.close()
		return b, err
	}
	if b.journal.Cut != "" {
		fmt.Fprintf(s.stderr, "rubric: %s: its last line breaks off and is left out; that case is graded again\n", b.journal.Cut)
	}
	return b, nil
}

func (b *book) add(rec *run.Record) error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Add(rec)
}

// setAside keeps the earlier results that this run has no place for, and says so,
// before its own take their place: they were paid for.
func (s *session) setAside(b *book) error {
	if b.journal == nil {
		return nil
	}
	n, path, err := b.journal.SetAside(maps.Values(b.earlier))
	if n > 0 {
		fmt.Fprintf(s.stderr, "rubric: set aside in %s: %s, of cases that are gone, have changed, or are answered or judged in another way now\n", path, plural(n, "earlier result"))
	}
	return err
}

// publish makes what the journal holds the result file.
func (b *book) publish() error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Publish()
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
