package host

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/jsonschema"
)

// TestPatience: the clock ends work that the count does not see.
func TestPatience(t *testing.T) {
	s, err := jsonschema.Compile(map[string]any{"pattern": "(a|b|c){500}d"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Within(limitTime(1))(strings.Repeat("abc", 1<<12)); err != errTooLong {
		t.Errorf("%v", err)
	}
	if _, err := s.Within(limitTime(maxSchemaTime))("abc"); err != nil {
		t.Errorf("a short text: %v", err)
	}
}
