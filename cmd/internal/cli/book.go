package cli

import (
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// book is the journal of a run, if it has one, and where what an earlier run wrote
// stands in it, which may be more than there is room for.
type book struct {
	journal *host.Journal
	files   ourFiles              // of the run
	earlier map[turnOf]host.Place // of whole results
	open    map[turnOf]host.Place // of answers that are not graded in full
	kept    int                   // results of this run that are from there
	answers int                   // others of which the answer is
	paid    bool                  // some of either was paid for
	all     int
}

// turnOf is what a result is of: files of one name in two folders may have the same cases.
type turnOf struct {
	run.Mark
	file int // its index among [ourFiles]
}

// in is what the result is of if it is among some: of a file that is no more where it says.
func (of turnOf) in(results map[turnOf]host.Place) turnOf {
	if _, there := results[of]; !there {
		of.file = -1
	}
	return of
}

// tell says what is from an earlier run. It is in the results, and so in every sum of
// what they took, as if this run had paid for it.
func (b *book) tell(w io.Writer) {
	var said []string
	if b.kept > 0 {
		said = append(said, fmt.Sprintf("%d of %s", b.kept, plural(b.all, "result")))
	}
	if b.answers > 0 {
		said = append(said, plural(b.answers, "answer"))
	}
	if len(said) == 0 {
		return
	}
	sums := ""
	if b.paid {
		sums = "; the sums of calls, tokens and cost include theirs"
	}
	fmt.Fprintf(w, "rubric: %s kept from an earlier run%s\n", strings.Join(said, " and "), sums)
}

// paidFor reports whether something was paid for a result.
func paidFor(rec *run.Record) bool {
	spent := rec.Spent()
	spent.Add(rec.SpentByTarget())
	return spent.String() != ""
}

// look takes in a result of an earlier run: one that is whole or, if its case was
// answered and not all of it graded, one that is open. Of the others nothing is kept.
func (b *book) look(rec *run.Record, at host.Place) {
	of := turnOf{rec.Mark(), b.files.find(rec.EvalFile).index}
	switch _, whole := b.earlier[of]; {
	case rec.Error == "" && !rec.Unreachable && (rec.Ungraded == 0 || rec.Measured()):
		b.earlier[of] = at
		delete(b.open, of)
	case !whole && len(rec.Graders) > 0 && !rec.Measured():
		b.open[of] = at
	}
}

// openBook opens the journal, once it is known that the results can be written. What
// could not be run or judged earlier, as beyond a limit, is tried again. Results that are
// none of this run's business are an error.
func (s *session) openBook(suites []loaded, o *runOptions) (*book, error) {
	b := &book{files: ourFiles{suites, map[string]ourFile{}}, earlier: map[turnOf]host.Place{}, open: map[turnOf]host.Place{}}
	if err := o.writable(); err != nil {
		return b, err
	}
	path := journalPath(o.out)
	if path == "" {
		return b, nil
	}
	others := strangers{files: b.files, o: o, of: map[run.Mark]string{}}
	var err error
	b.journal, err = host.OpenJournal(path, o.resume, func(rec *run.Record, at host.Place) {
		others.look(rec)
		b.look(rec, at)
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

// flush writes what was added.
func (b *book) flush() error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Flush()
}

// addAnswer keeps what a case was answered that an interrupted run did not get to judge.
func (b *book) addAnswer(rec *run.Record) error {
	if len(rec.Graders) == 0 {
		return nil
	}
	return b.add(rec)
}

// setAside keeps the earlier results that this run has no place for, and says so,
// before its own take their place: they were paid for.
func (s *session) setAside(b *book) error {
	if b.journal == nil {
		return nil
	}
	maps.Copy(b.earlier, b.open)
	n, path, err := b.journal.SetAside(maps.Values(b.earlier))
	if n > 0 {
		fmt.Fprintf(s.stderr, "rubric: set aside in %s: %s, of cases that are gone, have changed, or are answered or judged in another way now, or not at all\n", path, plural(n, "earlier result"))
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
