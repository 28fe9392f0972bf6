// These tests are long and sequential, so the race detector would only slow them down.

//go:build !race

package analysis_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestRunSuite: RunSuite equals Suite, and AtLeast keeps all errors and warnings.
func TestRunSuite(t *testing.T) {
	inputs := editInputs()
	for _, collection := range []string{"", corpustest.Faulty} {
		for _, file := range corpustest.Files(t, collection, "") {
			inputs = append(inputs, analysis.Input{Path: file.Path, Text: file.Body})
		}
	}
	apart := 0
	for _, in := range inputs {
		plain := analysis.Of(in)
		in.ForRun, in.Severities = true, lint.AtLeast(diag.Warning, nil)
		got := analysis.Of(in)
		suite, is := got.RunSuite()
		if is {
			apart++
		}
		if a, b := asJSON(t, plain.Suite()), asJSON(t, suite); a != b {
			t.Errorf("%s is run as\n%s\nand is\n%s", in.Path, b, a)
		}
		if a, b := errorsIn(plain), errorsIn(got); !slices.Equal(a, b) {
			t.Errorf("%s: %q are found, and %q are there", in.Path, b, a)
		}
		in.SkipLint = true
		again := analysis.Of(in)
		if suite, _ := again.RunSuite(); len(again.Diagnostics()) > 0 || asJSON(t, suite) != asJSON(t, plain.Suite()) {
			t.Errorf("%s is another the second time, with %v", in.Path, again.Diagnostics())
		}
	}
	if apart < 20 {
		t.Errorf("%d of %d files can be cut", apart, len(inputs))
	}
}

func errorsIn(a *analysis.Analysis) (all []string) {
	for _, d := range a.Diagnostics() {
		if d.Severity <= diag.Warning {
			all = append(all, fmt.Sprint(d.Code, d.Span, d.Message))
		}
	}
	return all
}

// asJSON encodes the meaning of a suite, without spans, and each kind of loss once.
func asJSON(t *testing.T, s *rubric.Suite) string {
	t.Helper()
	var losses []string
	for _, loss := range s.Losses {
		losses = append(losses, fmt.Sprint(loss.Kind, loss.Fatal))
	}
	slices.Sort(losses)
	plain := *s
	plain.Losses = nil
	body, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %s", body, slices.Compact(losses))
}

// TestApart: RunSuite reports which files have independent cases.
func TestApart(t *testing.T) {
	const cases = "evalcases:\n  - { id: a, expected_outcome: O, input: Q }\n  - { id: b, expected_outcome: O, input: Q }\n"
	others := func(name string) (string, bool) {
		return "tests:\n  - { id: c, criteria: O, input: Q }\n", strings.HasSuffix(name, "more.yaml")
	}
	for _, c := range []struct {
		name, body string
		apart      bool
	}{
		{"cases", cases, true},
		{"what stands around them", "execution: { target: x }\n" + cases + "metadata: {}\n", true},
		{"an anchor before them", "defaults: &o O\n" + strings.ReplaceAll(cases, "outcome: O", "outcome: *o"), true},
		{"an anchor in one of them", strings.Replace(strings.Replace(cases, "outcome: O", "outcome: &o O", 1), "outcome: O", "outcome: *o", 1), false},
		{"an anchor in one alone", strings.Replace(cases, "outcome: O", "outcome: &o O", 1), false},
		{"in brackets", "evalcases: [{ id: a, expected_outcome: O, input: Q }]\n", false},
		{"scenarios of their own", "scenarios: [{ config: [{ vars: { x: y } }], tests: [{ criteria: O }] }]\nprompts: [\"{{x}}\"]\ntests:\n  - { criteria: O }\n", false},
		{"tests elsewhere", "tests:\n  - { id: a, criteria: O, input: Q }\n  - file://more.yaml\n", false},
	} {
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: c.body, ReadFile: others, ForRun: true})
		suite, apart := a.RunSuite()
		if apart != c.apart || asJSON(t, suite) != asJSON(t, a.Suite()) {
			t.Errorf("%s: apart %t, %d cases", c.name, apart, len(suite.Cases))
		}
	}
}
