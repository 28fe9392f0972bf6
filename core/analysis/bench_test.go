package analysis_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// manyCases is an eval file of n cases, each with a rubric like those people
// write: texts, weighted criteria, and score ranges. Every hundredth has a key
// that is misspelt, and no other has a fault.
func manyCases(n int) string {
	var b strings.Builder
	b.WriteString("description: A suite to measure with\nevalcases:\n")
	for i := range n {
		note := "conversation_id"
		if i%100 == 7 {
			note = "converstion_id"
		}
		fmt.Fprintf(&b, `  # case %[1]d
  - id: case-%[1]d
    %[2]s: orders
    expected_outcome: Explains what happens with order %[1]d and what the customer can do next
    input:
      - role: user
        content: Where is order %[1]d? I have been waiting for it for two weeks.
    expected_output: Order %[1]d was shipped and is due on Monday.
    rubrics:
      - id: next-step
        expected_outcome: Names a next step for order %[1]d
        weight: 5
        required_min_score: 3
        score_ranges:
          0: No next step
          5: A vague one
          8: One that the customer can take today
      - id: apology
        expected_outcome: Apologises for the delay
        weight: 3
        score_ranges:
          0: No apology
          4: A short apology
          9: An apology that names the delay
`, i, note)
	}
	return b.String()
}

// The yardstick: what a bare load of the same text costs.
func BenchmarkLibrary(b *testing.B) {
	body := []byte(manyCases(1000))
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
	body := manyCases(1000)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body}).Diagnostics()
	}
}

// BenchmarkKeystroke measures an edit inside a case in the middle of a file and the
// diagnostics after it.
func BenchmarkKeystroke(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			body := manyCases(n)
			a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
			a.Diagnostics()
			at := strings.Index(body[len(body)/2:], "Names a") + len(body)/2
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

// BenchmarkMemory measures the memory that an analysis of many cases holds, and its peak, as
// multiples of the file's size.
func BenchmarkMemory(b *testing.B) {
	for path, body := range map[string]string{"x.eval.yaml": manyCases(10_000), "x.evalset.json": manyConversations(10_000), "x.evalset_result.json": manyResults(10_000)} {
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

// BenchmarkSet measures an edit inside a case in the middle of an ADK evalset and the
// diagnostics after it.
func BenchmarkSet(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			body := manyConversations(n)
			a := analysis.Of(analysis.Input{Path: "x.evalset.json", Text: body})
			a.Diagnostics()
			at := strings.Index(body[len(body)/2:], "Names the") + len(body)/2
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
