package diagjson_test

import (
	"fmt"
	"testing"

	"github.com/rubric-ls/rubric/core/diagjson"
	"github.com/rubric-ls/rubric/core/text"
)

// TestReuse checks that unchanged diagnostics are not encoded again, and that the list
// equals one that is encoded from scratch.
func TestReuse(t *testing.T) {
	rangeAt := func(line int) text.Range {
		return text.Range{Start: text.Position{Line: line, Character: 2}, End: text.Position{Line: line + 1, Character: 30}}
	}
	one, two := new(int), new(int)
	cache := new(diagjson.Cache)
	for _, c := range []struct {
		name   string
		of     any
		line   int
		moves  bool
		called bool
	}{
		{"new", one, 1, true, true},
		{"unchanged", one, 1, true, false},
		{"moved", one, 20, true, false},
		{"moved with other positions", one, 3, false, true},
		{"unchanged with other positions", one, 3, false, false},
		{"another one", two, 3, true, true},
		{"missing in the previous list", one, 3, true, true},
		{"without key", nil, 3, true, true},
		{"without key again", nil, 3, true, true},
	} {
		encoded := fmt.Sprintf(`{"range":{"start":{"line":%d,"character":2},"end":{"line":%d,"character":30}},"message":"}}"}`, c.line, c.line+1)
		called := false
		encode := func() []byte {
			called = true
			return []byte(encoded)
		}
		l := cache.NewList(`{"of":`)
		l.Add(c.of, rangeAt(c.line), c.moves, encode)
		if called != c.called {
			t.Errorf("%s: encode was called: %v", c.name, called)
		}
		l.Add(nil, rangeAt(c.line), c.moves, encode)
		if got, want := string(l.End()), `{"of":[`+encoded+","+encoded+"]"; got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}
