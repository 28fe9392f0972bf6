// These tests are long and sequential, so the race detector would only slow them down.

//go:build !race

package analysis_test

import (
	"reflect"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// TestCaseRefs: CaseRefs and Case agree with Suite, in valid and half-typed files and after
// edits.
func TestCaseRefs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	elsewhere := func(name string) (string, bool) {
		return "tests:\n  - { id: far, input: Q, criteria: O }\n  - { id: farther, input: Q, criteria: O }\n", name == "other.yaml"
	}
	inputs := append(editInputs(),
		analysis.Input{Path: "x.eval.yaml", Text: "tests:\n  - { id: a, input: Q, criteria: O }\n  - file://other.yaml\n  - { id: b, input: Q, criteria: O }\n", ReadFile: elsewhere},
		analysis.Input{Path: "x.eval.yaml", Text: "prompts: [\"{{ x }}\"]\ntests:\n  - id: a\n    vars: { x: [one, two] }\n    assert: [Greets the user]\n" +
			"scenarios:\n  - config: [{ vars: { x: one } }, { vars: { x: two } }]\n    tests:\n      - id: b\n        assert: [Greets the user]\n"},
		analysis.Input{Path: "x.eval.yaml", Text: "# nothing\n"},
	)
	cases := 0
	for _, in := range inputs {
		a := analysis.Of(in)
		cases += assertSameCases(t, a)
		for _, at := range []int{0, a.Length() / 2, a.Length()} {
			assertSameCases(t, a.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: "\n"}))
			assertSameCases(t, a.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: "x"}))
		}
	}
	if cases < 200 {
		t.Errorf("only %d cases", cases)
	}
}

func assertSameCases(t *testing.T, a *analysis.Analysis) int {
	t.Helper()
	var want []analysis.CaseRef
	for _, c := range a.Suite().Cases {
		want = append(want, analysis.CaseRef{ID: c.ID, Span: c.SelectionSpan})
	}
	got := a.CaseRefs()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("there are %v, want %v, in\n%s", got, want, a.Source().Body)
	}
	for _, h := range got {
		if c, w := a.Case(h.ID), a.Suite().Case(h.ID); !reflect.DeepEqual(c, w) {
			t.Errorf("`%s` is\n%+v, want\n%+v, in\n%s", h.ID, c, w, a.Source().Body)
		}
	}
	if c := a.Case("no such case"); c != (*rubric.Case)(nil) {
		t.Errorf("there is %+v", c)
	}
	return len(got)
}
