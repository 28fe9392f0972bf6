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
	Target     Target
	TargetName string // as records show it; the suite's own target by default
	Judge      judge.Judge
	JudgeName  string
	Exec       grade.Exec
	Sandbox    grade.Exec // of graders that are WebAssembly
	Schema     grade.Schema
	Profile    score.Profile // Spec by default
	Timeout    time.Duration // the most time for a grader that computes and asks nobody; 0 means no limit
	Workers    int           // cases at a time; 1 by default
	Samples    int           // judgements per criterion and seat; 1 by default
	Seats      int           // of Judge, if it is a panel; 1 by default
	EvalFile   string        // as records show it
	Brief      bool          // of its events there are those of Done alone
	Fleeting   bool          // no record outlasts the run: none says what its case meant
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
	Stage  Stage
	Index  int // of the case among those run, from 0
	Total  int // cases to run
	Case   *rubric.Case
	Grader *GraderRecord // of Graded
	Record *Record       // of Done
	More   bool          // of Done: the next record is there already
}

// Only keeps the cases whose id is one of patterns or matches one as a file's
// name does: `*` stands for any letters but `/`, `?` for one. Without patterns
// it keeps all.
func Only(patterns ...string) func(*rubric.Case) bool {
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
		events, slots := r.start(ctx, suite, cases, total)
		defer func() {
			cancel()
			for range events {
			}
		}()
		waiting := map[int]Event{} // done, and due after one that is not
		next := 0
		take := func(e Event) bool {
			if e.Stage != Done {
				return yield(e)
			}
			waiting[e.Index] = e
			return true
		}
		for e := range events {
			if !take(e) {
				return
			}
			for due, ok := waiting[next]; ok; due, ok = waiting[next] {
				delete(waiting, next)
				next++
				<-slots
				if !all(events, take) {
					return
				}
				if _, due.More = waiting[next]; !yield(due) {
					return
				}
			}
		}
	}
}

// all takes the events that are there already, until it is not to take another.
func all(events <-chan Event, take func(Event) bool) bool {
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return true
			}
			if !take(e) {
				return false
			}
		default:
			return true
		}
	}
}

// start puts the workers to work. A case takes a slot from its start until its
// record is delivered, so that one slow case cannot make the others pile up.
func (r Runner) start(ctx context.Context, suite *rubric.Suite, cases iter.Seq[*rubric.Case], total int) (events chan Event, slots chan struct{}) {
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
					r.run(ctx, suite, e, events)
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

// run takes one case from its target to its record, as events.
func (r Runner) run(ctx context.Context, suite *rubric.Suite, e Event, events chan<- Event) {
	tell := func(stage Stage, g *GraderRecord) {
		if !r.Brief {
			events <- Event{Stage: stage, Index: e.Index, Total: e.Total, Case: e.Case, Grader: g}
		}
	}
	tell(Started, nil)
	e.Record = r.Case(ctx, suite, e.Case, func(g *GraderRecord) { tell(Graded, g) })
	e.Stage = Done
	events <- e
}

// Case takes one case from its target to its record, and tells of each grader on
// the way.
func (r Runner) Case(ctx context.Context, suite *rubric.Suite, c *rubric.Case, tell func(*GraderRecord)) *Record {
	if r.Profile == "" {
		r.Profile = score.Spec
	}
	rec := r.blank(suite, c)
	var began time.Time
	if r.Clock != nil {
		began = r.Clock()
		rec.Timestamp = began.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	if err := c.Finite(); err != nil {
		rec.Threshold = nil // it may be the one
		rec.fail(ctx, err)
		return rec
	}
	r.fill(ctx, rec, c, tell)
	if r.Clock != nil {
		took := float64(r.Clock().Sub(began).Microseconds()) / 1000
		rec.DurationMS = &took
	}
	return rec
}

// blank is the record of a case before it is run.
func (r Runner) blank(suite *rubric.Suite, c *rubric.Case) *Record {
	rec := &Record{
		EvalID: c.ID, Dataset: suite.Name, ConversationID: c.ConversationID,
		Question: c.Question, ExpectedOutcome: c.ExpectedOutcome,
		Target: cmp.Or(r.TargetName, suite.Target), Judge: r.JudgeName, Profile: r.Profile, Threshold: c.Threshold,
		EvalFile: r.EvalFile,
	}
	if !r.Fleeting {
		rec.CaseFingerprint = c.Fingerprint()
	}
	if r.Samples > 1 {
		rec.Samples = r.Samples
	}
	return rec
}

// fill asks the target and has its answer graded, or goes on from an earlier record. It
// tells of each grader.
func (r Runner) fill(ctx context.Context, rec *Record, c *rubric.Case, tell func(*GraderRecord)) {
	if r.Measure != nil {
		r.measure(ctx, rec, c, tell)
		return
	}
	if c.Unreadable != "" {
		rec.fail(ctx, fmt.Errorf("not run: %s", c.Unreadable))
		return
	}
	was := r.again(c)
	sub, err := r.answer(ctx, c, was)
	rec.TraceSummary = sub.Trace
	if err != nil {
		rec.fail(ctx, fmt.Errorf("the target gave no answer: %w", err))
		return
	}
	rec.CandidateAnswer = sub.Answer
	for i, g := range grade.Graders(c) {
		var graded GraderRecord
		ports := r.ports()
		asks := ports.Asks(g)
		var given map[*ReplyRecord]bool
		if was != nil && r.Judge != nil {
			given = map[*ReplyRecord]bool{}
			ports.Judge = was.Graders[i].remembered(r.Judge, given)
		}
		if was != nil && was.stands(i, asks) {
			graded = rescored(was.Graders[i:i+1], r.Profile)[0] // no record holds a score unrounded
		} else {
			graded = recordOf(grade.Grade(ctx, ports, c, g, sub))
			// Who was asked when the run was stopped may not have been heard out, whatever came of it.
			graded.Unreachable = graded.Unreachable || asks && ctx.Err() != nil
			if was != nil {
				graded.heard(&was.Graders[i], given)
			}
		}
		rec.Graders = append(rec.Graders, graded)
		tell(&graded)
	}
	rec.combine()
	if ctx.Err() != nil {
		rec.fail(ctx, ctx.Err())
	}
}

// ports are what graders need from outside.
func (r Runner) ports() grade.Ports {
	return grade.Ports{Judge: r.Judge, Exec: r.Exec, Sandbox: r.Sandbox, Schema: r.Schema, Profile: r.Profile, Timeout: r.Timeout, Samples: max(1, r.Samples) * max(1, r.Seats), Seats: r.Seats}
}

// answer is what the target said in an earlier run, as far as the record of it goes, or
// else says now. It may panic.
func (r Runner) answer(ctx context.Context, c *rubric.Case, was *Record) (sub grade.Submission, err error) {
	if was != nil {
		return grade.Submission{Answer: was.CandidateAnswer, Trace: was.TraceSummary}, nil
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
