package lsptest

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xeipuuv/gojsonschema"
	"go.lsp.dev/protocol"
)

// protocolState checks the order of messages. A server sends nothing before the response to
// initialize, answers each request once, and sends only methods for clients.
type protocolState struct {
	pending     map[string]string // methods of unanswered requests, by id
	initialized bool
}

// recordRequest records a request of the editor.
func (s *protocolState) recordRequest(m Message) {
	if m.Method != "" && m.ID != nil {
		s.pending[string(m.ID)] = m.Method
	}
}

// checkReceived returns the kind of a server message and what is wrong with it, or "".
func (s *protocolState) checkReceived(m Message) (kind, fault string) {
	if m.Version != "2.0" {
		return "", "it has no version"
	}
	if m.Method != "" {
		switch {
		case m.Result != nil || m.Error != nil:
			return "", "it is a request and an answer"
		case !s.initialized && !strings.HasPrefix(m.Method, "window/"):
			return "", "it comes before the answer to initialize"
		case !slices.ContainsFunc(protocol.Methods, func(info protocol.MethodInfo) bool {
			return info.Method == m.Method && info.Direction != protocol.DirectionClientToServer && (info.Kind == "request") == (m.ID != nil)
		}) && !strings.HasPrefix(m.Method, "rubric/"):
			return "", "clients are not sent such"
		}
		return m.Method + " params", ""
	}
	if (m.Result == nil) == (m.Error == nil) {
		return "", "it has neither or both of a result and an error"
	}
	if string(m.ID) == "null" || m.ID == nil {
		return "", "" // answers an unreadable message
	}
	method, asked := s.pending[string(m.ID)]
	if !asked && m.Error != nil {
		return "", "" // answers a message that a test sent with SendRaw
	}
	if !asked {
		return "", "it answers what was not asked, or again"
	}
	delete(s.pending, string(m.ID))
	s.initialized = s.initialized || method == protocol.MethodInitialize && m.Error == nil
	return method + " result", ""
}

// SchemaEnv is the environment variable with the path of the schema that published/derive.mjs
// derives from the protocol's published types. If it is set, every message of the server is
// validated.
const SchemaEnv = "LSP_PUBLISHED_TYPES"

// messageSchemas holds the schemas of messages by `METHOD params` and `METHOD result`, compiled on
// first use.
type messageSchemas struct {
	mu          sync.Mutex
	definitions map[string]json.RawMessage
	messages    map[string]json.RawMessage
	compiled    map[string]*gojsonschema.Schema
}

var loadSchemas = sync.OnceValues(func() (*messageSchemas, error) {
	path := os.Getenv(SchemaEnv)
	if path == "" {
		return nil, nil
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var schema struct{ Definitions map[string]json.RawMessage }
	if err := json.Unmarshal(body, &schema); err != nil {
		return nil, err
	}
	p := &messageSchemas{definitions: schema.Definitions, compiled: map[string]*gojsonschema.Schema{}}
	var messages struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(schema.Definitions["Messages"], &messages); err != nil {
		return nil, err
	}
	p.messages = messages.Properties
	return p, nil
})

// schema returns the schema of one kind of message, or nil for methods outside the protocol.
func (ms *messageSchemas) schema(kind string) (*gojsonschema.Schema, error) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if s := ms.compiled[kind]; s != nil || ms.messages[kind] == nil {
		return s, nil
	}
	s, err := gojsonschema.NewSchema(gojsonschema.NewGoLoader(map[string]any{"definitions": ms.definitions, "allOf": []any{ms.messages[kind]}}))
	ms.compiled[kind] = s
	return s, err
}

// checkSchema validates a message of the given kind.
func checkSchema(t testing.TB, kind string, value json.RawMessage) {
	p, err := loadSchemas()
	if err != nil {
		t.Errorf("the protocol's published types: %v", err)
	}
	if p == nil || value == nil {
		return
	}
	s, err := p.schema(kind)
	if err != nil {
		t.Errorf("the published type of `%s`: %v", kind, err)
	}
	if s == nil {
		if string(value) != "null" && !strings.HasPrefix(kind, "$/") && !strings.HasPrefix(kind, "rubric/") {
			t.Errorf("no type is published of `%s`: %s", kind, value)
		}
		return
	}
	result, err := s.Validate(gojsonschema.NewBytesLoader(value))
	if err != nil {
		t.Errorf("%s: %v", kind, err)
	} else if !result.Valid() {
		t.Errorf("`%s` is not of its published type: %v\n%s", kind, result.Errors(), value)
	}
}
