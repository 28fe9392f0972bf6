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

	cases map[*rubric.Case]*tried
}

// tried is one case, and each conversation that was recorded of it; nil if they are
// its own.
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
	t := Trial{Criteria: criteria, cases: map[*rubric.Case]*tried{}}
	byID := map[string][]RecordedCase{}
	for _, r := range recorded {
		for _, c := range r.Cases {
			byID[c.ID] = append(byID[c.ID], c)
		}
	}
	ids := make([]string, len(s.Cases))
	t.Suite = &rubric.Suite{Dialect: Name, Name: s.ID, Description: s.Description}
	for i, own := range s.Cases {
		of := &tried{own: own}
		if len(recorded) > 0 {
			of.runs = append([]RecordedCase{}, byID[own.ID]...)
		}
		ids[i] = own.ID
		c := own.domain()
		t.Suite.Cases = append(t.Suite.Cases, c)
		t.add(c, of)
	}
	for _, id := range ids {
		delete(byID, id)
	}
	t.Problems = strays(byID, ids)
	return t
}

// strays says which recorded conversations are no case's.
func strays(left map[string][]RecordedCase, ids []string) (problems []string) {
	const most = 5 // of which the nearest id is looked for
	for n, id := range slices.Sorted(maps.Keys(left)) {
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
	t := Trial{Suite: &rubric.Suite{Dialect: Name, Name: r.SetID}, Criteria: criteria, cases: map[*rubric.Case]*tried{}}
	known := map[string]*rubric.Case{}
	for _, own := range r.Cases {
		c := known[own.ID]
		if c == nil {
			shown := own.Expected
			if shown == nil {
				shown = own.Actual
			}
			c = domainCase(own.ID, shown)
			c.Span, c.IDSpan, c.Head = own.Span, own.IDSpan, own.IDSpan
			if c.Head.Empty() {
				c.Head = c.Span
			}
			known[own.ID], t.cases[c] = c, &tried{unset: true}
			t.Suite.Cases = append(t.Suite.Cases, c)
		}
		t.cases[c].runs = append(t.cases[c].runs, own)
	}
	for _, c := range t.Suite.Cases {
		t.add(c, t.cases[c])
	}
	return t
}

func (t *Trial) add(c *rubric.Case, with *tried) {
	t.cases[c] = with
	rubrics, runs := t.measured(c)
	c.Beyond = rubric.Digest([]any{rubrics, runs, fmt.Sprint(t.Criteria)})
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
		rubrics, conversations := t.measured(c)
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

// measured is what a case is measured by, and on.
func (t Trial) measured(c *rubric.Case) (rubrics []metric.Rubric, runs []metric.Conversation) {
	of := t.cases[c]
	if of == nil {
		return nil, nil
	}
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
	_, runs := t.measured(c)
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
		if c.Conversation != nil {
			r.Cases = append(r.Cases, RecordedCase{ID: c.ID, Conversation: metric.Conversation{Actual: c.Conversation}, Span: c.Span, IDSpan: c.IDSpan})
		}
	}
	return r
}
