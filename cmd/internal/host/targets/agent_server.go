package targets

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/adk/apiserver"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/judge/provider/address"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// agentTokenVariable holds the token for ADK servers that require one, such as those of Cloud Run.
const agentTokenVariable = "ADK_TOKEN"

// connectTimeout is the time in which a server must list its apps.
const connectTimeout = 10 * time.Second

// agentServer is a running ADK API server; see package apiserver for its interface.
type agentServer struct {
	apiserver.Address
	client  *provider.Client
	timeout time.Duration     // for one turn
	headers map[string]string // of each request
	redact  func(string) string

	apps   []string // set by connect
	mu     sync.Mutex
	agents map[string]map[string]apiserver.Agent // by app
}

// setAgent sets the server of agents at an address, with a bearer token if it is not "", and what asking
// it reaches.
func (d *definition) setAgent(at, token, label string, vars variables, limit time.Duration) error {
	parsed, ok := apiserver.ParseAddress(at)
	if !ok {
		return errors.New("its address is not that of an ADK server, as in `http://localhost:8000` or, for one of its apps, `http://localhost:8000/apps/my_agent`")
	}
	s := &agentServer{Address: parsed, timeout: cmp.Or(limit, defaultTimeout), agents: map[string]map[string]apiserver.Agent{}}
	s.headers = targetSettings(d.Settings).textMap("headers")
	secrets := slices.AppendSeq(append(vars.secretValues(), token), maps.Values(s.headers))
	d.setAccess(at, secrets)
	if token != "" {
		s.headers["Authorization"], d.access.Key = "Bearer "+token, label
	}
	if base, err := url.Parse(s.Base); err == nil && base.User != nil {
		password, _ := base.User.Password()
		secrets = append(secrets, password)
	}
	s.redact, d.agent = provider.NewRedactor(secrets).Replace, s
	return nil
}

// setAgentTarget is [definition.setAgent] for a target of a targets file.
func (d *definition) setAgentTarget(vars variables, limit time.Duration) error {
	s := targetSettings(d.Settings)
	switch {
	case len(d.Missing) > 0:
		return missingVariablesError(d.Target)
	case s.baseURL() == "":
		return errors.New("it has no `base_url`")
	}
	label := cmp.Or(keyOrigin(d.Target), "its target's `api_key`")
	limit = cmp.Or(limit, toDuration(s.number("timeout_seconds", 0), time.Second))
	return cmp.Or(checkKeySource(d.Target), s.validate(), d.setAgent(s.baseURL(), s.text("api_key"), keyFrom(label), vars, limit))
}

// IsAgent reports whether a name stands for a running agent: adk:URL, or a target with that provider.
func IsAgent(evalFile, targetsFile, name string) bool {
	if strings.HasPrefix(name, run.AgentPrefix) {
		return true
	}
	target, _, err := FindTarget(evalFile, targetsFile, name)
	return err == nil && target.Provider == agentv.ADKProvider
}

// request sends a request to a path and returns the response's body.
func (s *agentServer) request(ctx context.Context, method, path string, body []byte) (string, error) {
	r := provider.Request{
		Method: method, Body: body, Timeout: s.timeout, Once: path == apiserver.RunPath || path == apiserver.AppsPath, Redact: s.redact,
		Address: address.Address{URL: s.Base + path, Header: map[string]string{"Accept": "application/json, text/event-stream"}},
	}
	if body != nil {
		r.Address.Header["Content-Type"] = "application/json"
	}
	maps.Copy(r.Address.Header, s.headers)
	reply, err := s.client.Exchange(ctx, r)
	var fault *wire.Fault
	switch {
	case !errors.As(err, &fault):
		return reply.Body, err
	case fault.Status == 0:
		return "", &agentError{fmt.Sprintf("%s %s%s: %s", method, s.shown(), path, s.redact(fault.Message)), fault}
	}
	text := fmt.Sprintf("%s %s%s answered %d %s", method, s.shown(), path, fault.Status, http.StatusText(fault.Status))
	if detail := apiserver.DecodeDetail(reply.Body); detail != "" {
		text += ": " + detail
	}
	return "", &agentError{text, fault}
}

// shown returns the server's address without a password.
func (s *agentServer) shown() string {
	at, err := url.Parse(s.Base)
	if err != nil {
		return s.Base
	}
	return at.Redacted()
}

// agentError is a fault of a server in words that fit no model.
type agentError struct {
	text string
	*wire.Fault
}

func (e *agentError) Error() string { return e.text }
func (e *agentError) Unwrap() error { return e.Fault }

// connect checks that the server is there, and lists its apps.
func (s *agentServer) connect(ctx context.Context) error {
	limited, cancel := context.WithTimeoutCause(ctx, connectTimeout, fmt.Errorf("GET %s%s: no answer in %s", s.shown(), apiserver.AppsPath, connectTimeout))
	defer cancel()
	body, err := s.request(limited, http.MethodGet, apiserver.AppsPath, nil)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		port := "8000"
		if at, parseErr := url.Parse(s.Base); parseErr == nil {
			port = cmp.Or(at.Port(), port)
		}
		return fmt.Errorf("the agent's server %w: %w; start it with `adk api_server --port %s AGENTS_DIR`, where AGENTS_DIR is the folder that has the agent's folder", judge.ErrUnreachable, err, port)
	}
	if s.apps, err = apiserver.DecodeApps(body); err != nil {
		return fmt.Errorf("%s is not an ADK server: its answer to %s is not a list of apps", s.shown(), apiserver.AppsPath)
	}
	if s.App != "" {
		_, err = s.app("")
	}
	return err
}

// app returns the app to ask: that of the address, or else the case's if the server has it, or else the
// only one.
func (s *agentServer) app(ofCase string) (string, error) {
	switch name := cmp.Or(s.App, ofCase); {
	case slices.Contains(s.apps, name):
		return name, nil
	case s.App == "" && len(s.apps) == 1:
		return s.apps[0], nil
	case len(s.apps) == 0:
		return "", fmt.Errorf("%s has no apps; start it with the folder that has the agent's folder", s.shown())
	case name == "":
		return "", fmt.Errorf("%s has the apps %s, and the case has no `app_name` in its `session_input`; name one, as in `adk:%s/apps/%s`", s.shown(), diag.JoinList(diag.Backtick(s.apps), "and"), s.shown(), s.apps[0])
	default:
		return "", fmt.Errorf("%s has no app `%s`%s", s.shown(), name, spell.DidYouMeanOr(name, s.apps, "it has "+diag.JoinList(diag.Backtick(s.apps), "and")))
	}
}

// describe returns the agents of an app, or nil if the server does not describe them.
func (s *agentServer) describe(ctx context.Context, app string) map[string]apiserver.Agent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if agents, known := s.agents[app]; known {
		return agents
	}
	body, err := s.request(ctx, http.MethodGet, apiserver.AgentsPath(app), nil)
	if err == nil {
		s.agents[app], _ = apiserver.DecodeAgents(body)
	} else if ctx.Err() == nil {
		s.agents[app] = nil // asked once: older servers do not have it
	}
	return s.agents[app]
}

// open opens a session, as ADK's evaluation does: with the case's user and state, and an id that ADK's
// own lists leave out.
func (s *agentServer) open(ctx context.Context, start metric.SessionInput) (session metric.Session, err error) {
	app, err := s.app(start.App)
	if err != nil {
		return session, err
	}
	agents := s.describe(ctx, app)
	session.User = cmp.Or(start.User, apiserver.DefaultUser)
	body, err := s.request(ctx, http.MethodPost, apiserver.SessionsPath(app, session.User), apiserver.EncodeSession(apiserver.SessionPrefix+rand.Text(), start.State))
	if err != nil {
		return session, err
	}
	if session.ID, err = apiserver.DecodeSession(body); err != nil {
		return session, fmt.Errorf("%s is not an ADK server: its session is unreadable: %w", s.shown(), err)
	}
	session.Ask = func(ctx context.Context, message json.RawMessage) (metric.AgentTurn, error) {
		stream, err := s.request(ctx, http.MethodPost, apiserver.RunPath, apiserver.EncodeRun(app, session.User, session.ID, message))
		if err != nil {
			return metric.AgentTurn{}, err
		}
		return apiserver.DecodeTurn(stream, message, agents)
	}
	session.Details = func(ctx context.Context) json.RawMessage {
		body, err := s.request(ctx, http.MethodGet, apiserver.SessionPath(app, session.User, session.ID), nil)
		if err != nil || !json.Valid([]byte(body)) {
			return nil // the conversation is recorded without it
		}
		return json.RawMessage(body)
	}
	return session, nil
}

// answer answers a case of another dialect: in a session of its own, with all its messages as one text.
func (s *agentServer) answer(ctx context.Context, c *rubric.Case) (sub grade.Submission, err error) {
	session, err := s.open(ctx, metric.SessionInput{})
	if err != nil {
		return sub, err
	}
	message, _ := json.Marshal(map[string]any{"role": "user", "parts": []any{map[string]string{"text": c.Question}}}) // texts always encode
	turn, err := session.Ask(ctx, message)
	if err != nil {
		return sub, err
	}
	for _, i := range adk.ReadTurns([]json.RawMessage{turn.Invocation}) {
		sub.Answer, _ = i.Answer(false)
		for _, step := range i.Steps() {
			call := grade.ToolCall{Tool: step.Call.Name, Input: step.Call.Args}
			if returned, ok := step.Response.(metric.ToolResponse); ok {
				call.Output = returned.Response
			}
			sub.ToolCalls = append(sub.ToolCalls, call)
		}
	}
	if turn.Usage != (judge.Usage{}) {
		sub.Trace = &grade.Trace{TokenUsage: &grade.Tokens{Input: float64(turn.Usage.Input), Output: float64(turn.Usage.Output)}}
	}
	return sub, nil
}
