package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// adkServer speaks the interface of ADK's API server (adk-python, src/google/adk/cli/api_server.py) as
// package core/dialect/adk/apiserver lists it. Its responses leave out keys without a value, as the original's do.
type adkServer struct {
	*httptest.Server
	apps     []string
	describe string // the answer of app-info; "" for a version that does not have it
	token    string // that Authorization must have; "" for none
	// reply returns the events of the agent's turn: with content alone, or any others. An error is an
	// exception of the agent.
	reply func(s *adkSession, message string) ([]map[string]any, error)
	// fail may answer a request in place of the server, and reports whether it did.
	fail func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	sessions map[string]*adkSession
	requests []string // method and path
}

type adkSession struct {
	ID     string           `json:"id"`
	App    string           `json:"appName"`
	User   string           `json:"userId"`
	State  map[string]any   `json:"state"`
	Events []map[string]any `json:"events"`
	Last   float64          `json:"lastUpdateTime"`
	turns  int
}

// newADKServer starts a server with one app, whose agent says and does what reply returns.
func newADKServer(t *testing.T, reply func(s *adkSession, message string) ([]map[string]any, error)) *adkServer {
	s := &adkServer{apps: []string{"bank"}, reply: reply, sessions: map[string]*adkSession{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /list-apps", func(w http.ResponseWriter, _ *http.Request) { writeJSONBody(w, 200, s.apps) })
	mux.HandleFunc("GET /apps/{app}/app-info", func(w http.ResponseWriter, _ *http.Request) {
		if s.describe == "" {
			writeDetail(w, 404, "Not Found")
			return
		}
		w.Write([]byte(s.describe))
	})
	mux.HandleFunc("POST /apps/{app}/users/{user}/sessions", s.createSession)
	mux.HandleFunc("GET /apps/{app}/users/{user}/sessions/{id}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if found := s.sessions[r.PathValue("id")]; found != nil && found.User == r.PathValue("user") && found.App == r.PathValue("app") {
			writeJSONBody(w, 200, found)
			return
		}
		writeDetail(w, 404, "Session not found")
	})
	mux.HandleFunc("POST /run_sse", s.run)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		switch {
		case s.token != "" && r.Header.Get("Authorization") != "Bearer "+s.token:
			w.WriteHeader(401)
		case s.fail == nil || !s.fail(w, r):
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func writeJSONBody(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func writeDetail(w http.ResponseWriter, status int, detail any) {
	writeJSONBody(w, status, map[string]any{"detail": detail})
}

func (s *adkServer) createSession(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID    string         `json:"sessionId"`
		State map[string]any `json:"state"`
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil {
		writeDetail(w, 422, []any{map[string]any{"type": "json_invalid", "loc": []any{"body", 0}, "msg": "JSON decode error"}})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.ID == "" {
		req.ID = fmt.Sprintf("session-%d", len(s.sessions)+1)
	}
	if s.sessions[req.ID] != nil {
		writeDetail(w, 409, "Session already exists: "+req.ID)
		return
	}
	if req.State == nil {
		req.State = map[string]any{}
	}
	created := &adkSession{ID: req.ID, App: r.PathValue("app"), User: r.PathValue("user"), State: req.State, Events: []map[string]any{}, Last: 1}
	s.sessions[req.ID] = created
	writeJSONBody(w, 200, created)
}

func (s *adkServer) run(w http.ResponseWriter, r *http.Request) {
	var req struct {
		App       string         `json:"appName"`
		User      string         `json:"userId"`
		Session   string         `json:"sessionId"`
		Message   map[string]any `json:"newMessage"`
		Streaming bool           `json:"streaming"`
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil || req.User == "" || req.Session == "" {
		writeDetail(w, 422, []any{map[string]any{"type": "missing", "loc": []any{"body", "sessionId"}, "msg": "Field required"}})
		return
	}
	if !slices.Contains(s.apps, req.App) {
		writeDetail(w, 404, fmt.Sprintf("Agent not found: '%s'. No matching directory or module exists in 'agents/%s'.", req.App, req.App))
		return
	}
	s.mu.Lock()
	session := s.sessions[req.Session]
	s.mu.Unlock()
	if session == nil || session.App != req.App || session.User != req.User {
		writeDetail(w, 404, "Session not found: "+req.Session)
		return
	}
	session.turns++
	invocation := fmt.Sprintf("e-%d", session.turns)
	text := ""
	for _, p := range req.Message["parts"].([]any) {
		part, _ := p.(map[string]any)["text"].(string)
		text += part
	}
	events, err := s.reply(session, text)
	s.mu.Lock()
	defer s.mu.Unlock()
	session.add(invocation, map[string]any{"author": "user", "content": req.Message})
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, e := range events {
		session.add(invocation, e)
		encoded, _ := json.Marshal(e)
		fmt.Fprintf(w, "data: %s\n\n", encoded)
	}
	if err != nil {
		encoded, _ := json.Marshal(map[string]any{"error": "ValueError: " + err.Error(), "error_details": map[string]any{"error_type": "ValueError", "error_message": err.Error(), "timestamp": 1.5}})
		fmt.Fprintf(w, "data: %s\n\n", encoded)
	}
}

func (s *adkSession) add(invocation string, e map[string]any) {
	e["id"], e["invocationId"], e["timestamp"] = fmt.Sprintf("event-%d", len(s.Events)+1), invocation, 1700000000.5
	if e["author"] == nil {
		e["author"] = "teller"
	}
	if e["actions"] == nil {
		e["actions"] = map[string]any{"stateDelta": map[string]any{}, "artifactDelta": map[string]any{}, "requestedAuthConfigs": map[string]any{}}
	}
	s.Events = append(s.Events, e)
}

// agentSays is an event with a text, agentCalls one with a call and the next with its response.
func agentSays(text string) map[string]any {
	return map[string]any{"content": map[string]any{"role": "model", "parts": []any{map[string]any{"text": text}}},
		"finishReason": "STOP", "usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 13}}
}

func agentCalls(name string, args, response map[string]any) []map[string]any {
	call := map[string]any{"id": "adk-1", "name": name, "args": args}
	returned := map[string]any{"id": "adk-1", "name": name, "response": response}
	return []map[string]any{
		{"content": map[string]any{"role": "model", "parts": []any{map[string]any{"functionCall": call}}}, "longRunningToolIds": []any{}},
		{"content": map[string]any{"role": "user", "parts": []any{map[string]any{"functionResponse": returned}}}},
	}
}

// teller is an agent that answers questions about accounts.
func teller(s *adkSession, message string) ([]map[string]any, error) {
	switch {
	case strings.Contains(message, "balance"):
		account := s.State["account"]
		return append(agentCalls("get_balance", map[string]any{"account": account}, map[string]any{"balance": 12.5}), agentSays("Your balance is 12.50 euros.")), nil
	case strings.Contains(message, "bye"):
		return []map[string]any{agentSays("Goodbye.")}, nil
	case strings.Contains(message, "crash"):
		return nil, fmt.Errorf("the %q tool is broken", "ledger")
	case strings.Contains(message, "long"):
		return []map[string]any{{"errorCode": "MAX_TOKENS", "errorMessage": "the answer is too long"}}, nil
	}
	return []map[string]any{agentSays("I do not know.")}, nil
}

func (s *adkServer) count(request string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if strings.HasPrefix(r, request) {
			n++
		}
	}
	return n
}
