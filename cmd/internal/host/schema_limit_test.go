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
	b := &timeBudget{left: 1} // a nanosecond
	of := s.ForFile(func() jsonschema.Limit { return b.run })
	for range 2 {
		if _, err := of.Validate(strings.Repeat("abc", 1<<12)); err != errTooLong {
			t.Errorf("%v", err)
		}
	}
	if _, err := s.ForFile(newSchemaLimit).Validate("abc"); err != nil {
		t.Errorf("of another file: %v", err)
	}
}

// TestPatienceOnce: after a timeout, no more work is done for the same file.
func TestPatienceOnce(t *testing.T) {
	b, end := &timeBudget{left: 1}, make(chan struct{})
	defer close(end)
	if err := b.run(func() { <-end }); err != errTooLong {
		t.Error(err)
	}
	if err := b.run(func() { t.Error("it is begun") }); err != errTooLong {
		t.Error(err)
	}
}
