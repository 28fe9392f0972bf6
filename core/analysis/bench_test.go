package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/analysis"
)

// manyCases is an eval file of n cases, each with a rubric like those people
// write: texts, weighted criteria, and score ranges.
func manyCases(n int) string {
	var b strings.Builder
	b.WriteString("description: A suite to measure with\nevalcases:\n")
	for i := range n {
		fmt.Fprintf(&b, `  # case %[1]d
  - id: case-%[1]d
    expected_outcome: Explains what happens with order %[1]d and what the customer can do next
    input:
      - role: user
        content: Where is order %[1]d? I have been waiting for it for two weeks.
    expected_output: Order %[1]d was shipped and is due on Monday.
    rubrics:
      - States that order %[1]d was shipped
      - id: next-step
        expected_outcome: Names a next step
        weight: 2
        required: false
      - id: tone
        expected_outcome: Apologises for the delay
        weight: 1.5
        required_min_score: 6
        score_ranges:
          0: No apology
          5: A short apology
          9: An apology that names the delay
`, i)
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
		analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
	}
}
