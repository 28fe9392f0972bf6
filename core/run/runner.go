// Package run is the engine that runs the cases of a suite: it asks the target, grades the
// submission and combines the grades. It reports what happens as a stream of [Event]s.
//
// A host fills [Settings], whose options the table [Options] describes, and provides a [Host] with
// functions that open what needs the machine. [Open] decides from both who answers and who judges,
// and returns a [Run]. A [Plan] says what a run would do without asking anyone.
//
// A [Runner] receives its I/O as ports: target, judge, sandbox and clock. It works on several
// cases at a time, but delivers their records in the suite's order. It holds only a few records
// at a time, however long the suite is. A [Record] is one line of a result file. It holds
// everything that is needed to score the case again without a model; see [Rescore].
//
// If the conversations are already recorded, metrics measure them instead of a target and
// graders.
//
// No failure stops a run. If a target fails or panics, its record holds an error. A cancelled run
// keeps its finished records.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Target is the system under test: it answers a case. It must be safe for concurrent use. An
// error that wraps [judge.ErrUnreachable] means that the target could not be asked at all.
type Target func(context.Context, *rubric.Case) (grade.Submission, error)

// Runner holds everything that a run needs besides the suite.
type Runner struct {
	Target      Target
	TargetName  string  // for records; the suite's own target by default
	Prompt      *Prompt // with which targets are asked; nil for the cases as they are
	Judge       judge.Judge
	JudgeName   string
	OwnJudges   map[string]judge.Judge // by the names that graders and metrics give; other names mean Judge
	CaseRunners map[string]Runner      // whose target and judges replace these for cases that name a target, by its name
	Exec        grade.Exec
	Sandbox     grade.Exec // for graders that are WebAssembly modules
	Schema      grade.ValidateSchema
	Profile     score.Profile // Spec by default
	Timeout     time.Duration // for a grader that computes and asks no judge; 0 means no limit
	Workers     int           // cases at a time; 1 by default
	Trials      int           // runs of each case; 0 for as many as its file says
	Samples     int           // judgements per criterion and judge of a panel; 1 by default
	Threshold   float64       // for records; see [Record.Passes]
	Seats       int           // number of judges in Judge, if it is a panel; 1 by default
	EvalFile    string        // for records
	// Earlier returns an earlier record of a case whose answer can be reused, or nil. The target
	// is then not asked again, nor are judges whose grades are complete; see
	// [Runner.CanReuseAnswer]. It must be safe for concurrent use.
	Earlier func(*rubric.Case) *Record
	lookup  func(*rubric.Case) (earlierResult, error) // by [Resume.Run]
	// Elsewhere runs a case on another machine, in place of [Runner.RunCase] here. earlier is as of
	// Earlier. It must be safe for concurrent use, and returns a record even when ctx ends.
	Elsewhere func(ctx context.Context, suite *rubric.Suite, c *rubric.Case, earlier *Record) *Record
	// Measure replaces target and graders if conversations are recorded and metrics measure them.
	// It returns an error if there is no conversation.
	Measure   func(context.Context, *rubric.Case) (metric.CaseResult, error)
	asksAgent bool                                              // Measure asks an agent
	reuse     func(*rubric.Case, *metric.Recorded) *rubric.Case // see [Conversations.Reuse]
	// Clock measures the target and timestamps the records; it must be safe for concurrent use.
	// Without a clock, equal runs are equal byte for byte.
	Clock     func() time.Time
	ownTarget bool // the case names Target
}

var errNoTarget = errors.New("no target was given")

// Stage is how far a case has progressed.
type Stage string

const (
	Started Stage = "started"
	Graded  Stage = "graded" // by one grader
	Done    Stage = "done"
)

// Event is one step of a run.
type Event struct {
	Stage  Stage
	Index  int // position among the cases that are run, from 0
	Total  int // number of cases to run
	Case   *rubric.Case
	Grader *GraderRecord // set for Graded
	Record *Record       // set for Done
	Reused bool          // Record is of an earlier run; see [Resume]

	earlier earlierResult
	err     error // why the earlier result cannot be read
}

// MatchIDs returns a filter for cases whose id equals one of patterns or matches it. Patterns are
// those of path.Match: `*` stands for any characters except `/`, `?` for one. Without patterns
// every case matches.
func MatchIDs(patterns ...string) func(*rubric.Case) bool {
	return func(c *rubric.Case) bool {
		for _, p := range patterns {
			if ok, err := path.Match(p, c.ID); p == c.ID || ok && err == nil {
				return true
			}
		}
		return len(patterns) == 0
	}
}

// Run grades the cases of suite for which keep returns true; a nil keep selects all.
//
// Started and Graded events come as they happen; Done events come in the suite's order. When ctx
// ends, no further case starts, and the records of unfinished cases hold an error. When the
// consumer stops iterating, the run stops. Run returns after its last worker has.
func (r Runner) Run(ctx context.Context, suite *rubric.Suite, keep func(*rubric.Case) bool) iter.Seq[Event] {
	cases := slices.DeleteFunc(slices.Clone(suite.Cases), func(c *rubric.Case) bool { return keep != nil && !keep(c) })
	return r.Stream(ctx, suite, slices.Values(cases), len(cases))
}

// Stream is like [Runner.Run] for cases that are produced one by one, when there is room for
// them. total is their number. Stream uses only the suite's name and target, and its cases for their
// dependencies. A case that others depend on comes before them.
func (r Runner) Stream(ctx context.Context, suite *rubric.Suite, cases iter.Seq[*rubric.Case], total int) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		events, slots := r.startWorkers(ctx, suite, cases, total)
		defer func() {
			cancel()
			for range events {
			}
		}()
		waiting := map[int]Event{} // finished before an earlier case
		next := 0
		for e := range events {
			if e.Stage != Done {
				if !yield(e) {
					return
				}
				continue
			}
			waiting[e.Index] = e
			for due, ok := waiting[next]; ok; due, ok = waiting[next] {
				delete(waiting, next)
				next++
				<-slots
				if !yield(due) {
					return
				}
			}
		}
	}
}

// startWorkers starts the workers. A case holds a slot from its start until its record is
// delivered, so one slow case cannot make finished ones pile up.
func (r Runner) startWorkers(ctx context.Context, suite *rubric.Suite, cases iter.Seq[*rubric.Case], total int) (events chan Event, slots chan struct{}) {
	workers := max(1, r.Workers)
	events, slots = make(chan Event, workers), make(chan struct{}, 4*workers)
	work := make(chan Event, workers) // without a Stage: cases that wait
	before := newPrerequisites(suite.Cases)
	go func() {
		defer close(work)
		i := 0
		for c := range before.order(cases) {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case work <- Event{Index: i, Total: total, Case: c}:
			case <-ctx.Done():
				return
			}
			i++
		}
	}()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for e := range work {
				if ctx.Err() == nil {
					r.runQueued(ctx, suite, e, events, before)
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(events)
	}()
	return events, slots
}

// runQueued runs the case of a queued event, unless an earlier run has its complete result, and emits
// the case's events. The queued event becomes the last of them.
func (r Runner) runQueued(ctx context.Context, suite *rubric.Suite, e Event, events chan<- Event, before prerequisites) {
	emit := func(stage Stage, g *GraderRecord) {
		events <- Event{Stage: stage, Index: e.Index, Total: e.Total, Case: e.Case, Grader: g}
	}
	if r.lookup != nil {
		if e.earlier, e.err = r.lookup(e.Case); e.earlier.record != nil {
			r.Earlier = func(*rubric.Case) *Record { return e.earlier.record }
		}
	}
	e.Stage, e.Record, e.Reused = Done, e.earlier.record, e.earlier.complete
	if !e.Reused && e.err == nil {
		err := before.wait(ctx, e.Case)
		emit(Started, nil)
		switch {
		case err != nil:
			e.Record = r.FailedRecord(ctx, suite, e.Case, err)
		case r.Elsewhere != nil:
			e.Record = r.Elsewhere(ctx, suite, e.Case, e.earlier.record)
		default:
			e.Record = r.RunCase(ctx, suite, e.Case, func(g *GraderRecord) { emit(Graded, g) })
		}
	}
	before.finish(e.Case, e.Record)
	events <- e
}

// FailedRecord returns the record of a case that was not run because of err, or because ctx has ended.
func (r Runner) FailedRecord(ctx context.Context, suite *rubric.Suite, c *rubric.Case, err error) *Record {
	rec, _ := r.forCase(c).newRecord(suite, c)
	rec.fail(ctx, err)
	return rec
}

// runOnce runs one case once. It calls onGraded after each grader.
func (r Runner) runOnce(ctx context.Context, suite *rubric.Suite, c *rubric.Case, onGraded func(*GraderRecord)) *Record {
	r = r.forCase(c)
	r.Profile = cmp.Or(r.Profile, score.Spec)
	rec, notFinite := r.newRecord(suite, c)
	skipped := ""
	if r.Profile.IsReference() {
		c, skipped = c.AsReference(), grade.SkipReason(suite, c)
		bare := *c
		bare.Graders = nil // gradeCase drops what is not finite
		_, notFinite = bare.FiniteFingerprint()
	}
	var start time.Time
	if r.Clock != nil {
		start = r.Clock()
		rec.Timestamp = start.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	if notFinite != nil {
		rec.Threshold = nil // the threshold may be the number that is not finite
		rec.fail(ctx, notFinite)
		return rec
	}
	if skipped != "" {
		rec.fail(ctx, fmt.Errorf("not run: the runner of profile %s skips this test: %s", r.Profile, skipped))
		return rec
	}
	r.gradeCase(ctx, rec, c, onGraded)
	if r.Clock != nil {
		elapsed := milliseconds(r.Clock().Sub(start))
		rec.DurationMS = &elapsed
	}
	return rec
}

// forCase returns the runner with the target and the judges of a case.
func (r Runner) forCase(c *rubric.Case) Runner {
	if own, names := r.CaseRunners[c.Target]; names {
		r.Target, r.TargetName, r.Judge, r.JudgeName, r.OwnJudges, r.Seats = own.Target, own.TargetName, own.Judge, own.JudgeName, own.OwnJudges, own.Seats
		r.ownTarget = true
	}
	return r
}

// newRecord returns the record of a case without a result, with the error of [rubric.Case.FiniteFingerprint].
func (r Runner) newRecord(suite *rubric.Suite, c *rubric.Case) (*Record, error) {
	fingerprint, err := c.FiniteFingerprint()
	rec := &Record{
		EvalID: c.ID, Dataset: suite.Name, ConversationID: c.ConversationID,
		Question: c.Question, ExpectedOutcome: c.ExpectedOutcome, Tags: c.Tags,
		Target: r.targetNameOf(suite, c), Judge: r.JudgeName, Profile: r.Profile, Threshold: c.PassAt(r.Profile.IsReference()), RunThreshold: r.Threshold,
		EvalFile: r.EvalFile, OwnTarget: r.ownTarget, CaseFingerprint: fingerprint,
	}
	if r.Prompt != nil {
		rec.Prompt, rec.PromptFingerprint = r.Prompt.Name, r.Prompt.Fingerprint
	}
	if r.Samples > 1 {
		rec.Samples = r.Samples
	}
	if t := r.trialsOf(c); t.Count > 1 {
		rec.Trials = &Trials{Strategy: t.Strategy, Count: t.Count}
	}
	return rec, err
}

// gradeCase asks the target and grades its answer, or continues from an earlier record. It calls
// onGraded after each grader.
func (r Runner) gradeCase(ctx context.Context, rec *Record, c *rubric.Case, onGraded func(*GraderRecord)) {
	if r.Measure != nil {
		r.runMetrics(ctx, rec, c, onGraded)
		return
	}
	if c.Unreadable != "" {
		rec.fail(ctx, fmt.Errorf("not run: %s", c.Unreadable))
		return
	}
	if c.Conversation != nil {
		r.runConversation(ctx, rec, c, onGraded)
		return
	}
	var earlier *Record
	if r.Earlier != nil {
		earlier = r.Earlier(c)
	}
	sub, err := r.submission(ctx, c, earlier)
	rec.TraceSummary, rec.AnsweredBy, rec.SharedAnswer = sub.Trace, sub.AnsweredBy, sub.Shared
	if err != nil {
		rec.fail(ctx, fmt.Errorf("the target gave no answer: %w", err))
		return
	}
	rec.CandidateAnswer = sub.Answer
	for i, g := range grade.GradersOf(c) {
		var graderRecord GraderRecord
		ports := r.ports()
		external := ports.NeedsJudgeOrProgram(g)
		var used map[*judge.Reply]bool
		if earlier != nil && r.Judge != nil {
			used = map[*judge.Reply]bool{}
			ports.Judge, ports.OwnJudges = earlier.Graders[i].judgeWithReplies(r.Judge, used), map[string]judge.Judge{}
			for name, own := range r.OwnJudges {
				ports.OwnJudges[name] = earlier.Graders[i].judgeWithReplies(own, used)
			}
		}
		if earlier != nil && earlier.canReuseGrader(i, external) {
			graderRecord = rescoreGraders(earlier.Graders[i:i+1], r.Profile)[0] // records hold rounded scores
		} else {
			graderRecord = newGraderRecord(grade.Grade(ctx, ports, c, g, sub))
			// A judge may not have finished when the run was stopped, whatever it answered.
			graderRecord.Unreachable = graderRecord.Unreachable || external && ctx.Err() != nil
			if r.Profile.IsReference() { // which calculates with numbers that are not finite
				graderRecord.dropInfinite()
			}
			if earlier != nil {
				graderRecord.addUnusedReplies(&earlier.Graders[i], used)
			}
		}
		rec.Graders = append(rec.Graders, graderRecord)
		onGraded(&graderRecord)
	}
	rec.combine()
	if ctx.Err() != nil {
		rec.fail(ctx, ctx.Err())
	}
}

func (r Runner) ports() grade.Ports {
	return grade.Ports{Judge: r.Judge, OwnJudges: r.OwnJudges, Exec: r.Exec, Sandbox: r.Sandbox, Schema: r.Schema, Profile: r.Profile, Timeout: r.Timeout, Samples: max(1, r.Samples) * max(1, r.Seats), PanelSize: r.Seats}
}

// submission returns the answer of an earlier record, as far as the record holds it, or asks the
// target. It turns a target's panic into an error.
func (r Runner) submission(ctx context.Context, c *rubric.Case, earlier *Record) (sub grade.Submission, err error) {
	if earlier != nil {
		return grade.Submission{Answer: earlier.CandidateAnswer, Trace: earlier.TraceSummary, AnsweredBy: earlier.AnsweredBy, Shared: earlier.SharedAnswer}, nil
	}
	if c.Answer != nil {
		return grade.Submission{Answer: *c.Answer, Origin: grade.FromFile}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	if r.Target == nil {
		return sub, errNoTarget
	}
	if sub, err = Timed(r.Target, r.Clock)(ctx, c); err == nil {
		sub.Trace = sub.Summary(r.Profile)
		if sub.GuidelineFiles == nil && sub.InputFiles == nil {
			sub.GuidelineFiles = rubric.GuidelineFiles(c.Input)
			sub.InputFiles = slices.DeleteFunc(slices.Clone(c.Files), func(file string) bool { return slices.Contains(sub.GuidelineFiles, file) })
		}
	}
	return sub, err
}
