package adk

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
)

// Evaluation is the cases of an evalset with the conversations that are to be
// measured, and by what.
type Evaluation struct {
	Suite    *rubric.Suite // the cases, as every report names them
	Criteria []metric.Criterion
	Problems []string // recorded conversations that are no case's
}

// caseRuns is what is kept of a case: what it is in the set, and each conversation that
// was recorded of it; nil if they are its own.
type caseRuns struct {
	own      Case
	runs     []RecordedCase
	hasNoSet bool // there is no evalset: a run says itself what was expected
}

// SelfTarget names who had the conversations that a set holds itself.
const SelfTarget = "self (expected conversation)"

// selfReason is why a conversation that is measured alone is compared with nothing.
const selfReason = "this is the expected conversation itself, which there is nothing to compare with; name a recorded one"

// Evaluation sets recorded conversations beside the set's own, by the ids of cases.
// Several of one case are as many runs of it. Without any recording the set's own
// conversations are what is measured, and compared with nothing.
func (s Set) Evaluation(criteria []metric.Criterion, recorded ...Recording) Evaluation {
	e := Evaluation{Suite: s.Suite(), Criteria: criteria}
	byID := map[string][]RecordedCase{}
	for _, r := range recorded {
		for _, c := range r.Cases {
			byID[c.ID] = append(byID[c.ID], c)
		}
	}
	ids := make([]string, len(s.Cases))
	for i, own := range s.Cases {
		var runs []RecordedCase
		if len(recorded) > 0 {
			runs = append([]RecordedCase{}, byID[own.ID]...)
		}
		ids[i] = own.ID
		e.Suite.Cases = append(e.Suite.Cases, own.ForEvaluation(criteria, runs))
	}
	for _, id := range ids {
		delete(byID, id)
	}
	e.Problems = UnmatchedRecordings(slices.Collect(maps.Keys(byID)), ids)
	return e
}

// Suite is the set without its cases.
func (s Set) Suite() *rubric.Suite {
	return &rubric.Suite{Dialect: Name, Name: s.ID, Description: s.Description}
}

// ForEvaluation is the case as [Set.Trial] has it: to be measured by some criteria on the
// conversations that were recorded of it, or where those are nil on its own.
func (c Case) ForEvaluation(criteria []metric.Criterion, runs []RecordedCase) *rubric.Case {
	return (&caseRuns{own: c, runs: runs}).attach(c.toDomain(), criteria)
}

// UnmatchedRecordings says which conversations are recorded, by their ids, though no case has one
// of those.
func UnmatchedRecordings(left, ids []string) (problems []string) {
	const most = 5 // of which the nearest id is looked for
	slices.Sort(left)
	for n, id := range left {
		if n == most {
			return append(problems, fmt.Sprintf("and so are %d more", len(left)-most))
		}
		problems = append(problems, fmt.Sprintf("the conversation `%s` is recorded, and no case has that id%s", id, spell.DidYouMean(id, ids)))
	}
	return problems
}

// Evaluation measures recorded conversations again, without the evalset: against what
// the recording says was expected. Several of one case are as many runs of it.
func (r Recording) Evaluation(criteria []metric.Criterion) Evaluation {
	e := Evaluation{Suite: r.Suite(), Criteria: criteria}
	runs := map[string][]RecordedCase{}
	for _, c := range r.Cases {
		runs[c.ID] = append(runs[c.ID], c)
	}
	for _, c := range r.Cases {
		if recorded := runs[c.ID]; recorded != nil {
			e.Suite.Cases = append(e.Suite.Cases, EvaluationCase(criteria, recorded))
			delete(runs, c.ID)
		}
	}
	return e
}

// Suite is the recording without its cases.
func (r Recording) Suite() *rubric.Suite { return &rubric.Suite{Dialect: Name, Name: r.SetID} }

// EvaluationCase is a case as [Recording.Trial] has it, of which some runs are recorded, at
// least one.
func EvaluationCase(criteria []metric.Criterion, runs []RecordedCase) *rubric.Case {
	first := runs[0]
	shown := first.Expected
	if shown == nil {
		shown = first.Actual
	}
	c := newDomainCase(first.ID, shown)
	c.Span, c.IDSpan, c.SelectionSpan = first.Span, first.IDSpan, first.IDSpan
	if c.SelectionSpan.Empty() {
		c.SelectionSpan = c.Span
	}
	return (&caseRuns{runs: runs, hasNoSet: true}).attach(c, criteria)
}

// attach has a case keep this.
func (cr *caseRuns) attach(c *rubric.Case, criteria []metric.Criterion) *rubric.Case {
	rubrics, runs := cr.inputs()
	c.DialectData, c.Beyond = cr, rubric.Digest([]any{rubrics, runs, fmt.Sprint(criteria)})
	return c
}

// WithSamples is the trial with a judge that is asked everything so many times, instead
// of as often as the criteria say.
func (e Evaluation) WithSamples(times int) Evaluation {
	e.Criteria = slices.Clone(e.Criteria)
	for i := range e.Criteria {
		e.Criteria[i].Judge.Samples = times
	}
	return e
}

// Measure measures one of the trial's cases. An error says that there is no
// conversation to measure.
func (e Evaluation) Measure(ports metric.Ports) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
	return func(ctx context.Context, c *rubric.Case) (metric.CaseResult, error) {
		rubrics, conversations := runsOf(c).inputs()
		if len(conversations) == 0 {
			return metric.CaseResult{}, fmt.Errorf("no conversation of the case `%s` is recorded", c.ID)
		}
		var runs []metric.CaseResult
		before := 0
		for _, run := range conversations {
			run.PriorTurns, before = before, before+len(run.Actual)
			runs = append(runs, metric.EvaluateCase(ctx, ports, e.Criteria, rubrics, run))
		}
		return metric.PoolRuns(runs), nil
	}
}

// runsOf is what is kept of a trial's case.
func runsOf(c *rubric.Case) *caseRuns {
	cr, is := c.DialectData.(*caseRuns)
	if !is {
		return &caseRuns{hasNoSet: true}
	}
	return cr
}

// inputs is what the case is measured by, and on.
func (cr *caseRuns) inputs() (rubrics []metric.Rubric, runs []metric.Conversation) {
	own := cr.own
	if cr.runs == nil && own.Conversation != nil {
		return own.Rubrics, []metric.Conversation{{Actual: own.Conversation, NoReferenceReason: selfReason}}
	}
	for _, r := range cr.runs {
		run := r.Conversation
		if !cr.hasNoSet {
			run = metric.Conversation{Actual: run.Actual, Expected: own.Conversation, Scenario: own.Scenario}
		}
		runs = append(runs, run)
	}
	return own.Rubrics, runs
}

// Conversation is what is measured of a case, all its runs one after the other.
func (e Evaluation) Conversation(c *rubric.Case) metric.Conversation {
	var all metric.Conversation
	_, runs := runsOf(c).inputs()
	for i, run := range runs {
		if i == 0 {
			all = run
			continue
		}
		all.Actual = append(slices.Clip(all.Actual), run.Actual...)
		all.Expected = append(slices.Clip(all.Expected), run.Expected...)
	}
	return all
}

// Recording is the set's own conversations as if they were recorded: an evalset
// may hold what an agent did as well as what it should do.
func (s Set) Recording() Recording {
	r := Recording{SetID: s.ID, Losses: s.Losses}
	for _, c := range s.Cases {
		if run, has := c.asRecorded(); has {
			r.Cases = append(r.Cases, run)
		}
	}
	return r
}
