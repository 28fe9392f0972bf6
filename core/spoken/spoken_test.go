package spoken_test

import (
	"fmt"
	"testing"

	"github.com/rubric-ls/rubric/core/spoken"
	"github.com/rubric-ls/rubric/core/text"
)

// TestSpoken: what was said is said again without asking for its words, and a list is
// the same as one of words that are all new.
func TestSpoken(t *testing.T) {
	at := func(line int) text.Range {
		return text.Range{Start: text.Position{Line: line, Character: 2}, End: text.Position{Line: line + 1, Character: 30}}
	}
	one, two := new(int), new(int)
	last := new(spoken.Last)
	for _, c := range []struct {
		name  string
		of    any
		line  int
		moves bool
		asked bool
	}{
		{"new", one, 1, true, true},
		{"as it was", one, 1, true, false},
		{"elsewhere", one, 20, true, false},
		{"elsewhere with second places", one, 3, false, true},
		{"there with second places", one, 3, false, false},
		{"another", two, 3, true, true},
		{"one that was left out between", one, 3, true, true},
		{"nobody's", nil, 3, true, true},
		{"nobody's again", nil, 3, true, true},
	} {
		said := fmt.Sprintf(`{"range":{"start":{"line":%d,"character":2},"end":{"line":%d,"character":30}},"message":"}}"}`, c.line, c.line+1)
		asked := false
		words := func() []byte {
			asked = true
			return []byte(said)
		}
		l := last.Begin(`{"of":`)
		l.Add(c.of, at(c.line), c.moves, words)
		if asked != c.asked {
			t.Errorf("%s: asked for the words: %v", c.name, asked)
		}
		l.Add(nil, at(c.line), c.moves, words)
		if got, want := string(l.End()), `{"of":[`+said+","+said+"]"; got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}
