package metric

import (
	"context"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/judge"
)

// OpenSession opens a session with a running agent, which holds a conversation during the run. It must
// be safe for concurrent use.
type OpenSession func(context.Context, SessionInput) (Session, error)

// SessionInput is what a session begins with. The agent's host chooses what is empty.
type SessionInput struct {
	App   string          `json:"app_name,omitempty"`
	User  string          `json:"user_id,omitempty"`
	State json.RawMessage `json:"state,omitempty"` // an object
}

// Session is a conversation with a running agent.
type Session struct {
	ID, User string
	// Ask sends a message of the user, a content in ADK's JSON, and returns the agent's turn.
	Ask func(ctx context.Context, message json.RawMessage) (AgentTurn, error)
	// Details returns the session as the agent's host keeps it, with state and events, or nil.
	Details func(context.Context) json.RawMessage
}

// AgentTurn is one turn of a running agent.
type AgentTurn struct {
	Invocation json.RawMessage // the turn, as evalsets and result files write it
	Events     []AgentEvent    // all of them, the answer too
	Usage      judge.Usage     // of the agent's models, as far as it is reported
	Calls      int             // of these models
}

// AgentEvent is one event of a turn. Content is in ADK's JSON.
type AgentEvent struct {
	Author  string
	Content json.RawMessage
}

// WithoutCached returns the conversation with no reply marked as cached, or nil for nil.
func (r *Recorded) WithoutCached() *Recorded {
	if r == nil {
		return nil
	}
	stored := *r
	stored.Replies = judge.WithoutCached(r.Replies)
	return &stored
}

// SimulatedUser is a user that a model plays.
type SimulatedUser struct {
	Judge string // the name that the configuration gives the model, or ""
	Limit string // how often it is asked, for a plan
}

// Recorded is a conversation that an agent held during a run, as records and result files have it.
type Recorded struct {
	SessionID   string            `json:"session_id"`
	UserID      string            `json:"user_id"`
	Invocations []json.RawMessage `json:"invocations"`
	Details     json.RawMessage   `json:"session_details,omitempty"`
	Usage       judge.Usage       `json:"usage,omitzero"`         // of the agent's models
	Calls       int               `json:"model_calls,omitempty"`  // of these models
	Replies     []judge.Reply     `json:"user_replies,omitempty"` // of the model that plays the user
}
