package adk_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// TestOpenCompact checks that cases read one by one equal those of the whole file, also in their
// measurements.
func TestOpenCompact(t *testing.T) {
	set, recorded := quickstart(t, "banking.evalset.json"), quickstart(t, "banking.evalset_result.json")
	for name, change := range map[string]func(string) string{
		"as it is":          func(s string) string { return s },
		"with comments":     func(s string) string { return strings.ReplaceAll(s, "\n    {", "\n    // one\n    {") },
		"on one line":       func(s string) string { return strings.ReplaceAll(s, "\n", " ") },
		"with long lines":   func(s string) string { return strings.ReplaceAll(s, "},\n", "}, ") },
		"without breaks":    func(s string) string { return strings.TrimSpace(s) },
		"Windows' breaks":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"half of it broken": func(s string) string { return strings.Replace(s, "\"role\"", "role", 1) },
	} {
		measured := func(open func(name, body string) adk.File) (all []metric.CaseResult) {
			trial := adk.LowerSet(metric.Latest, open("b.evalset.json", change(set))).
				Evaluation(adk.DefaultCriteria(), adk.LowerResults(metric.Latest, open("b.evalset_result.json", change(recorded))))
			measure := trial.Measure(metric.Ports{})
			for _, c := range trial.Suite.Cases {
				result, err := measure(context.Background(), c)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				all = append(all, result)
			}
			return all
		}
		if got, want := measured(adk.OpenCompact), measured(adk.Open); !reflect.DeepEqual(got, want) || len(got) == 0 {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
		lazy, whole := adk.LowerSet(metric.Latest, adk.OpenCompact("b.evalset.json", change(set))), adk.LowerSet(metric.Latest, adk.Open("b.evalset.json", change(set)))
		if !reflect.DeepEqual(lazy.Summary(), whole.Summary()) || lazy.ID != whole.ID || len(lazy.Cases) != len(whole.Cases) {
			t.Errorf("%s: the sets differ", name)
		}
		if got, want := adk.SummarizeEvalSet("b.evalset.json", change(set)), whole.Summary(); !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: the summary is %+v, want %+v", name, got, want)
		}
		for i, c := range lazy.Cases {
			if want := whole.Cases[i]; c.Span != want.Span || c.IDSpan != want.IDSpan || c.ID != want.ID || !reflect.DeepEqual(c.Rubrics, want.Rubrics) {
				t.Errorf("%s: case %s differs from the whole file's", name, c.ID)
			}
		}
	}
}

// quickstart returns a file of the banking agent's example.
func quickstart(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "quickstart", "banking", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
