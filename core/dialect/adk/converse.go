package adk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ForAgent returns the evaluation of an evalset for conversations that an agent holds during the run,
// instead of recorded ones. A model plays the users of scenarios.
func (e Evaluation) ForAgent(user Simulator) Evaluation {
	e.user, e.asksAgent = user, true
	suite := *e.Suite
	suite.Cases = slices.Clone(suite.Cases)
	for i, c := range suite.Cases {
		asked := *c
		own := runsOf(c).own
		with := []any{own.Session}
		if own.Scenario != nil {
			with = append(with, user)
		}
		asked.Beyond += "--" + rubric.Digest(with)
		suite.Cases[i] = &asked
	}
	e.Suite = &suite
	return e
}

// AsksAgent reports whether an agent holds the conversations; see [Evaluation.ForAgent].
func (e Evaluation) AsksAgent() bool { return e.asksAgent }

// SimulatedUser returns who plays the users of scenarios with an agent, or nil if no case has one.
func (e Evaluation) SimulatedUser() *metric.SimulatedUser {
	if !e.asksAgent || !slices.ContainsFunc(e.Suite.Cases, func(c *rubric.Case) bool { return runsOf(c).own.Scenario != nil }) {
		return nil
	}
	return &metric.SimulatedUser{Judge: e.user.JudgeName(), Limit: e.user.limit()}
}

// Reuse returns a case with the conversation that an earlier run recorded, so that no agent is asked.
func (e Evaluation) Reuse(c *rubric.Case, recorded *metric.Recorded) *rubric.Case {
	reused, cr := *c, *runsOf(c)
	cr.recorded = recorded
	reused.DialectData = &cr
	return &reused
}

// measureAgent measures a case by the conversation that the agent holds, as [Evaluation.measureRuns]
// measures a recorded one.
func (e Evaluation) measureAgent(ctx context.Context, ports metric.Ports, c *rubric.Case) (result metric.CaseResult, err error) {
	cr := *runsOf(c)
	switch {
	case cr.own.hasInvalidTurn:
		return result, errors.New("not run: a turn of its conversation is not an object")
	case cr.recorded != nil:
	case ports.Agent == nil:
		return e.measurePlan(ctx, ports, c)
	default:
		if cr.recorded, err = e.converse(ctx, ports, cr.own); err != nil {
			return result, err
		}
	}
	cr.runs = []RecordedCase{{ID: c.ID, Conversation: metric.Conversation{Actual: ReadTurns(cr.recorded.Invocations)}}}
	cr.stale = cr.own.staleReason("", cr.runs[0])
	result, err = e.measureRuns(ctx, ports, c.ID, &cr)
	result.Recorded = cr.recorded
	return result, err
}

// measurePlan measures a case for a plan, which asks nobody: as if the agent answered as expected. Of a
// simulated conversation, only the first message is known.
func (e Evaluation) measurePlan(ctx context.Context, ports metric.Ports, c *rubric.Case) (metric.CaseResult, error) {
	cr := *runsOf(c)
	actual := cr.own.Conversation
	if cr.own.Scenario != nil {
		actual = []metric.Invocation{cr.own.firstTurn()}
	}
	cr.runs = []RecordedCase{{ID: c.ID, Conversation: metric.Conversation{Actual: actual}}}
	result, err := e.measureRuns(ctx, ports, c.ID, &cr)
	result.Recorded = &metric.Recorded{Invocations: make([]json.RawMessage, len(actual))}
	return result, err
}

// firstTurn returns the first turn of a simulated conversation, with the plan as the answer.
func (c Case) firstTurn() metric.Invocation {
	of := func(text string) *metric.Content { return &metric.Content{Parts: []metric.Part{{Text: text}}} }
	return metric.Invocation{User: of(c.Scenario.StartingPrompt), Final: of(c.Scenario.Plan)}
}

// converse holds the conversation of a case with the agent, turn by turn.
func (e Evaluation) converse(ctx context.Context, ports metric.Ports, own Case) (*metric.Recorded, error) {
	session, err := ports.Agent(ctx, own.Session)
	if err != nil {
		return nil, fmt.Errorf("no session with the agent: %w", err)
	}
	recorded := &metric.Recorded{SessionID: session.ID, UserID: session.User}
	var events []metric.AgentEvent
	for {
		message, err := e.nextMessage(ctx, ports, own, recorded, events)
		if err != nil || message == nil {
			if err == nil && session.Details != nil {
				recorded.Details = session.Details(ctx)
			}
			return recorded, err
		}
		turn, err := session.Ask(ctx, message)
		if err != nil {
			return nil, fmt.Errorf("the agent gave no answer in turn %d: %w", len(recorded.Invocations)+1, err)
		}
		recorded.Invocations = append(recorded.Invocations, turn.Invocation)
		recorded.Usage.Input, recorded.Usage.Output = recorded.Usage.Input+turn.Usage.Input, recorded.Usage.Output+turn.Usage.Output
		recorded.Calls += turn.Calls
		events = append(append(events, metric.AgentEvent{Author: "user", Content: message}), turn.Events...)
	}
}

// nextMessage returns what the user says in a turn, as a content in JSON, or nil at the end.
func (e Evaluation) nextMessage(ctx context.Context, ports metric.Ports, own Case, recorded *metric.Recorded, events []metric.AgentEvent) (json.RawMessage, error) {
	switch turn := len(recorded.Invocations); {
	case own.Scenario != nil:
		return e.user.next(ctx, ports, own.Scenario, recorded, events)
	case turn >= len(own.Conversation):
		return nil, nil
	case len(own.messages) > turn && own.messages[turn] != nil:
		return own.messages[turn], nil
	default:
		return encodeMessage(metric.Content{Role: "user", Parts: generic.OrZero(own.Conversation[turn].User).Parts})
	}
}

func encodeMessage(c metric.Content) (json.RawMessage, error) { return json.Marshal(encodeContent(&c)) }

// HasMedia reports whether messages of the user have more than text.
func (c Case) HasMedia() bool {
	return slices.ContainsFunc(c.messages, func(m json.RawMessage) bool { return m != nil })
}

// readMessages returns the user's messages that have more than text, as they are written.
func readMessages(turns []*yaml.Node) (messages []json.RawMessage) {
	for i, t := range turns {
		user := lookup(t, "user_content")
		hasMore := func(part *yaml.Node) bool {
			return slices.ContainsFunc(part.Entries(), func(p *yaml.Pair) bool { return p.Key.Value != "text" && !p.Value.IsNull() })
		}
		if !slices.ContainsFunc(lookup(user, "parts").List(), hasMore) {
			continue
		}
		if messages == nil {
			messages = make([]json.RawMessage, len(turns))
		}
		messages[i] = encodeNode(user)
	}
	return messages
}

// encodeNode returns a value as JSON with exact numbers, or nil if there is none.
func encodeNode(n *yaml.Node) json.RawMessage {
	if n.IsNull() {
		return nil
	}
	encoded, _ := json.Marshal(n.Exact()) // exact numbers are valid JSON
	return encoded
}

// ReadTurns reads turns in the form of evalsets and result files, each as a JSON object.
func ReadTurns(turns []json.RawMessage) []metric.Invocation {
	all := []metric.Invocation{}
	for _, t := range turns {
		if tree := yaml.ParseJSON(text.New("turn.json", string(t))); tree != nil {
			all = append(all, readInvocation(tree.Root()))
		}
	}
	return all
}
