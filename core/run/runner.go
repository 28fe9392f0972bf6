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

// Target is the system under test: it answers a case. It must be safe for
// concurrent use. An error that wraps [judge.ErrUnreachable] says that it could
// not be asked at all.
type Target func(context.Context, *rubric.Case) (grade.Submission, error)

// Runner is everything a run needs besides the suite.
type Runner struct {
	Target           Target
	TargetName       string // as records show it; the suite's own target by default
	Judge            judge.Judge
	JudgeName        string
	Exec             grade.Exec
	Sandbox          grade.Exec // of graders that are WebAssembly
	Schema           grade.ValidateSchema
	Profile          score.Profile // Spec by default
	Timeout          time.Duration // the most time for a grader that computes and asks nobody; 0 means no limit
	Workers          int           // cases at a time; 1 by default
	Samples          int           // judgements per criterion and seat; 1 by default
	Seats            int           // of Judge, if it is a panel; 1 by default
	EvalFile         string        // as records show it
	DoneOnly         bool          // of its events there are those of Done alone
	SkipFingerprints bool          // no record outlasts the run: none says what its case meant
	// Earlier is a record of a case whose answer stands, nil if there is none: the target
	// is not asked again, and neither is who has graded; see [Runner.AnswerStands]. It
	// must be safe for concurrent use.
	Earlier func(*rubric.Case) *Record
	// Measure takes the place of target and graders where conversations are
	// recorded, and metrics measure them. An error says that there is none.
	Measure func(context.Context, *rubric.Case) (metric.CaseResult, error)
	// Clock stamps and times the records; it must be safe for concurrent use.
	// Without one they hold no times, and equal runs are equal byte for byte.
	Clock func() time.Time
}

var errNoTarget = errors.New("no target was given")

// Stage is how far a case is.
type Stage string

const (
	Started Stage = "started"
	Graded  Stage = "graded" // by one of its graders
	Done    Stage = "done"
)

// Event is one step of a run.
type Event struct {
	Stage     Stage
	Index     int // of the case among those run, from 0
	Total     int // cases to run
	Case      *rubric.Case
	Grader    *GraderRecord // of Graded
	Record    *Record       // of Done
	NextReady bool          // of Done: the next record is there already
}

// MatchIDs keeps the cases whose id is one of patterns or matches one as a file's
// name does: `*` stands for any letters but `/`, `?` for one. Without patterns
// it keeps all.
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

// Run grades the cases of suite that keep keeps, or all when it is nil.
//
// Started and Graded events come as things happen; Done events come in the
// suite's order. When ctx is done no further case is started, and those under
// way end with an error in their records. When the consumer stops, so does the
// run, and Run returns only after its last worker has.
func (r Runner) Run(ctx context.Context, suite *rubric.Suite, keep func(*rubric.Case) bool) iter.Seq[Event] {
	cases := suite.Cases
	if keep != nil {
		cases = nil
		for _, c := range suite.Cases {
			if keep(c) {
				cases = append(cases, c)
			}
		}
	}
	return r.Stream(ctx, suite, slices.Values(cases), len(cases))
}

// Stream is [Runner.Run] for cases that are taken one by one, as there is room for
// them; total is how many they are. Of their suite it needs the name and the target
// alone.
func (r Runner) Stream(ctx context.Context, suite *rubric.Suite, cases iter.Seq[*rubric.Case], total int) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		events, slots := r.startWorkers(ctx, suite, cases, total)
		defer func() {
			cancel()
			for range events {
			}
		}()
		waiting := map[int]Event{} // done, and due after one that is not
		next := 0
		handle := func(e Event) bool {
			if e.Stage != Done {
				return yield(e)
			}
			waiting[e.Index] = e
			return true
		}
		for e := range events {
			if !handle(e) {
				return
			}
			for due, ok := waiting[next]; ok; due, ok = waiting[next] {
				delete(waiting, next)
				next++
				<-slots
				if !drain(events, handle) {
					return
				}
				if _, due.NextReady = waiting[next]; !yield(due) {
					return
				}
			}
		}
	}
}

// drain takes the events that are there already, until it is not to take another.
func drain(events <-chan Event, handle func(Event) bool) bool {
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return true
			}
			if !handle(e) {
				return false
			}
		default:
			return true
		}
	}
}

// startWorkers puts the workers to work. A case takes a slot from its start until its
// record is delivered, so that one slow case cannot make the others pile up.
func (r Runner) startWorkers(ctx context.Context, suite *rubric.Suite, cases iter.Seq[*rubric.Case], total int) (events chan Event, slots chan struct{}) {
	workers := max(1, r.Workers)
	events, slots = make(chan Event, workers), make(chan struct{}, 4*workers)
	work := make(chan Event, workers)
	go func() {
		defer close(work)
		i := 0
		for c := range cases {
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
					r.runEvents(ctx, suite, e, events)
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

// runEvents takes one case from its target to its record, as events.
func (r Runner) runEvents(ctx context.Context, suite *rubric.Suite, e Event, events chan<- Event) {
	emit := func(stage Stage, g *GraderRecord) {
		if !r.DoneOnly {
			events <- Event{Stage: stage, Index: e.Index, Total: e.Total, Case: e.Case, Grader: g}
		}
	}
	emit(Started, nil)
	e.Record = r.RunCase(ctx, suite, e.Case, func(g *GraderRecord) { emit(Graded, g) })
	e.Stage = Done
	events <- e
}

// RunCase takes one case from its target to its record, and tells of each grader on
// the way.
func (r Runner) RunCase(ctx context.Context, suite *rubric.Suite, c *rubric.Case, onGraded func(*GraderRecord)) *Record {
	if r.Profile == "" {
		r.Profile = score.Spec
	}
	rec := r.newRecord(suite, c)
	var start time.Time
	if r.Clock != nil {
		start = r.Clock()
		rec.Timestamp = start.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	if err := c.CheckFinite(); err != nil {
		rec.Threshold = nil // it may be the one
		rec.fail(ctx, err)
		return rec
	}
	r.gradeCase(ctx, rec, c, onGraded)
	if r.Clock != nil {
		elapsed := float64(r.Clock().Sub(start).Microseconds()) / 1000
		rec.DurationMS = &elapsed
	}
	return rec
}

// newRecord is the record of a case before it is run.
func (r Runner) newRecord(suite *rubric.Suite, c *rubric.Case) *Record {
	rec := &Record{
		EvalID: c.ID, Dataset: suite.Name, ConversationID: c.ConversationID,
		Question: c.Question, ExpectedOutcome: c.ExpectedOutcome,
		Target: cmp.Or(r.TargetName, suite.Target), Judge: r.JudgeName, Profile: r.Profile, Threshold: c.Threshold,
		EvalFile: r.EvalFile,
	}
	if !r.SkipFingerprints {
		rec.CaseFingerprint = c.Fingerprint()
	}
	if r.Samples > 1 {
		rec.Samples = r.Samples
	}
	return rec
}

// gradeCase asks the target and has its answer graded, or goes on from an earlier record. It
// tells of each grader.
func (r Runner) gradeCase(ctx context.Context, rec *Record, c *rubric.Case, onGraded func(*GraderRecord)) {
	if r.Measure != nil {
		r.runMetrics(ctx, rec, c, onGraded)
		return
	}
	if c.Unreadable != "" {
		rec.fail(ctx, fmt.Errorf("not run: %s", c.Unreadable))
		return
	}
	earlier := r.earlierRecord(c)
	sub, err := r.submission(ctx, c, earlier)
	rec.TraceSummary = sub.Trace
	if err != nil {
		rec.fail(ctx, fmt.Errorf("the target gave no answer: %w", err))
		return
	}
	rec.CandidateAnswer = sub.Answer
	for i, g := range grade.GradersOf(c) {
		var graderRecord GraderRecord
		ports := r.ports()
		asksJudge := ports.NeedsJudgeOrProgram(g)
		var used map[*ReplyRecord]bool
		if earlier != nil && r.Judge != nil {
			used = map[*ReplyRecord]bool{}
			ports.Judge = earlier.Graders[i].judgeWithReplies(r.Judge, used)
		}
		if earlier != nil && earlier.canReuseGrader(i, asksJudge) {
			graderRecord = rescoreGraders(earlier.Graders[i:i+1], r.Profile)[0] // no record holds a score unrounded
		} else {
			graderRecord = newGraderRecord(grade.Grade(ctx, ports, c, g, sub))
			// Who was asked when the run was stopped may not have been heard out, whatever came of it.
			graderRecord.Unreachable = graderRecord.Unreachable || asksJudge && ctx.Err() != nil
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

// ports are what graders need from outside.
func (r Runner) ports() grade.Ports {
	return grade.Ports{Judge: r.Judge, Exec: r.Exec, Sandbox: r.Sandbox, Schema: r.Schema, Profile: r.Profile, Timeout: r.Timeout, Samples: max(1, r.Samples) * max(1, r.Seats), PanelSize: r.Seats}
}

// submission is what the target said in an earlier run, as far as the record of it goes, or
// else says now. It may panic.
func (r Runner) submission(ctx context.Context, c *rubric.Case, earlier *Record) (sub grade.Submission, err error) {
	if earlier != nil {
		return grade.Submission{Answer: earlier.CandidateAnswer, Trace: earlier.TraceSummary}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	if r.Target == nil {
		return sub, errNoTarget
	}
	return r.Target(ctx, c)
}
