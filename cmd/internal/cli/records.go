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

// runner is everything that all suites of a call share.
func (o *runOptions) runner(suite loaded) run.Runner {
	r := run.Runner{
		Target: suite.target.target, TargetName: suite.target.name, Judge: suite.judge.judge, JudgeName: suite.judge.name(), Seats: suite.judge.seats,
		Schema: host.JSONSchema, Profile: score.Profile(o.profile), Timeout: o.timeout, Workers: o.workersFor(suite.target), Samples: o.samples,
		Sandbox: host.Sandboxed(suite.path, o.box), EvalFile: filepath.ToSlash(suite.path),
		Fleeting: o.format == "text" && len(o.out) == 0,
	}
	if suite.trial != nil {
		r.Measure, r.Profile = suite.trial.Measure(metric.Ports{Judge: suite.judge.judge, Moderate: o.moderate, Profile: suite.profile}), run.ProfileOf(suite.profile)
	}
	if !o.streams() { // nothing that streams shows a time
		r.Clock = time.Now
	}
	if o.allowExec {
		r.Exec = host.Exec(suite.path, o.timeout)
	}
	return r
}

// runSuite are the records of one file's cases.
func (s *session) runSuite(suite loaded, b *book, o *runOptions) (records []run.Record, err error) {
	err = s.eachRecord(suite, b, o, func(rec *run.Record) error {
		records = append(records, *rec)
		return nil
	}, b.flush)
	return records, err
}

// eachRecord grades the cases of one file, those excepted that an earlier run has
// graded in the same way and whose meaning has not changed since. It gives each
// record in the file's order, once it was added to the journal. When no other can be given
// at once, and in the end, it has written what was given.
func (s *session) eachRecord(suite loaded, b *book, o *runOptions, take func(*run.Record) error, write func() error) error {
	err := s.eachDue(suite, b, o, take, write)
	return cmp.Or(err, write())
}

// eachDue gives the records of eachRecord, the last of which may not be written yet.
func (s *session) eachDue(suite loaded, b *book, o *runOptions, take func(*run.Record) error, write func() error) error {
	line := s.progress()
	defer line.clear()
	r := o.runner(suite)
	r.Brief = line.out == nil
	var failed error
	cases, total := suite.chosen(o.cases, &failed)
	t := turnsOf(b)
	r.Earlier = t.earlier
	done := func(rec *run.Record) error {
		line.known(*rec)
		b.kept++
		b.paid = b.paid || paidFor(rec)
		b.all++
		return take(rec)
	}
	one := func(e run.Event) error {
		if stopped(*e.Record, s) {
			return b.addAnswer(e.Record)
		}
		if err := t.until(e.Index, done); err != nil {
			return err
		}
		if err := b.add(e.Record); err != nil {
			return err
		}
		b.all++
		t.ran(e.Case, e.Record)
		return take(e.Record)
	}
	for e := range r.Stream(s.ctx, suite.suite, t.left(r, suite.suite, cases), total) {
		line.show(e)
		if e.Stage != run.Done {
			continue
		}
		line.clear()
		if err := one(e); err != nil {
			return err
		}
		if e.More && r.Brief { // a line on the terminal would come between them
			continue
		}
		if err := write(); err != nil {
			return err
		}
	}
	t.end()
	if failed = cmp.Or(failed, t.fault); failed != nil || s.ctx.Err() != nil {
		return failed
	}
	return t.until(every, done)
}

// chosen are the cases of the file that are to be run, each as its turn comes, and
// how many they are. What keeps the rest from coming is put in failed.
func (l loaded) chosen(patterns []string, failed *error) (iter.Seq[*rubric.Case], int) {
	if l.pieces != nil {
		return l.pieces.cases(failed), l.pieces.total
	}
	keep := run.Only(patterns...)
	cases := slices.DeleteFunc(slices.Clone(l.suite.Cases), func(c *rubric.Case) bool { return !keep(c) })
	return slices.Values(cases), len(cases)
}

// stopped tells a case that the interrupted run did not get to judge.
func stopped(rec run.Record, s *session) bool { return s.ctx.Err() != nil && rec.Error != "" }
