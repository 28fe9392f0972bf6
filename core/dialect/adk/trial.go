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

// Trial is the cases of an evalset with the conversations that are to be
// measured, and by what.
type Trial struct {
	Suite    *rubric.Suite // the cases, as every report names them
	Criteria []metric.Criterion
	Problems []string // recorded conversations that are no case's
}

// tried is what is kept of a case: what it is in the set, and each conversation that
// was recorded of it; nil if they are its own.
type tried struct {
	own   Case
	runs  []RecordedCase
	unset bool // there is no evalset: a run says itself what was expected
}

// Self names who had the conversations that a set holds itself.
const Self = "self (expected conversation)"

// itself is why a conversation that is measured alone is compared with nothing.
const itself = "this is the expected conversation itself, which there is nothing to compare with; name a recorded one"

// Trial sets recorded conversations beside the set's own, by the ids of cases.
// Several of one case are as many runs of it. Without any recording the set's own
// conversations are what is measured, and compared with nothing.
func (s Set) Trial(criteria []metric.Criterion, recorded ...Recording) Trial {
	t := Trial{Suite: s.Suite(), Criteria: criteria}
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
		t.Suite.Cases = append(t.Suite.Cases, own.Try(criteria, runs))
	}
	for _, id := range ids {
		delete(byID, id)
	}
	t.Problems = Strays(slices.Collect(maps.Keys(byID)), ids)
	return t
}

// Suite is the set without its cases.
func (s Set) Suite() *rubric.Suite {
	return &rubric.Suite{Dialect: Name, Name: s.ID, Description: s.Description}
}

// Try is the case as [Set.Trial] has it: to be measured by some criteria on the
// conversations that were recorded of it, or where those are nil on its own.
func (c Case) Try(criteria []metric.Criterion, runs []RecordedCase) *rubric.Case {
	return (&tried{own: c, runs: runs}).on(c.domain(), criteria)
}

// Strays says which conversations are recorded, by their ids, though no case has one
// of those.
func Strays(left, ids []string) (problems []string) {
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

// Trial measures recorded conversations again, without the evalset: against what
// the recording says was expected. Several of one case are as many runs of it.
func (r Recording) Trial(criteria []metric.Criterion) Trial {
	t := Trial{Suite: r.Suite(), Criteria: criteria}
	runs := map[string][]RecordedCase{}
	for _, c := range r.Cases {
		runs[c.ID] = append(runs[c.ID], c)
	}
	for _, c := range r.Cases {
		if of := runs[c.ID]; of != nil {
			t.Suite.Cases = append(t.Suite.Cases, TryAgain(criteria, of))
			delete(runs, c.ID)
		}
	}
	return t
}

// Suite is the recording without its cases.
func (r Recording) Suite() *rubric.Suite { return &rubric.Suite{Dialect: Name, Name: r.SetID} }

// TryAgain is a case as [Recording.Trial] has it, of which some runs are recorded, at
// least one.
func TryAgain(criteria []metric.Criterion, runs []RecordedCase) *rubric.Case {
	first := runs[0]
	shown := first.Expected
	if shown == nil {
		shown = first.Actual
	}
	c := domainCase(first.ID, shown)
	c.Span, c.IDSpan, c.Head = first.Span, first.IDSpan, first.IDSpan
	if c.Head.Empty() {
		c.Head = c.Span
	}
	return (&tried{runs: runs, unset: true}).on(c, criteria)
}

// on has a case keep this.
func (of *tried) on(c *rubric.Case, criteria []metric.Criterion) *rubric.Case {
	rubrics, runs := of.measured()
	c.Kept, c.Beyond = of, rubric.Digest([]any{rubrics, runs, fmt.Sprint(criteria)})
	return c
}

// Sampled is the trial with a judge that is asked everything so many times, instead
// of as often as the criteria say.
func (t Trial) Sampled(times int) Trial {
	t.Criteria = slices.Clone(t.Criteria)
	for i := range t.Criteria {
		t.Criteria[i].Judge.Samples = times
	}
	return t
}

// Measure measures one of the trial's cases. An error says that there is no
// conversation to measure.
func (t Trial) Measure(ports metric.Ports) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
	return func(ctx context.Context, c *rubric.Case) (metric.CaseResult, error) {
		rubrics, conversations := kept(c).measured()
		if len(conversations) == 0 {
			return metric.CaseResult{}, fmt.Errorf("no conversation of the case `%s` is recorded", c.ID)
		}
		var runs []metric.CaseResult
		before := 0
		for _, run := range conversations {
			run.Before, before = before, before+len(run.Actual)
			runs = append(runs, metric.EvaluateCase(ctx, ports, t.Criteria, rubrics, run))
		}
		return metric.PoolRuns(runs), nil
	}
}

// kept is what is kept of a trial's case.
func kept(c *rubric.Case) *tried {
	of, is := c.Kept.(*tried)
	if !is {
		return &tried{unset: true}
	}
	return of
}

// measured is what the case is measured by, and on.
func (of *tried) measured() (rubrics []metric.Rubric, runs []metric.Conversation) {
	own := of.own
	if of.runs == nil && own.Conversation != nil {
		return own.Rubrics, []metric.Conversation{{Actual: own.Conversation, Alone: itself}}
	}
	for _, r := range of.runs {
		run := r.Conversation
		if !of.unset {
			run = metric.Conversation{Actual: run.Actual, Expected: own.Conversation, Scenario: own.Scenario}
		}
		runs = append(runs, run)
	}
	return own.Rubrics, runs
}

// Conversation is what is measured of a case, all its runs one after the other.
func (t Trial) Conversation(c *rubric.Case) metric.Conversation {
	var all metric.Conversation
	_, runs := kept(c).measured()
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
		if run, has := c.recorded(); has {
			r.Cases = append(r.Cases, run)
		}
	}
	return r
}
