package yaml_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// many is so many items with comments, block texts and blank lines, of some
// hundred bytes each.
func many(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  # the case %d\n  - id: c%d\n    text: |\n      # no comment\n      - no item %s\n\n", from+i, from+i, strings.Repeat("x", 400+i%97))
	}
	return b.String()
}

// TestSplitLong: a long text divides as it does when all of it is at hand.
func TestSplitLong(t *testing.T) {
	const head = "# all of them\nname: x\nlist:\n"
	wide := "  - text: |\n" + strings.Repeat("      a line\n", 200_000) // wider than a window
	for _, c := range []struct {
		name, body string
		whole      bool // it is not divided
	}{
		{"short", head + many(0, 3), false},
		{"long", head + many(0, 10_000), false},
		{"a tail", head + many(0, 10_000) + "after:\n  - b\n", false},
		{"a tail over a window's end", head + many(0, 2050) + "after: |\n" + strings.Repeat("  a line\n", 20_000), false},
		{"a wide item", head + many(0, 5) + wide + many(5, 3000), false},
		{"a line that is being typed", head + many(0, 3000) + "id: b\n" + many(3000, 3000), false},
		{"windows' line breaks", strings.ReplaceAll(head+many(0, 5000), "\n", "\r\n"), false},
		{"another list at the end", head + many(0, 5000) + "list:\n  - x\n", true},
		{"another document at the end", head + many(0, 5000) + "---\na: 1\n", true},
		{"a line break few know at the end", head + many(0, 5000) + "  - x\u2028\n", true},
		{"no list", strings.Repeat("a: 1\n", 300_000), true},
		{"brackets", "list: [" + strings.Repeat("1,\n", 500_000) + "]\n", true},
		{"one line", strings.Repeat("x", 3<<20), true},
		{"nothing", "", true},
	} {
		l, err := yaml.ChunkYAML(strings.NewReader(c.body), int64(len(c.body)), "list")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		o := yaml.SplitItems(c.body, "list")
		if c.whole != (l == nil) || c.whole != (o == nil) {
			t.Errorf("%s: divided %t, and with all at hand %t", c.name, l != nil, o != nil)
		}
		if l != nil && o != nil {
			divides(t, c.name, c.body, l, o.Items)
		}
	}
}

// divides checks that the chunks of a text end where its items end.
func divides(t *testing.T, name, body string, l *yaml.ChunkedText, items []text.Span) {
	t.Helper()
	if first, last := items[0].Start, items[len(items)-1].End; l.Head != body[:first] || l.Tail != body[last:] {
		t.Errorf("%s: the head is %.80q, the tail %.80q", name, l.Head, l.Tail)
	}
	next := items[0].Start
	for _, chunk := range l.Chunks {
		n := slices.IndexFunc(items, func(item text.Span) bool { return item.End == chunk.End })
		if chunk.Start != next || n < 0 {
			t.Fatalf("%s: a chunk is %v, and %d is due", name, chunk, next)
		}
		next = chunk.End
	}
	if next != items[len(items)-1].End || len(l.Chunks) < len(items)/64 {
		t.Errorf("%s: %d chunks end at %d", name, len(l.Chunks), next)
	}
}

// TestSplitLongLines: the same of JSONL.
func TestSplitLongLines(t *testing.T) {
	line := `{"id":"` + strings.Repeat("x", 300) + `"}` + "\n"
	for name, body := range map[string]string{
		"short": "\n{}\n\n{}", "long": strings.Repeat(line+"\n", 9000), "no break at the end": strings.Repeat(line, 9000) + "{}",
		"a wide line": strings.Repeat(line, 100) + `"` + strings.Repeat("y", 5<<20) + "\"\n" + line,
	} {
		l, err := yaml.ChunkJSONL(strings.NewReader(body), int64(len(body)))
		if err != nil || l == nil {
			t.Fatalf("%s: %v, %v", name, l, err)
		}
		divides(t, name, body, l, yaml.SplitJSONL(body))
	}
	if l, err := yaml.ChunkJSONL(strings.NewReader(" \n"), 2); l != nil || err != nil {
		t.Errorf("blank lines: %v, %v", l, err)
	}
}

// TestSplitLongFails: a text that is shorter than was said, or cannot be read, is an
// error.
func TestSplitLongFails(t *testing.T) {
	if _, err := yaml.ChunkYAML(strings.NewReader("list:\n  - x\n"), 100, "list"); err == nil {
		t.Error("what is not there is read")
	}
	broken := errors.New("disk")
	if _, err := yaml.ChunkJSONL(failing{broken}, 100); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// failing is a disk that breaks.
type failing struct{ err error }

func (f failing) ReadAt(p []byte, _ int64) (int, error) { return iotest.ErrReader(f.err).Read(p) }
