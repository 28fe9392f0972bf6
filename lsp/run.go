package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/testitem"
	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// evalRun is one run, from start to end.
type evalRun struct {
	runRequest
	session   *session
	job       *job
	casesByID map[string]*rubric.Case // the cases before file references are loaded
	totals    corereport.Totals       // of the cases that have ended
	graded    []string                // what was graded and by whom, in a few words each
	hasEnded  atomic.Bool
	total     int

	unsent []itemResult // results that the client is not told of yet

	mu          sync.Mutex
	submissions map[string]grade.Submission // by case id

	started string // as a [run.RunTime]
}

func (r runRequest) start(s *session) *job {
	title := "Run " + uri.Basename(r.doc.URI)
	if len(r.cases) == 1 || r.named != "" {
		title = "Run " + cmp.Or(r.named, r.cases[0].ID)
	}
	er := &evalRun{runRequest: r, session: s, casesByID: map[string]*rubric.Case{}, submissions: map[string]grade.Submission{}, started: time.Now().UTC().Format(run.RunTime)}
	for _, c := range r.cases {
		er.casesByID[c.ID] = c
	}
	er.total = len(er.casesByID)
	j := s.jobs.start(title, er.total, er, func(j *job) { er.job = j; er.execute() })
	s.ResultsChanged(len(er.casesByID) == 1) // the lenses now cancel
	return j
}

// execute runs the cases and reports the state of the job.
func (er *evalRun) execute() {
	er.notify(jobRunning, strings.Join(er.notes(er.session.snapshot()), "; "), er.skippedItems()...)
	_, err := er.session.runGuarded("run", func() (any, error) { return nil, er.runCases() })
	er.hasEnded.Store(true)
	switch {
	case er.job.isCancelled():
		er.end(jobCancelled, "")
	case err != nil:
		er.end(jobFailed, err.Error())
		er.session.Current().Client.ShowMessage(protocol.MessageTypeError, err.Error())
	default:
		er.end(jobDone, "")
	}
	er.session.ResultsChanged(true)
}

// end reports the end of the job, also in the client's log. A client without commands of its own shows no results itself,
// so it shows the end.
func (er *evalRun) end(state, message string) {
	er.notify(state, message)
	tell := er.client.LogMessage
	if !er.client.CanChoose && message == "" {
		tell = er.client.ShowMessage
	}
	line := fmt.Sprintf("%s: %s, %d of %s run", uri.Basename(er.doc.URI), state, er.totals.Cases, diag.CountNoun(er.total, "case"))
	if len(er.graded) > 0 {
		line += " (" + strings.Join(er.graded, "; ") + ")"
	}
	if message == "" && er.totals.Cases > 0 {
		message = er.totals.String()
	}
	if n := len(er.skipReasons); n > 0 {
		message += fmt.Sprintf("; %d not run because of errors", n)
	}
	if message != "" {
		line += ": " + message
	}
	tell(protocol.MessageTypeInfo, line)
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

// resultsEvery is how long results wait for others, in milliseconds, unless the client says. An editor takes
// longer to show a notification than an offline run takes for a case.
const resultsEvery = 50

// consumeEvents handles the events of a run until it ends, or until cancelGrace after the job was
// cancelled, because a judge may ignore its context.
func (er *evalRun) consumeEvents(events <-chan run.Event) {
	defer er.sendResults()
	cancelled, deadline, send := er.job.ctx.Done(), (<-chan time.Time)(nil), (<-chan time.Time)(nil)
	for {
		select {
		case e, more := <-events:
			if !more {
				return
			}
			er.handleEvent(e)
			if send == nil {
				send = time.After(time.Duration(cmp.Or(max(er.client.ResultsEvery, 0), resultsEvery)) * time.Millisecond)
			}
		case <-send:
			send = nil
			er.sendResults()
		case <-cancelled:
			cancelled, deadline = nil, time.After(cancelGrace)
		case <-deadline:
			return
		}
	}
}

// buildSuite returns the suite to run, with only the requested cases and with the referenced files loaded. It changes
// copies of the document's cases.
func (er *evalRun) buildSuite(host Host) (*rubric.Suite, error) {
	suite := *er.doc.Suite()
	if er.evaluation != nil {
		suite = *er.evaluation.Suite
	}
	requested := []*rubric.Case{}
	for _, c := range suite.Cases {
		if er.casesByID[c.ID] != nil {
			copied := *c
			requested = append(requested, &copied)
		}
	}
	suite.Cases = requested
	if er.evaluation != nil {
		for _, c := range requested {
			c.Graders = nil // they are only for showing results
		}
		return &suite, nil
	}
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return nil, fmt.Errorf("the file cannot be run: %s", loss.Kind)
		}
	}
	for _, c := range requested {
		if er.rejudge {
			c.DependsOn = nil // the answers exist
		}
		if er.criterion.Criterion != "" {
			c.Graders = filterGraders(grade.GradersOf(c), er.criterion)
		}
	}
	if host.LoadFiles != nil && er.doc.URI.IsFile() {
		for _, problem := range host.LoadFiles(cache.PathOf(er.doc.URI), &suite) {
			er.session.log("%s: %s", er.doc.URI, problem)
		}
	}
	return &suite, nil
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
	s := er.session.snapshot()
	if err := er.chooseTarget(er.job.ctx, s); err != nil {
		return nil, err
	}
	opened, err := s.openRun(er.job.ctx, host, er.runRequest, suite, nil)
	if err != nil {
		return nil, err
	}
	if er.rejudge && er.evaluation != nil && er.evaluation.AsksAgent() {
		opened.Measure = er.measureAgain(opened.Measure)
	}
	opened.WrapTargets(func(target run.Target) run.Target {
		if er.rejudge {
			target = er.recording().Respond
		}
		return er.recordAnswers(run.Timed(target, opened.Clock))
	})
	return opened, nil
}

// measureAgain measures the conversations that an agent held in the last run, instead of new ones.
func (er *evalRun) measureAgain(measure func(context.Context, *rubric.Case) (metric.CaseResult, error)) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
	return func(ctx context.Context, c *rubric.Case) (metric.CaseResult, error) {
		was := er.session.Results.Get(er.doc.URI, c.ID)
		if was == nil || was.Record.Recorded == nil {
			return metric.CaseResult{}, fmt.Errorf("no conversation of the case `%s` is recorded; run it first", c.ID)
		}
		return measure(ctx, er.evaluation.Reuse(c, was.Record.Recorded))
	}
}

// recording returns the answers of earlier runs.
func (er *evalRun) recording() run.Recording {
	recording := run.Recording{}
	for id := range er.casesByID {
		if was := er.session.Results.Get(er.doc.URI, id); was != nil && was.Submission != nil {
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

// notify reports the job's state to the client.
func (er *evalRun) notify(state, message string, items ...itemResult) {
	er.client.Notify(methodResults, &resultsParams{
		Job: er.job.id, URI: er.doc.URI, State: state, Message: message, Done: er.totals.Cases, Total: er.total, Results: items,
	})
}

// sendResults stores the new results and tells the client of them, but not of the start of a case that has ended.
func (er *evalRun) sendResults() {
	if err := er.session.Results.Save(er.doc.URI); err != nil { // first, since what was shown must survive a crash
		er.session.log("cannot store results: %v", err)
	}
	hasEnded := map[string]bool{}
	for _, item := range er.unsent {
		hasEnded[item.ID] = hasEnded[item.ID] || item.State != itemStarted
	}
	er.unsent = slices.DeleteFunc(er.unsent, func(item itemResult) bool { return item.State == itemStarted && hasEnded[item.ID] })
	if len(er.unsent) > 0 {
		er.notify(jobRunning, "", er.unsent...)
		er.unsent = nil
		er.job.progress.report(fmt.Sprintf("%d of %d cases", er.totals.Cases, er.total), er.totals.Cases)
	}
}

func (er *evalRun) handleEvent(e run.Event) {
	switch e.Stage {
	case run.Started:
		er.total = e.Total
		er.unsent = append(er.unsent, itemResult{ID: testitem.ID(string(er.doc.URI), e.Case.ID), State: itemStarted})
	case run.Graded:
		for _, item := range corereport.GraderItems(run.Record{EvalID: e.Case.ID}, *e.Grader) {
			result := er.toItemResult(item)
			if result.State == itemUngraded && er.job.ctx.Err() != nil {
				result.State = itemCancelled
			}
			result.Answer = er.answer(e.Case.ID, result)
			er.unsent = append(er.unsent, result)
		}
	case run.Done:
		er.graded = generic.AppendNew(er.graded, ide.NewRunNames(e.Record.Target, e.Record.Judge).Label)
		record := er.storeResult(e.Case.ID, *e.Record)
		item := er.toItemResult(corereport.CaseItem(record, er.config.Threshold))
		if er.job.ctx.Err() != nil && e.Record.Error != "" {
			item.State, item.Message, item.Score = itemCancelled, e.Record.Error, nil
		}
		item.Answer = er.answer(e.Case.ID, item)
		record.Verdict = score.Verdict(item.State) // by the threshold
		er.totals.Add(record)
		er.unsent = append(er.unsent, item)
		er.session.ResultsChanged(false)
	}
}

// answer returns the answer that was judged, if its result needs an explanation.
func (er *evalRun) answer(id string, result itemResult) string {
	if result.State == string(score.Pass) {
		return ""
	}
	er.mu.Lock()
	defer er.mu.Unlock()
	return er.submissions[id].Answer
}

// storeResult stores the result of a case. If the case was cancelled, or only one criterion was
// judged, it merges the new grades into the stored result.
func (er *evalRun) storeResult(id string, record run.Record) run.Record {
	c := er.casesByID[id]
	previous := er.session.Results.Get(er.doc.URI, id)
	stored := &cache.Result{Run: er.started, Inputs: er.doc.InputsOf(er.config.For(c, er.settings), c)}
	er.mu.Lock()
	if sub, ok := er.submissions[id]; ok {
		stored.Submission = &sub
	}
	er.mu.Unlock()
	if er.rejudge && previous != nil {
		stored.Inputs.Config.Target = previous.Inputs.Config.Target // the target whose answer was judged
	}
	switch cancelled := er.job.ctx.Err() != nil && record.Error != ""; {
	case previous != nil && (cancelled || er.criterion.Criterion != ""):
		if cancelled && (er.criterion.Criterion == "" || len(record.Graders) == 0) {
			return record
		}
		stored.StoredResult, stored.Inputs, stored.Submission = previous.Merge(record, c), previous.Inputs, previous.Submission
	default:
		stored.StoredResult = run.NewStoredResult(record, c)
	}
	er.session.Results.Put(er.doc.URI, id, stored)
	return stored.Record
}

// toItemResult converts a result for the client.
func (er *evalRun) toItemResult(item corereport.Item) itemResult {
	return itemResult{ID: testitem.ID(string(er.doc.URI), item.Path...), State: item.State, Score: item.Score, Message: item.Message}
}

// skippedItems returns the cases that do not run, with the error of each. Copies of a case are items
// of their own.
func (er *evalRun) skippedItems() (items []itemResult) {
	ids := testitem.IDs{}
	for _, c := range er.session.snapshot().RunnableSuite(er.doc).Cases {
		id := ids.New(string(er.doc.URI), c.ID)
		if reason := er.skipReasons[c.ID]; reason != "" {
			items = append(items, itemResult{ID: id, State: itemUngraded, Message: "not run: " + reason})
		}
	}
	return items
}
