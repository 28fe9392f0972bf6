package apiserver

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/metric"
)

// event has the keys of an event that are read; see the package's documentation.
type event struct {
	Author       string          `json:"author"`
	Invocation   string          `json:"invocationId"`
	Timestamp    float64         `json:"timestamp"`
	Content      json.RawMessage `json:"content"`
	Partial      bool            `json:"partial"`
	LongRunning  []string        `json:"longRunningToolIds"`
	ErrorCode    string          `json:"errorCode"`
	ErrorMessage string          `json:"errorMessage"`
	Actions      struct {
		SkipSummarization bool `json:"skipSummarization"`
	} `json:"actions"`
	Usage json.RawMessage `json:"usageMetadata"`
	Model string          `json:"modelVersion"`

	parts []part
}

type part struct {
	Text       string          `json:"text"`
	Call       json.RawMessage `json:"functionCall"`
	Response   json.RawMessage `json:"functionResponse"`
	Data       json.RawMessage `json:"inlineData"`
	CodeResult json.RawMessage `json:"codeExecutionResult"`
}

func (p part) isShown() bool {
	return p.Text != "" || p.Call != nil || p.Response != nil || p.Data != nil
}

func (e event) isUser() bool { return strings.EqualFold(e.Author, "user") }

func (e event) hasCall() bool {
	return slices.ContainsFunc(e.parts, func(p part) bool { return p.Call != nil })
}

// isFinal reports whether the event is an answer to the user, as Event.is_final_response does.
func (e event) isFinal() bool {
	if e.Actions.SkipSummarization || len(e.LongRunning) > 0 {
		return true
	}
	returns := slices.ContainsFunc(e.parts, func(p part) bool { return p.Response != nil })
	return !e.hasCall() && !returns && !e.Partial && e.parts[len(e.parts)-1].CodeResult == nil
}

// DecodeTurn returns the turn that a stream of events describes. message is what the user said, and
// agents are those of the app. It returns an error if the agent failed, or did nothing.
func DecodeTurn(stream string, message json.RawMessage, agents map[string]Agent) (turn metric.AgentTurn, err error) {
	events, err := decodeEvents(stream)
	if err != nil {
		return turn, err
	}
	invocation := invocationJSON{ID: events[0].Invocation, User: message, Timestamp: events[0].Timestamp}
	invocation.Intermediate.Events = []eventJSON{}
	final, failed := -1, ""
	for i, e := range events {
		var u struct {
			Input    int `json:"promptTokenCount"`
			Output   int `json:"candidatesTokenCount"`
			Thoughts int `json:"thoughtsTokenCount"`
		}
		if e.Usage != nil && json.Unmarshal(e.Usage, &u) == nil {
			turn.Calls, turn.Usage.Input, turn.Usage.Output = turn.Calls+1, turn.Usage.Input+u.Input, turn.Usage.Output+u.Output+u.Thoughts
		}
		if e.ErrorCode != "" {
			failed = e.errorText()
		}
		if len(e.parts) > 0 && !e.isUser() && e.isFinal() {
			final = i
			if e.ErrorCode == "" {
				failed = "" // the agent has recovered
			}
		}
	}
	if failed != "" {
		return turn, errors.New(failed)
	}
	details := map[string]Agent{}
	for i, e := range events {
		if len(e.parts) == 0 || e.isUser() {
			continue
		}
		author := cmp.Or(e.Author, "agent")
		turn.Events = append(turn.Events, metric.AgentEvent{Author: author, Content: e.Content})
		if agent, known := agents[author]; known {
			details[author] = agent
		}
		if i == final {
			invocation.Final = e.Content
		}
		step := eventJSON{Author: author, Usage: e.Usage, Model: e.Model}
		isStep := slices.ContainsFunc(e.parts, part.isShown) && (i != final || e.hasCall())
		if isStep {
			step.Content = e.Content
		}
		if isStep || step.Usage != nil || step.Model != "" {
			invocation.Intermediate.Events = append(invocation.Intermediate.Events, step)
		}
	}
	if len(details) > 0 {
		invocation.Details = map[string]any{"agent_details": details}
	}
	turn.Invocation = encode(invocation)
	return turn, nil
}

// decodeEvents decodes a stream. It returns an error if it has no events.
func decodeEvents(stream string) (events []event, err error) {
	for line := range strings.Lines(stream) {
		data, isData := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if data = strings.TrimSpace(data); !isData || data == "" {
			continue
		}
		e, err := decodeEvent(data)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	if len(events) == 0 {
		return nil, errors.New("the agent returned no events")
	}
	return events, nil
}

// decodeEvent decodes one event. It returns an error if the server reports a failure in its place.
func decodeEvent(data string) (e event, err error) {
	var failure struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal([]byte(data), &failure) == nil && failure.Error != nil {
		return e, fmt.Errorf("the agent failed: %s", jsonText(failure.Error))
	}
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		if text, isError := strings.CutPrefix(data, `{"error": "`); isError {
			return e, fmt.Errorf("the agent failed: %s", excerpt.Shorten(strings.TrimSuffix(text, `"}`), maxReason))
		}
		return e, fmt.Errorf("the server's event is not ADK's: %s", excerpt.Shorten(data, 80))
	}
	var content struct{ Parts []part }
	if len(e.Content) > 0 && json.Unmarshal(e.Content, &content) != nil {
		return e, fmt.Errorf("the server's event is not ADK's: its content is %s", excerpt.Shorten(string(e.Content), 80))
	}
	e.parts = content.Parts
	return e, nil
}

// maxReason limits how much of an agent's own error a reason quotes.
const maxReason = 300

// errorText describes the error of an event.
func (e event) errorText() string {
	text := "the agent's model failed: " + e.ErrorCode
	if e.ErrorMessage != "" && e.ErrorMessage != e.ErrorCode {
		text += ": " + e.ErrorMessage
	}
	return excerpt.Shorten(text, maxReason)
}

// jsonText returns a JSON string as its text, and any other value as it is.
func jsonText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return excerpt.Shorten(text, maxReason)
}

// invocationJSON is a turn as evalsets and result files write it.
type invocationJSON struct {
	ID           string          `json:"invocation_id,omitempty"`
	User         json.RawMessage `json:"user_content"`
	Final        json.RawMessage `json:"final_response,omitempty"`
	Intermediate struct {
		Events []eventJSON `json:"invocation_events"`
	} `json:"intermediate_data"`
	Timestamp float64 `json:"creation_timestamp"`
	Details   any     `json:"app_details,omitempty"`
}

type eventJSON struct {
	Author  string          `json:"author"`
	Content json.RawMessage `json:"content,omitempty"`
	Usage   json.RawMessage `json:"usage_metadata,omitempty"`
	Model   string          `json:"model_version,omitempty"`
}

// Agent is an agent of an app as evalsets and result files describe it.
type Agent struct {
	Name         string          `json:"name"`
	Instructions string          `json:"instructions"`
	Tools        json.RawMessage `json:"tool_declarations,omitempty"`
}

// DecodeAgents returns the agents of an app's description, by name.
func DecodeAgents(body string) (map[string]Agent, error) {
	var app struct {
		Agents map[string]struct {
			Name        string          `json:"name"`
			Instruction string          `json:"instruction"`
			Tools       json.RawMessage `json:"tools"`
		} `json:"agents"`
	}
	if err := json.Unmarshal([]byte(body), &app); err != nil {
		return nil, err
	}
	agents := map[string]Agent{}
	for name, a := range app.Agents {
		agents[name] = Agent{a.Name, a.Instruction, a.Tools}
	}
	return agents, nil
}

// DecodeApps returns the names of a server's apps.
func DecodeApps(body string) (apps []string, err error) {
	err = json.Unmarshal([]byte(body), &apps)
	return apps, err
}

// DecodeSession returns the id of a session.
func DecodeSession(body string) (id string, err error) {
	var session struct {
		ID string `json:"id"`
	}
	if err = json.Unmarshal([]byte(body), &session); err == nil && session.ID == "" {
		err = errors.New("it has no `id`")
	}
	return session.ID, err
}

// DecodeDetail returns what a server says of a request that it refuses.
func DecodeDetail(body string) string {
	var refusal struct {
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal([]byte(body), &refusal) == nil && refusal.Detail != nil {
		return jsonText(refusal.Detail)
	}
	return excerpt.Shorten(strings.TrimSpace(body), maxReason)
}
