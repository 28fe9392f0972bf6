package metric

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
)

// Scenario is the task of a simulated user.
type Scenario struct {
	StartingPrompt string   // the user's first message
	Plan           string   // the user's goal and how to pursue it
	Persona        *Persona `json:",omitempty"` // how the user behaves; nil if the file does not say
}

// DefaultStopSignal is what a simulated user says at the end.
const DefaultStopSignal = "</finished>"

const (
	userRule = "Decide whether what a simulated user says next keeps to the plan of its conversation: it goes after what the " +
		"plan is after, at the right time, and makes nothing up that speaks against the plan. It says the stop signal, and only " +
		"that, when the plan is done or cannot go on, and not before."
	userForm = "Reply with one JSON object and nothing around it:\n" +
		`{"reasoning": "one or two sentences", "is_valid": true or false}`
	userID = "keeps_to_the_plan"
	stopID = "may_end_here"
)

var userSchema = json.RawMessage(`{"type":"object","properties":{"reasoning":{"type":"string"},"is_valid":{"type":"boolean"}},"required":["reasoning","is_valid"],"additionalProperties":false}`)

// measureUser is 1 for a turn in which the simulated user follows its scenario: in the first turn
// by exact wording, later by a judge's vote. The last turn also fails if the conversation should
// not have ended there.
func measureUser(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	if e.conversation.Scenario == nil {
		return InvocationResult{}, unusableError("there is no conversation scenario to follow")
	}
	var r InvocationResult
	var err error
	if t.index > 0 {
		r, err = e.judgeUserTurn(ctx, e.conversation.Actual[:t.index], t.actual.userText(), userID)
	} else if t.actual.User == nil {
		r.Reason = "the user's message is missing"
	} else {
		r.Score = new(0.0)
		if strings.TrimSpace(t.actual.userText()) == strings.TrimSpace(e.conversation.Scenario.StartingPrompt) {
			r.Score = new(1.0)
		}
	}
	if err != nil || t.index+1 < len(e.conversation.Actual) {
		return r, err
	}
	stop, err := e.judgeUserTurn(ctx, e.conversation.Actual, e.stopSignal(), stopID)
	if err == nil && slices.ContainsFunc(stop.Replies, isOffline) {
		return stop, nil
	}
	if err == nil && StatusOf(stop.Score, e.criterion.Threshold) == Failed {
		stop.Reason = "the conversation should not have ended here"
		return stop, nil
	}
	return r, err
}

func (e evaluation) stopSignal() string { return cmp.Or(e.criterion.StopSignal, DefaultStopSignal) }

// judgeUserTurn asks whether the user may say this after the conversation so far.
func (e evaluation) judgeUserTurn(ctx context.Context, before []Invocation, says, id string) (InvocationResult, error) {
	q := judge.Question{
		System: examinerRole + "\n\n" + userRule + "\n\n" + userForm,
		User: grade.Sections("Plan of the conversation", e.conversation.Scenario.Plan, "Persona of the user, and signs that it is not kept", e.conversation.Scenario.Persona.Describe(true), "Stop signal", e.stopSignal(),
			"So far", transcript(before), "The user says next", says),
		Schema: userSchema,
		Brief:  judge.Brief{Question: e.conversation.Scenario.Plan, Submission: says, Items: []judge.Item{{ID: id, Text: e.conversation.Scenario.Plan}}},
	}
	return e.voteOnLabel(ctx, q, id, userLabel)
}

func transcript(turns []Invocation) string {
	var lines []string
	for _, t := range turns {
		lines = append(lines, "user: "+t.userText())
		if answer, ok := t.Answer(false); ok {
			lines = append(lines, "agent: "+answer)
		}
	}
	return strings.Join(lines, "\n\n")
}

// sumPassed sets the score to the share of turns that passed; all others count as 0.
func sumPassed(r *Result) {
	if len(r.Invocations) == 0 {
		return
	}
	sum := 0.0
	for _, t := range r.Invocations {
		if t.Status == Passed {
			sum += *t.Score
		}
	}
	r.Score = new(sum / float64(len(r.Invocations)))
}
