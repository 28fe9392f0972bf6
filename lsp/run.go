package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// order is what is to be run.
type order struct {
	doc    *Document
	trial  *trial            // of doc, if that is an evalset
	cases  []*rubric.Case    // of doc, as it means them; nil for all
	only   run.Part          // of the one case, this criterion alone
	again  bool              // judge what was answered, and ask no target
	faults map[string]string // why other cases of doc are not run, by their ids
	how    Running
	client *client
}

// underWay is a run from its beginning to its end.
type underWay struct {
	order
	session *session
	job     *job
	meant   map[string]*rubric.Case // the cases as the file means them, before files were filled in
	done    int
	total   int

	lock     sync.Mutex
	answered map[string]grade.Submission // by case id
}

// begin starts to run what was ordered.
func (o order) begin(s *session) *job {
	title := "Run " + uri.Basename(o.doc.URI)
	if len(o.cases) == 1 {
		title = "Run " + o.cases[0].ID
	}
	r := &underWay{order: o, session: s, meant: map[string]*rubric.Case{}, answered: map[string]grade.Submission{}}
	for _, c := range o.cases {
		r.meant[c.ID] = c
	}
	r.total = len(r.meant)
	return s.jobs.begin(title, r.total, func(j *job) { r.job = j; r.work() })
}

// work runs the cases from their target to their results.
func (r *underWay) work() {
	notes := ""
	if r.trial != nil {
		notes = strings.Join(r.trial.said(), "; ")
	}
	r.tell(jobRunning, notes, r.refused()...)
	_, err := r.session.guard("run", func() (any, error) { return nil, r.run() })
	switch {
	case r.job.cancelled():
		r.tell(jobCancelled, "")
	case err != nil:
		r.tell(jobFailed, err.Error())
		r.session.show(protocol.MessageTypeError, err.Error())
	default:
		r.tell(jobDone, "")
	}
	r.session.hasten()
}

func (r *underWay) run() error {
	if r.job.ctx.Err() != nil { // it was cancelled before its turn came
		return nil
	}
	suite, err := r.suite()
	if err != nil {
		return err
	}
	runner, closing, err := r.runner()
	if err != nil {
		return err
	}
	defer closing()
	events, left := make(chan run.Event), make(chan struct{})
	defer close(left)
	go func() {
		defer close(events)
		for e := range runner.Run(r.job.ctx, suite, nil) {
			select {
			case events <- e:
			case <-left:
				return
			}
		}
	}()
	r.hear(events)
	return nil
}

// hear takes in what happens until the end, or until some time after the job was
// cancelled: a judge need not heed that.
func (r *underWay) hear(events <-chan run.Event) {
	cancelled, late := r.job.ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case e, more := <-events:
			if !more {
				return
			}
			r.take(e)
		case <-cancelled:
			cancelled, late = nil, time.After(lateness)
		case <-late:
			return
		}
	}
}

// suite is what is run: the ordered cases, with the files filled in that they
// refer to. It is analysed anew, since filling in changes it.
func (r *underWay) suite() (*rubric.Suite, error) {
	host, err := r.host()
	if err != nil {
		return nil, err
	}
	if r.trial != nil {
		return r.ordered(r.trial.Suite), nil
	}
	whole := r.doc.beside.of(r.doc.body()).Suite()
	for _, loss := range whole.Losses {
		if loss.Fatal {
			return nil, fmt.Errorf("the file cannot be run: %s", loss.Kind)
		}
	}
	suite := r.ordered(whole)
	if r.only.Criterion != "" {
		for _, c := range suite.Cases {
			c.Graders = alone(grade.Graders(c), r.only)
		}
	}
	if host.Fill != nil {
		for _, problem := range host.Fill(pathOf(r.doc.URI), suite) {
			r.session.log("%s: %s", r.doc.URI, problem)
		}
	}
	return suite, nil
}

// ordered is a suite with those of its cases that were ordered.
func (r *underWay) ordered(whole *rubric.Suite) *rubric.Suite {
	suite := *whole
	suite.Cases = slices.DeleteFunc(slices.Clone(whole.Cases), func(c *rubric.Case) bool { return r.meant[c.ID] == nil })
	return &suite
}

// alone are the graders that are left of some when only one criterion is graded.
func alone(graders []*rubric.Grader, only run.Part) (left []*rubric.Grader) {
	for _, g := range graders {
		left = append(left, alone(g.Members, only)...)
		if g.Name != only.Grader {
			continue
		}
		for _, c := range g.Criteria {
			if c.ID == only.Criterion {
				bare := *g
				bare.Criteria = []*rubric.Criterion{c}
				left = append(left, &bare)
			}
		}
	}
	return left
}

// host is what may be run for the document. One that is no file of this machine
// has nothing beside it that could be read or run.
func (r *underWay) host() (Host, error) {
	host, err := r.session.now.Load().allowed()
	if !r.doc.URI.IsFile() {
		host.Fill, host.Exec, host.Sandbox = nil, nil, nil
	}
	return host, err
}

// runner is everything that the run needs; closing gives it up again.
func (r *underWay) runner() (runner run.Runner, closing func(), err error) {
	host, err := r.host()
	if err != nil {
		return runner, nil, err
	}
	path := pathOf(r.doc.URI)
	runner = run.Runner{
		TargetName: r.how.Target, JudgeName: r.how.Judge, Schema: host.Schema,
		Workers: r.how.Workers, Samples: r.how.Samples, Clock: host.Clock,
	}
	var closers []func()
	closing = func() {
		for _, c := range closers {
			c()
		}
	}
	asked, done, err := r.session.judge(r.job.ctx, host, r.client, path, r.how.Judge)
	if err != nil {
		return runner, nil, err
	}
	closers, runner.Judge = append(closers, done), asked
	if r.trial != nil {
		moderate, err := host.moderate(withKeys(r.job.ctx, r.client), r.how.Moderation)
		if err != nil {
			closing()
			return runner, nil, err
		}
		r.trial.measure(&runner, metric.Ports{Judge: asked, Moderate: moderate}, r.how)
		return runner, closing, nil
	}
	target, err := r.target(host, path)
	if err != nil {
		closing()
		return runner, nil, err
	}
	runner.Target = r.remembering(target)
	if host.Exec != nil && r.how.AllowExec {
		runner.Exec = host.Exec(path)
	}
	if host.Sandbox != nil {
		box, done := host.Sandbox(path)
		closers, runner.Sandbox = append(closers, done), box
	}
	return runner, closing, nil
}

// target is who answers the cases.
func (r *underWay) target(host Host, path string) (run.Target, error) {
	switch {
	case r.again:
		return r.recording().Respond, nil
	case r.how.Target == selfName:
		return run.Self, nil
	case host.Target == nil:
		return nil, fmt.Errorf("the target `%s` cannot be opened here", r.how.Target)
	}
	return host.Target(withKeys(r.job.ctx, r.client), path, r.how.Target)
}

// recording is what was answered before.
func (r *underWay) recording() run.Recording {
	recording := run.Recording{}
	for id, was := range r.session.results.file(r.doc.URI) {
		if was.submission != nil {
			recording[id] = *was.submission
		}
	}
	return recording
}

// remembering is target, whose answers are kept to be judged again.
func (r *underWay) remembering(target run.Target) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		sub, err := target(ctx, c)
		if err == nil {
			r.lock.Lock()
			defer r.lock.Unlock()
			r.answered[c.ID] = sub
		}
		return sub, err
	}
}

// faults are why some of a document's cases are not run: errors in them, by their
// ids. An error outside of all cases keeps any from being run.
func (at *Snapshot) faults(d *Document, cases []*rubric.Case) (map[string]string, error) {
	if err := at.unfit(d); err != nil {
		return nil, err
	}
	why, suite := map[string]string{}, at.suite(d)
	all := slices.Concat(suite.Cases, suite.Skipped)
	for _, found := range d.Diagnostics() {
		if found.Severity != diag.Error {
			continue
		}
		in := slices.IndexFunc(all, func(c *rubric.Case) bool {
			return c.Span.Start <= found.Span.Start && found.Span.End <= c.Span.End
		})
		switch {
		case in < 0:
			return nil, fmt.Errorf("nothing is run while the file has an error: %s", found.Message)
		case slices.Contains(cases, all[in]):
			why[all[in].ID] = found.Message
		}
	}
	return why, nil
}
