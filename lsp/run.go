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

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// runRequest says what to run.
type runRequest struct {
	doc         *cache.Document
	evaluation  *cache.Evaluation // of doc, if it is an evalset
	cases       []*rubric.Case    // cases of doc before file references are loaded
	criterion   run.GradeKey      // if set, grade only this criterion of the one case
	rejudge     bool              // judge the last answers again, without asking the target
	skipReasons map[string]string // why other cases of doc do not run, by case id
	settings    run.Settings
	config      cache.RunConfig
	client      *cache.Client
}

// evalRun is one run, from start to end.
type evalRun struct {
	runRequest
	session   *session
	job       *job
	casesByID map[string]*rubric.Case // the cases before file references are loaded
	done      int
	total     int

	mu          sync.Mutex
	submissions map[string]grade.Submission // by case id
}

// start starts the run as a job.
func (r runRequest) start(s *session) *job {
	title := "Run " + uri.Basename(r.doc.URI)
	if len(r.cases) == 1 {
		title = "Run " + r.cases[0].ID
	}
	er := &evalRun{runRequest: r, session: s, casesByID: map[string]*rubric.Case{}, submissions: map[string]grade.Submission{}}
	for _, c := range r.cases {
		er.casesByID[c.ID] = c
	}
	er.total = len(er.casesByID)
	return s.jobs.start(title, er.total, func(j *job) { er.job = j; er.execute() })
}

// notes returns what the user should know before the run.
func (r runRequest) notes(s *snapshot) (notes []string) {
	if r.evaluation != nil {
		notes = r.evaluation.Messages()
	}
	if file, err := s.RunFile(r.doc, nil, r.cases); err == nil && !r.client.IsTrusted && file.NamedByFiles() != "" {
		notes = append(notes, file.NamedByFiles()+", which is not asked, because this workspace is not trusted")
	}
	return notes
}

// execute runs the cases and reports the state of the job.
func (er *evalRun) execute() {
	er.notify(jobRunning, strings.Join(er.notes(er.session.snapshot()), "; "), er.skippedItems()...)
	_, err := er.session.runGuarded("run", func() (any, error) { return nil, er.runCases() })
	switch {
	case er.job.isCancelled():
		er.notify(jobCancelled, "")
	case err != nil:
		er.notify(jobFailed, err.Error())
		er.session.Current().Client.ShowMessage(protocol.MessageTypeError, err.Error())
	default:
		er.notify(jobDone, "")
	}
	er.session.ResultsChanged(true)
}

func (er *evalRun) runCases() error {
	if er.job.ctx.Err() != nil { // cancelled before its turn
		return nil
	}
	host, err := er.session.snapshot().permittedHost()
	if err != nil {
		return err
	}
	suite, err := er.buildSuite(host)
	if err != nil {
		return err
	}
	opened, err := er.open(host, suite)
	if err != nil {
		return err
	}
	defer opened.Close()
	events, done := make(chan run.Event), make(chan struct{})
	defer close(done)
	go func() {
		defer close(events)
		for e := range opened.Run(er.job.ctx, suite, nil) {
			select {
			case events <- e:
			case <-done:
				return
			}
		}
	}()
	er.consumeEvents(events)
	return nil
}

// consumeEvents handles the events of a run until it ends, or until cancelGrace after the job was
// cancelled, because a judge may ignore its context.
func (er *evalRun) consumeEvents(events <-chan run.Event) {
	cancelled, deadline := er.job.ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case e, more := <-events:
			if !more {
				return
			}
			er.handleEvent(e)
		case <-cancelled:
			cancelled, deadline = nil, time.After(cancelGrace)
		case <-deadline:
			return
		}
	}
}

// buildSuite returns the suite to run, with the referenced files loaded. It analyses the text
// again, because loading files changes the suite.
func (er *evalRun) buildSuite(host Host) (*rubric.Suite, error) {
	if er.evaluation != nil {
		suite := er.withRequestedCases(er.evaluation.Suite)
		for i, c := range suite.Cases { // the graders are only for showing results
			measured := *c
			measured.Graders, suite.Cases[i] = nil, &measured
		}
		return suite, nil
	}
	whole := er.doc.NewSuite()
	for _, loss := range whole.Losses {
		if loss.Fatal {
			return nil, fmt.Errorf("the file cannot be run: %s", loss.Kind)
		}
	}
	suite := er.withRequestedCases(whole)
	if er.criterion.Criterion != "" {
		for _, c := range suite.Cases {
			c.Graders = filterGraders(grade.GradersOf(c), er.criterion)
		}
	}
	if host.LoadFiles != nil && er.doc.URI.IsFile() {
		for _, problem := range host.LoadFiles(cache.PathOf(er.doc.URI), suite) {
			er.session.log("%s: %s", er.doc.URI, problem)
		}
	}
	return suite, nil
}

// withRequestedCases returns the suite with only the requested cases.
func (er *evalRun) withRequestedCases(whole *rubric.Suite) *rubric.Suite {
	suite := *whole
	suite.Cases = slices.DeleteFunc(slices.Clone(whole.Cases), func(c *rubric.Case) bool { return er.casesByID[c.ID] == nil })
	return &suite
}

// filterGraders returns the graders that remain if only one criterion is graded.
func filterGraders(graders []*rubric.Grader, key run.GradeKey) (left []*rubric.Grader) {
	for _, g := range graders {
		left = append(left, filterGraders(g.Members, key)...)
		if g.Name != key.Grader {
			continue
		}
		for _, c := range g.Criteria {
			if c.ID == key.Criterion {
				single := *g
				single.Criteria = []*rubric.Criterion{c}
				left = append(left, &single)
			}
		}
	}
	return left
}

// open opens everything that the run of a suite needs.
func (er *evalRun) open(host Host, suite *rubric.Suite) (*run.Run, error) {
	opened, err := er.session.snapshot().openRun(er.job.ctx, host, er.runRequest, suite, nil)
	if err != nil {
		return nil, err
	}
	opened.WrapTargets(func(target run.Target) run.Target {
		if er.rejudge {
			target = er.recording().Respond
		}
		return er.recordAnswers(run.Timed(target, opened.Clock))
	})
	return opened, nil
}

// openRun opens what the run of a request's suite needs, or with a plan, what planning it needs. A
// run needs the user's consent to what files name.
func (s *snapshot) openRun(ctx context.Context, host Host, r runRequest, suite *rubric.Suite, plan *run.Plan) (*run.Run, error) {
	file, err := s.RunFile(r.doc, suite, r.cases)
	if err == nil && plan == nil {
		err = s.requireConsent(ctx, host, r, file)
	}
	if err != nil {
		return nil, editorError(err)
	}
	ports, err := s.hostFor(host, r, file, plan)
	if err != nil {
		return nil, err
	}
	opened, err := run.Open(ctx, ports, r.settings, file)
	return opened, editorError(err)
}

// editorError adds to an error which setting to change.
func editorError(err error) error {
	if err == nil {
		return nil
	}
	return run.WithAdvice(err, settingsSection+".")
}

// recording returns the answers of earlier runs.
func (er *evalRun) recording() run.Recording {
	recording := run.Recording{}
	for id, was := range er.session.Results.ForFile(er.doc.URI) {
		if was.Submission != nil {
			recording[id] = run.RecordedAnswer{Submission: *was.Submission, CaseFingerprint: was.Record.CaseFingerprint, Question: was.Record.Question}
		}
	}
	return recording
}

// recordAnswers wraps a target and stores its answers, so that they can be judged again.
func (er *evalRun) recordAnswers(target run.Target) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		sub, err := target(ctx, c)
		if err == nil {
			er.mu.Lock()
			defer er.mu.Unlock()
			er.submissions[c.ID] = sub
		}
		return sub, err
	}
}

// caseErrors returns the errors that keep some cases from running, by case id. An error outside all
// cases keeps the whole file from running.
func (s *snapshot) caseErrors(d *cache.Document, cases []*rubric.Case) (map[string]string, error) {
	if err := s.EvaluationError(d); err != nil {
		return nil, err
	}
	if sidecar := d.Sidecar(); sidecar != nil {
		if errs := analysis.FindRunErrors(sidecar.Suite, sidecar.Diagnostics()); len(errs.File) > 0 {
			return nil, fmt.Errorf("cannot run; fix this error in the YAML file of the same name first: %s", errs.File[0].Message)
		}
	}
	errs := analysis.FindRunErrors(func() *rubric.Suite { return s.RunnableSuite(d) }, d.Diagnostics())
	if len(errs.File) > 0 {
		return nil, fmt.Errorf("cannot run; fix this error in the file first: %s", errs.File[0].Message)
	}
	reasons := map[string]string{}
	for _, c := range cases {
		if found := errs.Cases[c.ID]; found != nil {
			reasons[c.ID] = found[0].Message
		}
	}
	return reasons, nil
}
