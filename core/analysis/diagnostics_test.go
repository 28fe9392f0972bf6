package analysis_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// TestTopDiagnostics: of too many findings the most severe are returned, and of those the first,
// sorted by position.
func TestTopDiagnostics(t *testing.T) {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range 10 {
		fmt.Fprintf(&b, "  - id: c%d\n    expected_outcome: O\n    input: Q\n    wieght: 1\n    evaluator: nope\n    rubrics: [Is good]\n", i%8)
	}
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: b.String()})
	all := a.Diagnostics()
	for _, others := range []lint.Duplicates{nil, {"no such": {}}} {
		for n := range len(all) + 2 {
			got, more := a.TopDiagnostics(n, text.Span{Start: -1, End: -1}, others)
			if len(got) != min(n, len(all)) || more != len(all)-len(got) {
				t.Fatalf("%d of %d, and %d more", len(got), n, more)
			}
			left, least := map[diag.Severity]int{}, diag.Error
			for _, d := range all {
				left[d.Severity]++
			}
			for i, f := range got {
				left[f.Severity]--
				least = max(least, f.Severity)
				if i > 0 && f.Span.Start < got[i-1].Span.Start {
					t.Errorf("of %d the one at %d comes late", n, f.Span.Start)
				}
				if !slices.ContainsFunc(all, func(d diag.Diagnostic) bool { return reflect.DeepEqual(d, f) }) {
					t.Errorf("%v is not among all", f)
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

// TestTopDiagnosticsNear: findings near the cursor come first, and DiagnosticsIn returns them alone.
func TestTopDiagnosticsNear(t *testing.T) {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range 300 {
		fmt.Fprintf(&b, "  - id: c%d\n    expected_outcome: O\n    input: Q\n", i)
		if i != 200 {
			b.WriteString("    wieght: 1\n")
		} else {
			b.WriteString("    rubrics: [Is good]\n")
		}
	}
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: b.String()})
	place := a.Suite().Case("c200").Span
	for _, others := range []lint.Duplicates{nil, {"no such": {}}} {
		within := a.DiagnosticsIn(place, others)
		if len(within) == 0 {
			t.Fatal("nothing is found at the place")
		}
		for _, f := range within {
			if f.Span.End < place.Start || f.Span.Start > place.End {
				t.Errorf("%v is elsewhere", f.Span)
			}
		}
		elsewhere, _ := a.TopDiagnostics(10, text.Span{}, others)
		nearby, _ := a.TopDiagnostics(10, place, others)
		if containsAll(elsewhere, within) || !containsAll(nearby, within) || len(nearby) != 10 {
			t.Errorf("far %v near %v", containsAll(elsewhere, within), containsAll(nearby, within))
		}
		if few, more := a.TopDiagnostics(1, place, others); len(few) != 1 || more != len(a.Diagnostics())-1 {
			t.Errorf("%d, and %d more", len(few), more)
		}
	}
}

// containsAll reports whether all contains every finding of some.
func containsAll(all, some []diag.Diagnostic) bool {
	for _, f := range some {
		if !slices.ContainsFunc(all, func(g diag.Diagnostic) bool { return g.Span == f.Span && g.Code == f.Code }) {
			return false
		}
	}
	return true
}
