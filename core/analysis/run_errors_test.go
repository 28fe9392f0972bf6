package analysis_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestRunErrors: an error in a case keeps that case from running, and any other error all of them.
func TestRunErrors(t *testing.T) {
	const good = "  - { id: good, expected_outcome: O, input: Q, rubrics: [Says so] }\n"
	const bad = "  - { id: bad, expected_outcome: O, input: Q, rubric: [Says so] }\n"
	all := func(*rubric.Case) bool { return true }
	only := func(id string) func(*rubric.Case) bool {
		return func(c *rubric.Case) bool { return c.ID == id }
	}
	for _, tt := range []struct {
		name, path, text string
		selects          func(*rubric.Case) bool
		blocking, left   []string
	}{
		{"no error", "x.yaml", "evalcases:\n" + good, all, nil, []string{"good"}},
		{"a warning", "x.yaml", "descripton: x\nevalcases:\n" + good, all, nil, []string{"good"}},
		{"in a case", "x.yaml", "evalcases:\n" + good + bad, all, []string{"unknown-key"}, []string{"good"}},
		{"in another case", "x.yaml", "evalcases:\n" + good + bad, only("good"), nil, []string{"good"}},
		{"in a case that is skipped", "x.yaml", "evalcases:\n" + good + "  - { id: bad, input: Q }\n", all, []string{"missing-key"}, []string{"good"}},
		{"outside", "x.yaml", "rubrics: [Says so]\nevalcases:\n" + good + bad, only("good"), []string{"unknown-key"}, []string{"good"}},
		{"in the order of the text", "x.yaml", "evalcases:\n" + bad + good + "rubrics: [Says so]\nevaluator: odd\n", all, []string{"unknown-key", "unknown-key", "unknown-value"}, []string{"good"}},
		{"in a test that is several cases", "x.eval.yaml", "prompts: [\"A {{ q }}\", \"B {{ q }}\"]\ntests:\n  - { id: t, vars: { q: Q }, asserts: [x], assert: [Says so], thresold: 0.5 }\n", all, []string{"unknown-key"}, nil},
	} {
		a := analysis.Of(analysis.Input{Path: tt.path, Text: tt.text})
		errs := analysis.FindRunErrors(a.Suite, a.Diagnostics())
		var codes, left []string
		for _, d := range errs.Blocking(tt.selects) {
			codes = append(codes, d.Code)
		}
		for _, c := range errs.WithoutFaulty(a.Suite().Cases) {
			left = append(left, c.ID)
		}
		if !slices.Equal(codes, tt.blocking) || !slices.Equal(left, tt.left) {
			t.Errorf("%s: %q block, %q are left; want %q and %q", tt.name, codes, left, tt.blocking, tt.left)
		}
	}
	panics := func() *rubric.Suite { panic("a fault") }
	if errs := analysis.FindRunErrors(panics, []diag.Diagnostic{{Code: diag.InternalError, Severity: diag.Error}}); len(errs.File) != 1 {
		t.Errorf("a file that cannot be read: %v", errs)
	}
	if errs := analysis.FindRunErrors(panics, []diag.Diagnostic{{Severity: diag.Warning}}); len(errs.File)+len(errs.Cases) != 0 {
		t.Errorf("a warning: %v", errs)
	}
}

func TestSidecar(t *testing.T) {
	in := analysis.Input{Path: "a/x.jsonl", Text: `{"id":"a","expected_outcome":"O","input":"Q"}`}
	if analysis.Of(in).Sidecar() != nil {
		t.Error("there is none")
	}
	text := "execution: { evaluator: [] }\n"
	in.Sidecar = &text
	if s := analysis.Of(in).Sidecar(); s == nil || s.Source().Name != "a/x.yaml" || joinCodes(s) != "unknown-key" {
		t.Errorf("%v", s)
	}
}
