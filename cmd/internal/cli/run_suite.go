package cli

import (
	"cmp"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// newRunner is everything that all suites of a call share.
func (o *runOptions) newRunner(suite loadedSuite) run.Runner {
	r := run.Runner{
		Target: suite.target.target, TargetName: suite.target.name, Judge: suite.judge.judge, JudgeName: suite.judge.name(), Seats: suite.judge.seats,
		Schema: host.ValidateSchema, Profile: score.Profile(o.profile), Timeout: o.timeout, Workers: o.workersFor(suite.target), Samples: o.samples,
		Sandbox: host.SandboxExec(suite.path, o.sandbox), EvalFile: filepath.ToSlash(suite.path),
		SkipFingerprints: o.format == "text" && len(o.outputs) == 0,
	}
	if suite.evaluation != nil {
		r.Measure, r.Profile = suite.evaluation.Measure(metric.Ports{Judge: suite.judge.judge, Moderate: o.moderator, Profile: suite.profile}), run.MetricProfile(suite.profile)
	}
	if !o.canStream() { // nothing that streams shows a time
		r.Clock = time.Now
	}
	if o.allowExec {
		r.Exec = host.ProgramExec(suite.path, o.timeout)
	}
	return r
}

// gradeSuite are the records of one file's cases.
func (s *session) gradeSuite(suite loadedSuite, journal *resumeJournal, o *runOptions) (records []run.Record, err error) {
	err = s.forEachRecord(suite, journal, o, func(rec *run.Record) error {
		records = append(records, *rec)
		return nil
	}, journal.flush)
	return records, err
}

// forEachRecord grades the cases of one file, those excepted that an earlier run has
// graded in the same way and whose meaning has not changed since. It gives each
// record in the file's order, once it was added to the journal. When no other can be given
// at once, and in the end, it has written what was given.
func (s *session) forEachRecord(suite loadedSuite, journal *resumeJournal, o *runOptions, visit func(*run.Record) error, flush func() error) error {
	err := s.gradeCases(suite, journal, o, visit, flush)
	return cmp.Or(err, flush())
}

// gradeCases gives the records of eachRecord, the last of which may not be written yet.
func (s *session) gradeCases(suite loadedSuite, journal *resumeJournal, o *runOptions, visit func(*run.Record) error, flush func() error) error {
	line := s.newProgress()
	defer line.clear()
	r := o.newRunner(suite)
	r.DoneOnly = line.out == nil
	var failed error
	cases, total := suite.selectedCases(o.cases, &failed)
	order := newResumeOrder(journal)
	r.Earlier = order.takeAnswer
	reuse := func(rec *run.Record) error {
		line.addReused(*rec)
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
		line.show(e)
		if e.Stage != run.Done {
			continue
		}
		line.clear()
		if err := finish(e); err != nil {
			return err
		}
		if e.NextReady && r.DoneOnly { // a line on the terminal would come between them
			continue
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

// selectedCases are the cases of the file that are to be run, each as its turn comes, and
// how many they are. What keeps the rest from coming is put in failed.
func (l loadedSuite) selectedCases(patterns []string, failed *error) (iter.Seq[*rubric.Case], int) {
	if l.chunks != nil {
		return l.chunks.cases(failed), l.chunks.selectedCount
	}
	selects := run.MatchIDs(patterns...)
	cases := slices.DeleteFunc(slices.Clone(l.suite.Cases), func(c *rubric.Case) bool { return !selects(c) })
	return slices.Values(cases), len(cases)
}

// wasInterrupted tells a case that the interrupted run did not get to judge.
func wasInterrupted(rec run.Record, s *session) bool { return s.ctx.Err() != nil && rec.Error != "" }
