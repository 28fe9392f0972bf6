// These tests are long and sequential, so the race detector would only slow them down.

//go:build !race

package analysis_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// TestEarlierVersionsAreLetGo: an analysis after many edits holds the memory of one version.
func TestEarlierVersionsAreLetGo(t *testing.T) {
	padding := "# " + strings.Repeat("x", 10_000) + "\n"
	for name, body := range map[string]string{
		"in one piece":        padding + "evalcases: [{ id: a, input: q, wieght: 1 }]\n",
		"divided":             padding + "evalcases:\n  - id: a\n    input: q\n    wieght: 1\n",
		"JSON lines":          `{"id":"a","input":"q","wieght":1}` + "\n",
		"an ADK config":       `{"criteria":{"safety_v1":0.5,"nope":1}}`,
		"none of ours at all": padding + "a: 1\n",
	} {
		path := map[string]string{"JSON lines": "x.jsonl", "an ADK config": "test_config.json"}[name]
		if path == "" {
			path = "x.eval.yaml"
		}
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		var early uint64
		for n := range 600 {
			at := strings.Index(body, "1")
			a = a.Edit(text.Edit{Span: text.Span{Start: at, End: at + 1}, New: "1"}, text.Edit{New: " "}, text.Edit{Span: text.Span{End: 1}})
			a.Diagnostics()
			a.Suite()
			if n == 100 {
				early = heapInUse()
			}
		}
		if late := heapInUse(); late > early+2<<20 {
			t.Errorf("%s: %d KiB after 600 edits, %d after 100", name, late>>10, early>>10)
		}
		runtime.KeepAlive(a)
	}
}

// TestOneTextIsKept: an analysis holds its own text, and none of the version that was opened.
func TestOneTextIsKept(t *testing.T) {
	before := heapInUse()
	list := strings.Repeat("  - id: a\n    input: "+strings.Repeat("x", 100_000)+"\n", 40)
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: "evalcases:\n" + list})
	a.Diagnostics()
	a = a.Edit(text.Edit{New: "# "})
	a = a.Edit(text.Edit{Span: text.Span{End: 2}})
	a.Diagnostics()
	list = ""
	if held := int(heapInUse()) - int(before); held > a.Length()*3/2 {
		t.Errorf("%d bytes of a text of %d", held, a.Length())
	}
	runtime.KeepAlive(a)
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
