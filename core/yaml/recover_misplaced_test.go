package yaml_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestTwoTextsInOne keeps one text of two whose lines are mixed, all of it, and
// accounts for every line of the other.
func TestTwoTextsInOne(t *testing.T) {
	const times = 50
	for _, c := range []struct{ name, first, second string }{
		{"items and keys", "- a\n", "b: c\n"},
		{"keys and items", "b: c\n", "- a\n"},
	} {
		alone := yaml.Parse(text.New("", strings.Repeat(c.first, times)))
		tree := yaml.Parse(text.New("", strings.Repeat(c.first+c.second, times)))
		if got, want := tree.Root().Any(), alone.Root().Any(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
		lost := 0
		for _, p := range tree.Problems {
			if p.Kind == yaml.SyntaxProblem {
				lost++
			}
		}
		if lost != times {
			t.Errorf("%s: %d lines were left out, want %d", c.name, lost, times)
		}
	}
}

// TestMisfits keeps the side that has more parts, each document by itself.
func TestMisfits(t *testing.T) {
	keys := strings.Repeat("- x\nkey: b\n", 20)
	for _, c := range []struct {
		name, body string
		root, last yaml.Kind
	}{
		{"items over lines", strings.Repeat("- a: 1\n  b: 2\nc:\n  d: e\n", 50), yaml.Sequence, yaml.Sequence},
		{"keys over lines", strings.Repeat("c:\n  d: e\n- a: 1\n  b: 2\n", 50), yaml.Mapping, yaml.Mapping},
		{"items under keys", "l: # here\n# still\n- a\n- b\n" + keys + "m: 1\nn: 2\nl:\n- c\n", yaml.Mapping, yaml.Mapping},
		{"a list and a mapping", strings.Repeat("- a\nb: c\n", 20) + "---\n" + strings.Repeat("b: c\n- a\n", 20), yaml.Sequence, yaml.Mapping},
	} {
		tree := yaml.Parse(text.New("", c.body))
		nest(t, tree)
		if first, last := tree.Root(), tree.Docs[len(tree.Docs)-1].Root; first.Kind != c.root || last.Kind != c.last {
			t.Errorf("%s: kinds %d and %d, want %d and %d: %v", c.name, first.Kind, last.Kind, c.root, c.last, tree.Problems)
		}
	}
	under := yaml.Parse(text.New("", "l: # here\n# still\n- a\n- b\n"+keys+"m: 1\n"))
	if list, _ := under.Root().Get("l").Any().([]any); len(list) < 2 {
		t.Errorf("a list under its key is %v", list)
	}
}
