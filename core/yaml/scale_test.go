// Much, one thing after another: the race detector is ten times as long over it and has
// nothing to see.

//go:build !race

package yaml_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestWorkGrowsWithTheText: eight times the broken lines take no more than
// about eight times the work, measured in bytes allocated, since that is the
// same on every machine.
func TestWorkGrowsWithTheText(t *testing.T) {
	const small, factor = 125, 8
	for _, c := range []struct{ name, before, unit, after string }{
		{"every item", "", "- id: \"a\n  b: c\n", ""},
		{"every nested item", "cases:\n", "  - id: x\n    foo\n    b: c\n    e: [a\n", ""},
		{"every value", "", "k: @a\n", ""},
		{"every key", "", "a: [\nb: c\n", ""},
		{"every key of one mapping", "a:\n  x:\n", "    b: \"\n    c: d\n", ""},
		{"every key of one item", "- a: b\n", "  c: @d\n", ""},
		{"every document", "", "---\na: 1\nfoo\nb: \"c\n", ""},
		{"items amid keys", "", "- a\nb: c\n", ""},
		{"text", "", "a b\n", "c: d"},
		{"conflicts", "", "<<<<<<< a\nb: c\n=======\nd: e\n>>>>>>> f\n", ""},
		{"tabs", "", "a:\n\tb: c\n", ""},
		{"carriage returns", "", "- id: \"a\r  b: c\r", ""},
		{"control characters", "", "\x00a: [\n", ""},
		{"line separators", "", "a\u2028b: [\n", ""},
		{"prose", "", "# Title\n\nSome *text*: with `code`.\n\n- item: [link](http://x)\n  * sub\n\n", ""},
		{"source code", "", "func main() {\n\tfmt.Println(\"a: b\")\n\tif x := y; z {\n\t}\n}\n", ""},
		{"a bracket at the start", "x: [\n", "a: b\nc: d\n", ""},
		{"a quote at the start", "x: \"\n", "a: b\nc: 'd'\n", ""},
		{"a quote at the end", "", "a: b\nc: 'd'\n", "x: \"\n"},
		{"half a line at the end", "", "- a: b\n  c: 'd'\n", "  foo\n"},
	} {
		less := allocated(c.before + strings.Repeat(c.unit, small) + c.after)
		more := allocated(c.before + strings.Repeat(c.unit, factor*small) + c.after)
		if more > 2*factor*less {
			t.Errorf("%s: %d KiB for %d, %d KiB for %d", c.name, less>>10, small, more>>10, factor*small)
		}
	}
}

func allocated(body string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	yaml.Parse(text.New("", body))
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
