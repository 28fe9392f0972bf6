package lsptest

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/xeipuuv/gojsonschema"
)

// SchemaEnv is the environment variable with the path of the schema that
// published/derive.mjs makes of the protocol's published types. Where it is set
// every message of the server's is held against it.
const SchemaEnv = "LSP_PUBLISHED_TYPES"

// messageSchemas are the schemas of messages by `METHOD params` and `METHOD result`,
// compiled when they are first needed.
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

// schema is that of one kind of message; nil for those that are not published.
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

// checkSchema holds a message of some kind against the published types.
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
