package cli

import (
	"cmp"
	"iter"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// gradeSuite grades the cases of one file and returns their records.
func (s *session) gradeSuite(suite loadedSuite, journal *resumeJournal, o *runOptions) (records []run.Record, err error) {
	err = s.forEachRecord(suite, journal, o, func(rec *run.Record) error {
		records = append(records, *rec)
		return nil
	}, journal.flush)
	return records, err
}

// forEachRecord grades the cases of one file, except those that an earlier run has graded
// in the same way. It calls visit for each record in the file's order, after the record
// was added to the journal. It calls flush after each record, and at the end.
func (s *session) forEachRecord(suite loadedSuite, journal *resumeJournal, o *runOptions, visit func(*run.Record) error, flush func() error) error {
	err := s.gradeCases(suite, journal, o, visit, flush)
	return cmp.Or(err, flush())
}

// gradeCases is forEachRecord without the last flush.
func (s *session) gradeCases(suite loadedSuite, journal *resumeJournal, o *runOptions, visit func(*run.Record) error, flush func() error) error {
	line := s.newProgress()
	defer line.Clear()
	r := suite.run.Runner
	var failed error
	cases, total := suite.selectedCases(o.cases, &failed)
	order := newResumeOrder(journal)
	r.Earlier = order.takeAnswer
	reuse := func(rec *run.Record) error {
		line.AddReused(*rec)
		line.Clear()
		journal.reusedResults++
		journal.reusedPaid = journal.reusedPaid || wasPaid(rec)
		journal.resultCount++
		return visit(rec)
	}
	finish := func(e run.Event) error {
		if wasInterrupted(*e.Record, s) {
			return journal.addAnswer(e.Record)
		}
		if err := order.visitReusable(e.Index, reuse); err != nil {
			return err
		}
		if err := journal.add(e.Record); err != nil {
			return err
		}
		journal.resultCount++
		order.markRun(e.Case, e.Record)
		return visit(e.Record)
	}
	for e := range r.Stream(s.ctx, suite.suite, order.casesToRun(r, suite.suite, cases), total) {
		line.Show(e)
		if e.Stage != run.Done {
			continue
		}
		line.Clear()
		if err := finish(e); err != nil {
			return err
		}
		if err := flush(); err != nil {
			return err
		}
	}
	order.finish()
	if failed = cmp.Or(failed, order.err); failed != nil || s.ctx.Err() != nil {
		return failed
	}
	return order.visitReusable(afterAll, reuse)
}

// selectedCases yields the selected cases and returns their number. If a case cannot be
// read, it stops and sets failed.
func (l loadedSuite) selectedCases(patterns []string, failed *error) (iter.Seq[*rubric.Case], int) {
	if l.chunks != nil {
		if l.skipOwn {
			return l.withoutOwn(l.chunks.cases(failed)), l.chunks.selectedCount - l.chunks.ownTargetCount
		}
		return l.chunks.cases(failed), l.chunks.selectedCount
	}
	selects := run.MatchIDs(patterns...)
	cases := slices.DeleteFunc(slices.Clone(l.suite.Cases), func(c *rubric.Case) bool { return !selects(c) || l.skipOwn && c.Target != "" })
	return slices.Values(cases), len(cases)
}

// wasInterrupted reports whether the case of a record was interrupted before it was
// judged.
func wasInterrupted(rec run.Record, s *session) bool { return s.ctx.Err() != nil && rec.Error != "" }

// withoutOwn yields the cases that name no target.
func (l loadedSuite) withoutOwn(cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		for c := range cases {
			if c.Target == "" && !yield(c) {
				return
			}
		}
	}
}
