package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// TestWorst: of too many findings the most severe are given, and of those the
// first, in order of place.
func TestWorst(t *testing.T) {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range 10 {
		fmt.Fprintf(&b, "  - id: c%d\n    expected_outcome: O\n    input: Q\n    wieght: 1\n    evaluator: nope\n    rubrics: [Is good]\n", i%8)
	}
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: b.String()})
	all := a.Diagnostics()
	for _, others := range []lint.Elsewhere{nil, {"no such": {}}} {
		for n := range len(all) + 2 {
			got := a.Worst(n, others)
			if len(got) != min(n, len(all)) {
				t.Fatalf("%d of %d", len(got), n)
			}
			left, least := map[diag.Severity]int{}, diag.Error
			for _, d := range all {
				left[d.Severity]++
			}
			for i, d := range got {
				left[d.Severity]--
				least = max(least, d.Severity)
				if i > 0 && d.Span.Start < got[i-1].Span.Start {
					t.Errorf("of %d the one at %d comes late", n, d.Span.Start)
				}
			}
			for severity, n := range left {
				if n < 0 || severity < least && n > 0 {
					t.Errorf("%d of %s are left out, and one of %s is not", n, severity, least)
				}
			}
		}
	}
}
