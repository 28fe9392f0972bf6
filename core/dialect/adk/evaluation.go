package adk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// Evaluation is a set of cases with the conversations to measure and the criteria.
type Evaluation struct {
	Suite    *rubric.Suite // the cases in the domain model, for reports
	Criteria []metric.Criterion
	Problems []string // recorded conversations that belong to no case

	asksAgent bool
	user      Simulator // plays the users of scenarios if asksAgent is set
}

// caseRuns is the dialect's data of a case: the case in the set, and its recorded conversations.
// runs is nil if the case's own conversation is measured.
type caseRuns struct {
	own      Case
	runs     []RecordedCase
	stale    string           // why a run cannot be measured, or ""
	hasNoSet bool             // there is no evalset; each run contains the expected conversation
	recorded *metric.Recorded // held with an agent, and reused; see [Evaluation.Reuse]
}

// SelfTarget is the target's name for conversations from the evalset itself.
const SelfTarget = "self (expected conversation)"

// selfReason explains why a conversation that is measured alone has no comparison.
const selfReason = "this is the expected conversation itself, so there is nothing to compare it with; name a recorded conversation"

// Evaluation matches recorded conversations with the set's cases by id. Several recordings of one
// case are several runs of it. Without recordings, the set's own conversations are measured,
// and metrics that compare are not evaluated.
func (s Set) Evaluation(criteria []metric.Criterion, recorded ...Recording) Evaluation {
	e := Evaluation{Suite: &rubric.Suite{Dialect: Name, Name: s.ID, Description: s.Description}, Criteria: criteria}
	byID := map[string][]RecordedCase{}
	for _, r := range recorded {
		for _, c := range r.Cases {
			byID[c.ID] = append(byID[c.ID], c)
		}
	}
	for _, own := range s.Cases {
		var runs []RecordedCase
		if len(recorded) > 0 {
			runs = append([]RecordedCase{}, byID[own.ID]...)
		}
		e.Suite.Cases = append(e.Suite.Cases, own.forEvaluation(s.ID, criteria, runs))
	}
	ids := e.Suite.CaseIDs()
	for _, id := range ids {
		delete(byID, id)
	}
	e.Problems = unmatchedRecordings(slices.Collect(maps.Keys(byID)), ids)
	return e
}

// forEvaluation returns the case of a set as part of [Set.Evaluation]. It is measured on runs, or on
// its own conversation if runs is nil.
func (c Case) forEvaluation(setID string, criteria []metric.Criterion, runs []RecordedCase) *rubric.Case {
	cr := &caseRuns{own: c, runs: runs}
	for _, r := range runs {
		cr.stale = cmp.Or(cr.stale, c.staleReason(setID, r))
	}
	return cr.attach(c.toDomain(), criteria)
}

// staleReason returns why a recording with the id of c is not one of c or not readable, or "".
func (c Case) staleReason(setID string, r RecordedCase) string {
	if r.fault != "" {
		return r.fault
	}
	if setID != "" && r.SetID != "" && r.SetID != setID {
		return fmt.Sprintf("is stale: it belongs to the eval set `%s`, not `%s`", r.SetID, setID)
	}
	expected := c.Conversation
	if c.Scenario != nil && len(expected) == 0 { // see [Evaluation.WithExamples]
		expected = []metric.Invocation{c.firstTurn()}
	}
	for i := range min(len(expected), len(r.Actual)) {
		asked, _ := r.Actual[i].User.Text()
		asks, _ := expected[i].User.Text()
		if asked, asks = strings.TrimSpace(asked), strings.TrimSpace(asks); asked != asks && asked != "" {
			return fmt.Sprintf("is stale: its turn %d asks `%s`, not `%s`", i+1, excerpt.Shorten(asked, 60), excerpt.Shorten(asks, 60))
		}
	}
	return ""
}

// unmatchedRecordings returns a message for each id in left, the recorded conversations without a
// case. ids are the cases' ids, for suggestions.
func unmatchedRecordings(left, ids []string) (problems []string) {
	const maxMessages = 5 // messages before the rest is only counted
	slices.Sort(left)
	for n, id := range left {
		if n == maxMessages {
			return append(problems, fmt.Sprintf("%d more recorded conversations belong to no case", len(left)-maxMessages))
		}
		problems = append(problems, fmt.Sprintf("the conversation `%s` is recorded, but no case has that id%s", id, spell.DidYouMean(id, ids)))
	}
	return problems
}

// Evaluation measures recorded conversations without an evalset, against the expected conversation
// in the recording. Several recordings of one case are several runs of it.
func (r Recording) Evaluation(criteria []metric.Criterion) Evaluation {
	e := Evaluation{Suite: &rubric.Suite{Dialect: Name, Name: r.SetID}, Criteria: criteria}
	runs := map[string][]RecordedCase{}
	for _, c := range r.Cases {
		runs[c.ID] = append(runs[c.ID], c)
	}
	for _, c := range r.Cases {
		if recorded := runs[c.ID]; recorded != nil {
			e.Suite.Cases = append(e.Suite.Cases, evaluationCase(criteria, recorded))
			delete(runs, c.ID)
		}
	}
	return e
}

// evaluationCase returns a case as part of [Recording.Evaluation]. runs must not be empty.
func evaluationCase(criteria []metric.Criterion, runs []RecordedCase) *rubric.Case {
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

// WithExamples returns the evaluation of example answers in place of recorded ones: a case for each
// example, with only the last turn of its case and this answer to it. Only metrics with rubrics apply.
func (e Evaluation) WithExamples(examples []rubric.Example) Evaluation {
	suite := *e.Suite
	suite.Cases = nil
	out := Evaluation{Suite: &suite}
	for _, c := range e.Criteria {
		if RubricTypeForMetric(c.Metric) != "" {
			out.Criteria = append(out.Criteria, c)
		}
	}
	for _, example := range examples {
		c := e.Suite.Case(example.Case)
		if c == nil {
			continue
		}
		own := runsOf(c).own
		_, runs := runsOf(c).inputs()
		if len(own.Conversation) == 0 && len(runs) > 0 { // the case is only recorded
			own.Conversation = runs[0].Actual
		}
		own.ID, own.Conversation = example.Case+" "+example.Name(), own.Conversation[max(0, len(own.Conversation)-1):]
		answered := slices.Clone(own.Conversation)
		for i := range answered {
			answered[i].Rubrics = nil // those of the case apply
			answered[i].Final = &metric.Content{Role: "model", Parts: []metric.Part{{Text: example.Answer}}}
		}
		recorded := RecordedCase{ID: own.ID, Conversation: metric.Conversation{Actual: answered}}
		suite.Cases = append(suite.Cases, own.forEvaluation("", out.Criteria, []RecordedCase{recorded}))
	}
	return out
}

// attach stores the runs in a case. What an agent did is no part of the case's definition.
func (cr *caseRuns) attach(c *rubric.Case, criteria []metric.Criterion) *rubric.Case {
	definition := []any{cr.own.Rubrics, cr.own.Conversation, cr.own.Scenario, fmt.Sprint(criteria)}
	var actual [][]metric.Invocation
	for _, r := range cr.runs {
		actual = append(actual, r.Actual)
	}
	if cr.hasNoSet {
		definition = append(definition, cr.runs[0].Expected)
	}
	c.DialectData, c.Beyond = cr, rubric.Digest(definition)
	if cr.runs != nil {
		c.Beyond += "-" + rubric.Digest(actual)
	}
	return c
}

// MeasureSamples is [Evaluation.Measure], asking judges samples times. 0 means as configured.
func (e Evaluation) MeasureSamples(ports metric.Ports, samples int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
	if samples > 0 {
		e.Criteria = slices.Clone(e.Criteria)
		for i := range e.Criteria {
			e.Criteria[i].Judge.Samples = samples
		}
	}
	return e.Measure(ports)
}

// Measure returns a function that measures one case. The function returns an error if the case has
// no recorded conversation, or one of another set or with other questions.
func (e Evaluation) Measure(ports metric.Ports) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
	return func(ctx context.Context, c *rubric.Case) (metric.CaseResult, error) {
		if e.asksAgent {
			return e.measureAgent(ctx, ports, c)
		}
		return e.measureRuns(ctx, ports, c.ID, runsOf(c))
	}
}

// measureRuns measures the recorded conversations of a case.
func (e Evaluation) measureRuns(ctx context.Context, ports metric.Ports, id string, cr *caseRuns) (metric.CaseResult, error) {
	if why := cr.stale; why != "" {
		return metric.CaseResult{}, fmt.Errorf("the recorded conversation of the case `%s` %s; record it again", id, why)
	}
	rubrics, conversations := cr.inputs()
	if len(conversations) == 0 && cr.own.Scenario != nil {
		return metric.CaseResult{}, fmt.Errorf("no conversation of the case `%s` is recorded; its user is simulated when a running agent is the target, as in `adk:http://localhost:8000`", id)
	}
	if len(conversations) == 0 {
		return metric.CaseResult{}, fmt.Errorf("no conversation of the case `%s` is recorded", id)
	}
	var runs []metric.CaseResult
	var turns []metric.Invocation
	before := 0
	for _, run := range conversations {
		turns = append(turns, run.Actual...)
		run.PriorTurns, before = before, before+len(run.Actual)
		runs = append(runs, metric.EvaluateCase(ctx, ports, e.Criteria, rubrics, run))
	}
	result := metric.PoolRuns(runs)
	if cr.runs != nil {
		result.Informational = metric.Measure(turns)
	}
	return result, nil
}

// runsOf returns the runs stored in a case.
func runsOf(c *rubric.Case) *caseRuns {
	if cr, ok := c.DialectData.(*caseRuns); ok {
		return cr
	}
	return &caseRuns{hasNoSet: true}
}

// inputs returns the rubrics and conversations to measure.
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
		run.Actual = withoutCopies(run.Actual, own.Rubrics, run.Expected)
		runs = append(runs, run)
	}
	return own.Rubrics, runs
}

// withoutCopies returns recorded turns without the rubrics of their case and of the expected turns, which ADK adds to
// them before it saves them.
func withoutCopies(recorded []metric.Invocation, ofCase []metric.Rubric, expected []metric.Invocation) []metric.Invocation {
	recorded = slices.Clone(recorded)
	for i := range recorded {
		known := slices.Clone(ofCase)
		if i < len(expected) {
			known = append(known, expected[i].Rubrics...)
		}
		isKnown := func(own metric.Rubric) bool {
			return slices.ContainsFunc(known, func(r metric.Rubric) bool { return r.ID == own.ID })
		}
		recorded[i].Rubrics = slices.DeleteFunc(slices.Clone(recorded[i].Rubrics), isKnown)
	}
	return recorded
}

// Conversation returns the conversation of a case, with all runs joined.
func (e Evaluation) Conversation(c *rubric.Case) metric.Conversation {
	if e.asksAgent { // the record has what the agent did
		return metric.Conversation{Expected: runsOf(c).own.Conversation, Scenario: runsOf(c).own.Scenario}
	}
	_, runs := runsOf(c).inputs()
	if len(runs) == 0 {
		return metric.Conversation{}
	}
	all := runs[0]
	for _, run := range runs[1:] {
		all.Actual = append(slices.Clip(all.Actual), run.Actual...)
		all.Expected = append(slices.Clip(all.Expected), run.Expected...)
	}
	return all
}

// Recording returns the set's own conversations as a recording, because an evalset may hold an
// agent's actual conversations.
func (s Set) Recording() Recording {
	r := Recording{SetID: s.ID, Refused: s.Refused}
	for _, c := range s.Cases {
		if run, has := c.asRecorded(); has {
			r.Cases = append(r.Cases, run)
		}
	}
	return r
}

// toDomain converts the case to the domain model.
func (c Case) toDomain() *rubric.Case {
	d := newDomainCase(c.ID, c.Conversation)
	if c.Scenario != nil {
		d.Question = c.Scenario.StartingPrompt
	}
	d.Span, d.IDSpan, d.SelectionSpan = c.Span, c.IDSpan, SelectionSpan(c.IDSpan, c.Span)
	return d
}

// SelectionSpan returns the short span that editors highlight for a case: its id, or its first
// character.
func SelectionSpan(id, whole text.Span) text.Span {
	if id.Len() > 0 {
		return id
	}
	return text.Span{Start: whole.Start, End: min(whole.Start+1, whole.End)}
}

// newDomainCase returns a case with the user's messages and the final answers of a conversation.
func newDomainCase(id string, turns []metric.Invocation) *rubric.Case {
	var questions []string
	for _, t := range turns {
		if question, _ := t.User.Text(); question != "" {
			questions = append(questions, question)
		}
	}
	return &rubric.Case{ID: id, Question: strings.Join(questions, "\n\n"), ReferenceAnswer: metric.FinalAnswers(turns)}
}
