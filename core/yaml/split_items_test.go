package yaml_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestSplit: the items of a list, with the comments above them, and nothing of
// what cannot be told apart by indentation.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string // nil: it is left whole
	}{
		{"items", "a: 1\nlist:\n  - x: 1\n    y: 2\n  - z\n", []string{"  - x: 1\n    y: 2\n", "  - z\n"}},
		{"at the margin", "list:\n- x\n- y\nb: 2\n", []string{"- x\n", "- y\n"}},
		{"behind a mark", "---\nlist:\n- x\n", []string{"- x\n"}},
		{"comments go with what is below", "list: # of\n\n  # one\n\n  - x\n\n  # two\n  - y\n# b\nb: 2\n", []string{"  # one\n\n  - x\n\n", "  # two\n  - y\n"}},
		{"what is deeper is above's", "list:\n  - |\n    # text\n  - y\n", []string{"  - |\n    # text\n", "  - y\n"}},
		{"carriage returns", "list:\r\n  - x\r\n  - y\r\n", []string{"  - x\r\n", "  - y\r\n"}},
		{"a line that is being typed", "list:\n  - a: 1\nfoo\n  - b: 1\n", []string{"  - a: 1\nfoo\n", "  - b: 1\n"}},
		{"before a dash", "list:\n  - a: 1\nx  - b: 1\n    c: 2\n  - d: 1\n", []string{"  - a: 1\nx  - b: 1\n    c: 2\n", "  - d: 1\n"}},
		{"a key with a text", "list:\n  - a: 1\nid: b\n  - b: 1\n", []string{"  - a: 1\nid: b\n", "  - b: 1\n"}},
		{"another list", "list:\n  - a: 1\nb:\n  - c: 1\n", []string{"  - a: 1\n"}},
		{"a text over two lines", "list:\n  - a: 1\nb: one\n  two\n", []string{"  - a: 1\n"}},
		{"a bracket that closes", "list:\n  - a: [\n    1\n]\n  - b\n", []string{"  - a: [\n    1\n]\n", "  - b\n"}},
		{"brackets", "list: [x, y]\n", nil},
		{"all in brackets", "{list: [x]}\n", nil},
		{"a list alone", "- x\n- y\n", nil},
		{"no items", "list:\nb: 1\n", nil},
		{"an anchor", "list: &a\n  - x\n", nil},
		{"twice", "list:\n  - x\nlist:\n  - y\n", nil},
		{"two documents", "list:\n  - x\n---\nb: 1\n", nil},
		{"a line break few know", "list:\n  - x\u2028\n", nil},
		{"a lone return", "list:\n  - x\r  - y\n", nil},
		{"another key", "lists:\n  - x\n", nil},
		{"a key that asks", "list:\n  - x\n? b\n: 1\n", nil},
		{"nothing", "", nil},
	} {
		var got []string
		o := yaml.SplitItems(c.body, "list")
		if o != nil {
			for _, span := range o.Items {
				got = append(got, c.body[span.Start:span.End])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSplitLines: a line with the blank ones after it.
func TestSplitLines(t *testing.T) {
	for body, want := range map[string][]string{
		"{}\n{}\n":       {"{}\n", "{}\n"},
		"\n{}\n\n \n{}":  {"\n{}\n\n \n", "{}"},
		"\n \n":          nil,
		"":               nil,
		"{}\r\n{}\r\n":   {"{}\r\n", "{}\r\n"},
		"{}\u2028\n{}\n": nil,
	} {
		var got []string
		for _, span := range yaml.SplitJSONL(body) {
			got = append(got, body[span.Start:span.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

// TestMove puts all of a tree elsewhere, and finds anchors before a place.
func TestMove(t *testing.T) {
	src := text.New("", "a: &x 1 # c\nb: *y\nc: &z 2\n")
	tree := yaml.Parse(src)
	if got := tree.AnchorsBefore(10); len(got) != 1 || got["x"] == nil {
		t.Errorf("%v", got)
	}
	part := yaml.ParseChunk(text.New("", "d: *z\n"), tree.AnchorsBefore(100), nil)
	if len(part.Problems) != 0 || part.Root().Get("d").Follow() != tree.Root().Get("c") {
		t.Errorf("%v", part.Problems)
	}
	tree.MapSpans(func(span text.Span) text.Span { return span.Shift(100) })
	n := tree.Root().Get("c")
	if n.Span.Start != 124 || n.Props.Start != 121 || tree.Comments[0].Span.Start != 108 || tree.Problems[0].Span.Start != 115 || tree.Docs[0].Span.Start != 100 {
		t.Errorf("%v %v %v %v", n.Span, n.Props, tree.Comments, tree.Problems)
	}
}
