package cli

import (
	"context"
	"iter"
	"path/filepath"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// runner is everything that all suites of a call share.
func (o *runOptions) runner(suite loaded) run.Runner {
	r := run.Runner{
		Target: suite.target.target, TargetName: suite.target.name, Judge: suite.judge.judge, JudgeName: suite.judge.name(), Seats: suite.judge.seats,
		Schema: host.JSONSchema, Profile: score.Profile(o.profile), Workers: o.workersFor(suite.target), Samples: o.samples, Clock: time.Now,
		Sandbox: host.Sandboxed(suite.path, o.box), EvalFile: filepath.ToSlash(suite.path),
	}
	if suite.trial != nil {
		r.Measure, r.Profile = suite.trial.Measure(metric.Ports{Judge: suite.judge.judge, Moderate: o.moderate, Profile: suite.profile}), run.ProfileOf(suite.profile)
	}
	if o.allowExec {
		r.Exec = host.Exec(suite.path, o.timeout)
	}
	return r
}

// runSuite grades the cases of one file, those from an earlier run excepted.
func (s *session) runSuite(suite loaded, b *book, o *runOptions) ([]run.Record, error) {
	done, keep := b.known(suite.suite, o.runner(suite)), run.Only(o.cases...)
	earlier := len(done) > 0
	suite.done = done
	var records []run.Record
	err := s.eachRecord(suite, b, o, func(c *rubric.Case, rec *run.Record) error {
		if records = append(records, *rec); earlier {
			done[c] = rec
		}
		return nil
	})
	if !earlier {
		return records, err
	}
	records = nil
	for _, c := range suite.suite.Cases {
		if rec := done[c]; rec != nil && keep(c) {
			records = append(records, *rec)
		}
	}
	return records, err
}

// eachRecord grades the cases of one file that are not done, and gives each record
// in the file's order, once it is in the journal.
func (s *session) eachRecord(suite loaded, b *book, o *runOptions, take func(*rubric.Case, *run.Record) error) error {
	progress := s.progress()
	defer progress(nil)
	var failed error
	for e := range o.events(s.ctx, suite, &failed) {
		progress(&e)
		if e.Stage != run.Done || stopped(*e.Record, s) {
			continue
		}
		if err := b.add(*e.Record); err != nil {
			return err
		}
		progress(nil)
		if err := take(e.Case, e.Record); err != nil {
			return err
		}
	}
	return failed
}

// events are those of a file's run. What keeps it from going on is put in failed.
func (o *runOptions) events(ctx context.Context, suite loaded, failed *error) iter.Seq[run.Event] {
	if p := suite.pieces; p != nil {
		return o.runner(suite).Stream(ctx, suite.suite, p.cases(failed), p.total)
	}
	keep := run.Only(o.cases...)
	return o.runner(suite).Run(ctx, suite.suite, func(c *rubric.Case) bool { return keep(c) && suite.done[c] == nil })
}

// stopped tells a case that the interrupted run did not get to judge.
func stopped(rec run.Record, s *session) bool { return s.ctx.Err() != nil && rec.Error != "" }

// progress draws a line on a terminal, and nothing anywhere else; nil ends it.
func (s *session) progress() func(*run.Event) {
	if !isTerminal(s.stderr) {
		return func(*run.Event) {}
	}
	line := report.Progress{Out: s.stderr, Width: width(s.stderr), Clock: time.Now}
	return func(e *run.Event) {
		if e == nil {
			line.Clear()
			return
		}
		line.Show(*e)
	}
}
