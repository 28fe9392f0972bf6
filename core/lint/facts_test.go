package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// TestDuplicateCaseIDs: files of one dataset report ids that an earlier file has.
func TestDuplicateCaseIDs(t *testing.T) {
	file := func(head string, ids ...string) string {
		for _, id := range ids {
			head += "\n" + strings.Replace("  - id: ID\n    expected_outcome: O\n    input: Q", "ID", id, 1)
		}
		return head + "\n"
	}
	shop := func(ids ...string) string { return file("dataset: shop\nevalcases:", ids...) }
	plain := func(ids ...string) string { return file("evalcases:", ids...) }
	line := `{"id":"a","expected_outcome":"O","input":"Q","rubrics":["Says hello"]}` + "\n"
	type named struct{ path, body string }
	for _, c := range []struct {
		name       string
		severities map[string]diag.Severity
		files      []named
		want       []string
	}{
		{"a dataset of two files", nil, []named{{"a/x.yaml", shop("a", "b")}, {"b/y.yaml", shop("c", "a")}},
			[]string{"b/y.yaml:6:9 warning another file of the dataset `shop` has a case `a`, a/x.yaml:3:9"}},
		{"of three", nil, []named{{"x.yaml", shop("a")}, {"y.yaml", shop("a")}, {"z.yaml", shop("a")}},
			[]string{"y.yaml:3:9 warning another file of the dataset `shop` has a case `a`, x.yaml:3:9", "z.yaml:3:9 warning another file of the dataset `shop` has a case `a`, x.yaml:3:9"}},
		{"two datasets", nil, []named{{"x.yaml", plain("a")}, {"y.yaml", plain("a")}}, nil},
		{"files that are called the same", nil, []named{{"a/dataset.yaml", plain("a")}, {"b/dataset.yaml", plain("a")}}, nil},
		{"in one folder", nil, []named{{`evals\x.yaml`, plain("a")}, {`evals\x.jsonl`, line}},
			[]string{`evals\x.jsonl:1:7 warning another file of the dataset ` + "`x` has a case `a`, " + `evals\x.yaml:2:9`}},
		{"one that is called as the other says", nil, []named{{"a/shop.yaml", plain("a")}, {"b/x.yaml", shop("a")}},
			[]string{"b/x.yaml:3:9 warning another file of the dataset `shop` has a case `a`, a/shop.yaml:2:9"}},
		{"twice in one file too", nil, []named{{"x.yaml", shop("a")}, {"y.yaml", shop("a", "a")}},
			[]string{"y.yaml:3:9 warning another file of the dataset `shop` has a case `a`, x.yaml:3:9", "y.yaml:6:9 error two cases have the id `a`, y.yaml:3:9"}},
		{"silenced", nil, []named{{"x.yaml", shop("a")}, {"y.yaml", shop("a  # rubric: ignore duplicate-case-id -- a copy")}}, nil},
		{"silenced for nothing", nil, []named{{"x.yaml", shop("a")}, {"y.yaml", shop("a", "b  # rubric: ignore duplicate-case-id -- a copy")}},
			[]string{"y.yaml:3:9 warning another file of the dataset `shop` has a case `a`, x.yaml:3:9", "y.yaml:6:12 warning `duplicate-case-id` reports nothing here to ignore"}},
		{"turned off", map[string]diag.Severity{"duplicate-case-id": 0}, []named{{"x.yaml", shop("a")}, {"y.yaml", shop("a")}}, nil},
		{"severity raised to error", map[string]diag.Severity{"duplicate-case-id": diag.Error}, []named{{"x.yaml", shop("a")}, {"y.yaml", shop("a")}},
			[]string{"y.yaml:3:9 error another file of the dataset `shop` has a case `a`, x.yaml:3:9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []*analysis.Analysis
			var ids []lint.CaseIDs
			for _, f := range c.files {
				a := analysis.Of(analysis.Input{Path: f.path, Text: f.body, Severities: c.severities})
				all, ids = append(all, a), append(ids, a.CaseIDs())
			}
			across := lint.FindDuplicateCaseIDs(ids)
			var got []string
			for i, a := range all {
				for _, d := range a.DiagnosticsWithDuplicates(across[i]) {
					got = append(got, formatDiagnostic(a.Source(), d))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func formatDiagnostic(src *text.Source, d diag.Diagnostic) string {
	formatted := fmt.Sprintf("%s %s %s", diag.FormatPosition(src, d.Span), d.Severity, d.Message)
	for _, n := range d.Notes {
		formatted += ", " + diag.FormatPosition(n.SourceOr(src), n.Span)
	}
	return formatted
}
