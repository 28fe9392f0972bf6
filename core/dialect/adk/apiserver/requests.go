package apiserver

import (
	"encoding/json"
	"net/url"
	"strings"
)

// DefaultUser is the user of cases without a `session_input`, as in ADK's evaluation.
const DefaultUser = "test_user_id"

// SessionPrefix begins the ids of sessions that are evaluations. ADK's servers do not list them.
const SessionPrefix = "___eval___session___"

// Paths of requests, with a leading slash.
const (
	AppsPath = "/list-apps"
	RunPath  = "/run_sse"
)

// AgentsPath returns the path of an app's description.
func AgentsPath(app string) string { return "/apps/" + url.PathEscape(app) + "/app-info" }

// SessionsPath returns the path of the sessions of a user.
func SessionsPath(app, user string) string {
	return "/apps/" + url.PathEscape(app) + "/users/" + url.PathEscape(user) + "/sessions"
}

// SessionPath returns the path of one session.
func SessionPath(app, user, id string) string {
	return SessionsPath(app, user) + "/" + url.PathEscape(id)
}

// Address is the address of a server and, if it names one, of an app.
type Address struct {
	Base string // without a slash at the end
	App  string // "" if it names none
}

// ParseAddress splits http://HOST:PORT[/apps/APP]. It is false for another address.
func ParseAddress(address string) (a Address, ok bool) {
	at, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" || at.RawQuery != "" || at.Fragment != "" {
		return a, false
	}
	if base, app, named := strings.Cut(at.Path, "/apps/"); named {
		if strings.Contains(app, "/") {
			return a, false
		}
		a.App, at.Path, at.RawPath = app, base, ""
	}
	a.Base = at.String()
	return a, true
}

// EncodeSession returns the request for a new session. State may be nil.
func EncodeSession(id string, state json.RawMessage) []byte {
	return encode(struct {
		ID    string          `json:"sessionId"`
		State json.RawMessage `json:"state,omitempty"`
	}{id, state})
}

// EncodeRun returns the request for the agent's turn after message, a content in ADK's JSON.
func EncodeRun(app, user, session string, message json.RawMessage) []byte {
	return encode(struct {
		App       string          `json:"appName"`
		User      string          `json:"userId"`
		Session   string          `json:"sessionId"`
		Message   json.RawMessage `json:"newMessage"`
		Streaming bool            `json:"streaming"`
	}{app, user, session, message, false})
}

// encode returns JSON of values that cannot fail: texts, and JSON that was read before.
func encode(value any) []byte {
	encoded, _ := json.Marshal(value)
	return encoded
}
