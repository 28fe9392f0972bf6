package analysis_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
)

// The yardstick: what a bare load of the same text costs.
func BenchmarkLibrary(b *testing.B) {
	body := []byte(corpustest.ManyCases(1000))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var doc library.Node
		if err := library.Unmarshal(body, &doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAnalysis(b *testing.B) {
	for path, body := range map[string]string{"x.eval.yaml": corpustest.ManyCases(1000), "promptfooconfig.yaml": manyTests(1000)} {
		b.Run(path, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				analysis.Of(analysis.Input{Path: path, Text: body}).Diagnostics()
			}
		})
	}
}

// BenchmarkKeystroke measures an edit in the middle of a file and the diagnostics after it.
func BenchmarkKeystroke(b *testing.B) {
	for _, file := range []struct {
		path  string
		cases func(int) string
		at    string // the edit's place
	}{
		{"x.eval.yaml", corpustest.ManyCases, "Names a"}, {"x.evalset.json", manyConversations, "Names the"}, {"promptfooconfig.yaml", manyTests, "Names a"},
	} {
		for _, n := range []int{10, 100, 1000, 10_000} {
			b.Run(fmt.Sprint(file.path, "/", n), func(b *testing.B) {
				body := file.cases(n)
				a := analysis.Of(analysis.Input{Path: file.path, Text: body})
				a.Diagnostics()
				at := strings.Index(body[len(body)/2:], file.at) + len(body)/2
				edits := []text.Edit{
					{Span: text.Span{Start: at, End: at}, New: "x"},
					{Span: text.Span{Start: at, End: at + 1}},
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					a = a.Edit(edits[i%2])
					a.Diagnostics()
				}
			})
		}
	}
}

// BenchmarkMemory measures the memory that an analysis of many cases holds, and its peak, as
// multiples of the file's size.
func BenchmarkMemory(b *testing.B) {
	for path, body := range map[string]string{"x.eval.yaml": corpustest.ManyCases(10_000), "x.evalset.json": manyConversations(10_000), "x.evalset_result.json": manyResults(10_000)} {
		b.Run(path, func(b *testing.B) {
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				a := analysis.Of(analysis.Input{Path: path, Text: body})
				a.Diagnostics()
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(a)
			}
			size := float64(len(body))
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/size, "kept/file")
			b.ReportMetric(float64(after.Sys)/size, "taken/file")
		})
	}
}

// manyTests is a configuration of promptfoo with n tests, each with a rubric.
func manyTests(n int) string {
	var b strings.Builder
	b.WriteString("prompts: ['Answer {{ question }} briefly.']\nproviders: [echo]\ntests:\n")
	for i := range n {
		fmt.Fprintf(&b, `  - description: Refund %d
    vars:
      question: When do I get my money back for order %d?
    assert:
      - type: contains
        value: 30 days
      - type: llm-rubric
        value: Names a date
        threshold: 0.5
`, i, i)
	}
	return b.String()
}

// manyConversations is a set of n cases of one turn, as ADK writes them.
func manyConversations(n int) string {
	var b strings.Builder
	b.WriteString("{\n  \"eval_set_id\": \"bank\",\n  \"eval_cases\": [")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `
    {
      "eval_id": "case_%d",
      "conversation": [
        {
          "user_content": { "parts": [{ "text": "What is my balance?" }], "role": "user" },
          "final_response": { "parts": [{ "text": "It is 120." }], "role": "model" },
          "intermediate_data": { "tool_uses": [{ "name": "get_balance", "args": { "account": "A-1" } }] },
          "rubrics": [
            { "rubric_id": "amount", "rubric_content": { "text_property": "Names the amount." }, "type": "FINAL_RESPONSE_QUALITY" }
          ]
        }
      ]
    }`, i)
	}
	b.WriteString("\n  ]\n}\n")
	return b.String()
}
