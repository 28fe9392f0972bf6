package metric

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
)

// Conversation is a recorded conversation with an agent, and the expected one.
type Conversation struct {
	Actual            []Invocation
	Expected          []Invocation // turn by turn; nil without a reference
	NoReferenceReason string       // why there is no reference; "" if unknown
	Scenario          *Scenario    // the simulated user's task, if the user was simulated
	PriorTurns        int          `json:"-"` // turns of earlier runs of the same case
}

// Invocation is one turn: the user's message, the agent's answer, and the steps between. A recorded
// run has the steps as Events. An author writes them as the lists ToolUses, ToolResponses and
// IntermediateResponses.
type Invocation struct {
	ID     string
	User   *Content
	Final  *Content // nil without an answer
	Events []Event  // in order

	ToolUses              []ToolCall
	ToolResponses         []ToolResponse
	IntermediateResponses []Event // intermediate answers, without calls

	Rubrics []Rubric
	Agents  []Agent // the agents that took part

	HasEvents bool     `json:"-"` // the recording has a list of events, perhaps an empty one
	Duration  *float64 `json:"-"` // in seconds, or nil
}

// Content is one message or action.
type Content struct {
	Role  string
	Parts []Part
}

// Part is one part of a content: a text, a call or a response.
type Part struct {
	Text     string
	Call     *ToolCall
	Response *ToolResponse
}

// Event is one step of an agent before its answer.
type Event struct {
	Author  string
	Content *Content
	Model   *ModelCall `json:"-"` // nil if no model's call is recorded
}

// ToolCall is one tool call of an agent. Missing Args are nil, which differs from empty ones.
type ToolCall struct {
	ID   string         `json:"id,omitempty"`
	Name string         `json:"name,omitempty"`
	Args map[string]any `json:"args,omitzero"`
}

// ToolResponse is the result of the call with its id.
type ToolResponse struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name,omitempty"`
	Response map[string]any `json:"response,omitzero"`
}

// Agent describes an agent to a judge.
type Agent struct {
	Name         string
	Instructions string
	Tools        []any // declarations, as decoded JSON
}

// Rubric is one property that a turn should have. Type assigns a rubric of a case or a turn to a
// metric: [FinalResponseQuality], [ToolUseQuality] or [WholeTrajectory].
type Rubric struct {
	ID          string
	Text        string
	Description string
	Type        string
}

// Types of rubrics.
const (
	FinalResponseQuality = "FINAL_RESPONSE_QUALITY"
	ToolUseQuality       = "TOOL_USE_QUALITY"
	WholeTrajectory      = "TRAJECTORY_QUALITY"
)

// Text returns the texts of the parts, one a line. It is false for a content without parts. Parts
// without text give an empty one.
func (c *Content) Text() (text string, ok bool) {
	switch {
	case c == nil || len(c.Parts) == 0:
		return "", false
	case len(c.Parts) == 1:
		return c.Parts[0].Text, true
	}
	return strings.Join(c.textParts(), "\n"), true
}

func (c *Content) textParts() []string {
	var all []string
	if c != nil {
		for _, p := range c.Parts {
			if p.Text != "" {
				all = append(all, p.Text)
			}
		}
	}
	return all
}

// Answer returns the text of the final response and, if whole is set, of the intermediate ones
// before it, one a line. It is false if there is none.
func (i Invocation) Answer(whole bool) (text string, ok bool) {
	if !whole {
		return i.Final.Text()
	}
	var all []string
	for _, e := range append(i.Events[:len(i.Events):len(i.Events)], i.IntermediateResponses...) {
		if text, _ := e.Content.Text(); text != "" {
			all = append(all, text)
		}
	}
	if text, _ := i.Final.Text(); text != "" {
		all = append(all, text)
	}
	return strings.Join(all, "\n"), len(all) > 0
}

func (i Invocation) userText() string {
	text, _ := i.User.Text()
	return text
}

// FinalAnswers returns the texts of the final responses, one a paragraph.
func FinalAnswers(turns []Invocation) string {
	var all []string
	for _, t := range turns {
		if answer, _ := t.Answer(false); answer != "" {
			all = append(all, answer)
		}
	}
	return strings.Join(all, "\n\n")
}

// Calls returns the tool calls of the turn, in order.
func (i Invocation) Calls() []ToolCall {
	calls, _ := i.toolUse()
	return calls
}

// toolUse returns the tool calls of the turn and the responses, in order.
func (i Invocation) toolUse() (calls []ToolCall, responses []ToolResponse) {
	for _, e := range i.events() {
		made, returned := e.Content.toolCalls()
		calls, responses = append(calls, made...), append(responses, returned...)
	}
	return calls, responses
}

// events returns the steps of the turn: the recorded ones, or those that an author lists, calls and
// responses first.
func (i Invocation) events() []Event {
	if len(i.Events) > 0 {
		return i.Events
	}
	between := &Content{}
	for n := range i.ToolUses {
		between.Parts = append(between.Parts, Part{Call: &i.ToolUses[n]})
	}
	for n := range i.ToolResponses {
		between.Parts = append(between.Parts, Part{Response: &i.ToolResponses[n]})
	}
	return append([]Event{{Author: "agent", Content: between}}, i.IntermediateResponses...)
}

func (c *Content) toolCalls() (calls []ToolCall, responses []ToolResponse) {
	if c == nil {
		return nil, nil
	}
	for _, p := range c.Parts {
		if p.Call != nil {
			calls = append(calls, *p.Call)
		}
		if p.Response != nil {
			responses = append(responses, *p.Response)
		}
	}
	return calls, responses
}

const (
	noSteps = "No intermediate steps were taken."
	noTools = "Agent has no tools."
)

// ToolSteps returns the turn's tool calls for a judge: JSON with each call and its response, paired
// by id. Calls without an id share the last response without one. A turn without calls is a
// sentence that says so.
func (i Invocation) ToolSteps() string {
	steps := i.Steps()
	if len(steps) == 0 {
		return noSteps
	}
	return grade.IndentJSON(map[string]any{"tool_calls_and_response": steps})
}

// ToolStep is a tool call with its response.
type ToolStep struct {
	Step     int      `json:"step"` // from 0
	Call     ToolCall `json:"tool_call"`
	Response any      `json:"tool_response"` // a [ToolResponse], or a text that there is none
}

// Steps returns the tool calls of the turn with their responses; see [Invocation.ToolSteps].
func (i Invocation) Steps() (steps []ToolStep) {
	byID := map[string]ToolResponse{}
	calls, responses := i.toolUse()
	for _, r := range responses {
		byID[r.ID] = r
	}
	for n, call := range calls {
		s := ToolStep{n, call, "None"}
		if r, ok := byID[call.ID]; ok {
			s.Response = r
		}
		steps = append(steps, s)
	}
	return steps
}

// dialogue returns turns as numbered lines, with the texts and tool calls in between.
func dialogue(turns []Invocation) string {
	var lines []string
	add := func(turn int, who, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("Turn %d, %s: ", turn+1, who)+fmt.Sprintf(format, args...))
	}
	for n, t := range turns {
		add(n, "user", "%s", t.userText())
		for _, e := range t.events() {
			for _, text := range e.Content.textParts() {
				add(n, e.Author, "%s", text)
			}
			calls, responses := e.Content.toolCalls()
			for _, c := range calls {
				add(n, e.Author, "calls %s(%s)", c.Name, fingerprint(c.Args))
			}
			for _, r := range responses {
				add(n, e.Author, "%s returns %s", r.Name, fingerprint(r.Response))
			}
		}
		if answer, _ := t.Answer(false); answer != "" {
			add(n, "agent", "%s", answer)
		}
	}
	return strings.Join(lines, "\n")
}

func toolDeclarations(agents []Agent) string {
	if len(agents) == 0 {
		return noTools
	}
	byAgent := map[string][]any{}
	for _, a := range agents {
		byAgent[a.Name] = append([]any{}, a.Tools...)
	}
	return grade.IndentJSON(map[string]any{"tool_declarations": byAgent})
}

// Evidence returns the evidence for claims of the turn: the agents' instructions, the user's
// message, the tools, and the first events. Calls listed by hand come after those.
func (i Invocation) Evidence(events int) string {
	parts := []string{
		"Developer instructions:\n" + allInstructions(i.Agents),
		"User prompt:\n" + i.userText(),
		"Tool definitions:\n" + toolDeclarations(i.Agents),
	}
	if len(i.Events) == 0 {
		events = 1 // the calls
	}
	for _, e := range i.events()[:events] {
		if texts := e.Content.textParts(); len(texts) > 0 {
			parts = append(parts, strings.Join(texts, "\n"))
		}
		calls, responses := e.Content.toolCalls()
		if len(calls) > 0 {
			parts = append(parts, "tool_calls:\n"+grade.IndentJSON(calls))
		}
		if len(responses) > 0 {
			parts = append(parts, "tool_outputs:\n"+grade.IndentJSON(responses))
		}
	}
	return strings.Join(parts, "\n\n") + "\n"
}
