package analysis_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

const file = "evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: Hi\n"

func analyse(path, body string) *analysis.Analysis {
	return analysis.Of(analysis.Input{Path: path, Text: body})
}

func joinCodes(a *analysis.Analysis) string {
	var all []string
	for _, d := range a.Diagnostics() {
		all = append(all, d.Code)
	}
	return strings.Join(all, " ")
}

// TestRoles: name, content and neighbouring files decide the role of a file.
func TestRoles(t *testing.T) {
	sidecar := "dataset: shop\nevaluator: code_judge\n"
	line := `{"id":"a","expected_outcome":"O","input":"Q"}` + "\n\n" + `{"id":"b","expected_outcome":"O","input":"Q","wieght":1}` + "\n"
	for _, c := range []struct {
		in         analysis.Input
		role       string
		recognised bool
		cases      int
		codes      string
	}{
		{analysis.Input{Path: "x.yaml", Text: file}, "eval", true, 1, ""},
		{analysis.Input{Path: "x.yaml", Text: "kind: Deployment\n"}, "eval", false, 0, "missing-key unknown-key"},
		{analysis.Input{Path: "x.eval.yaml", Text: "evalcase: []\n"}, "eval", true, 0, "unknown-key"},
		{analysis.Input{Path: "x.eval.yaml", Text: "tests: []\n"}, "eval-v4", true, 0, "no-cases"},
		{analysis.Input{Path: "suite.yaml", Text: "prompts: [Say it]\ntests:\n  - { id: a, assert: [Says it, { type: contains, value: it }] }\n"}, "eval-v4", true, 1, ""},
		{analysis.Input{Path: "x.yaml", Text: "testcases: []\n"}, "eval", true, 0, "missing-key retired-key"},
		{analysis.Input{Path: `c:\evals\x.jsonl`, Text: line, Sidecar: &sidecar}, "cases", true, 2, "asserts-nothing asserts-nothing unknown-key"},
		{analysis.Input{Path: "x.jsonl", Text: `{"event":"click"}`}, "cases", false, 0, "missing-key missing-key missing-key unknown-key"},
		{analysis.Input{Path: "x.yaml", Text: sidecar, HasCases: true}, "sidecar", true, 0, ""},
		{analysis.Input{Path: "a/targets.yaml", Text: "targets: [{ name: a, provider: mock, respnse: x }]\n"}, "targets", true, 0, "unknown-key"},
		{analysis.Input{Path: "a/.agentv/config.yaml", Text: "guideline_patterns: [1]\n"}, "config", true, 0, "wrong-type"},
		{analysis.Input{Path: "t.yaml", Text: "$schema: agentv-targets-v2.2\ntargets: [{ name: a, provider: fax }]\n"}, "targets", true, 0, "unknown-value"},
	} {
		a := analysis.Of(c.in)
		if string(a.Role()) != c.role || a.Recognised() != c.recognised || len(a.Suite().Cases) != c.cases || joinCodes(a) != c.codes {
			t.Errorf("%s %q: %s, recognised %v, %d cases, %s", c.in.Path, c.in.Text, a.Role(), a.Recognised(), len(a.Suite().Cases), joinCodes(a))
		}
	}
	a := analysis.Of(analysis.Input{Path: "x.jsonl", Text: line, Sidecar: &sidecar})
	if a.Suite().Name != "shop" || a.Suite().Cases[1].Fallback != "code_judge" {
		t.Errorf("the sidecar does not count: %+v", a.Suite())
	}
}

// TestFixed applies safe fixes until none is left.
func TestFixed(t *testing.T) {
	body := "evalcases:\n  - id: 7\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - { expectedOutcome: x, required: yes, weight: '2', wieght: 3 }\n"
	fixed, rules := analyse("x.yaml", body).ApplyFixes(false)
	changed := rules != nil
	if !changed || !strings.Contains(fixed.Source().Body, `- { expected_outcome: x, required: true, weight: 2, wieght: 3 }`) || joinCodes(fixed) != "unknown-key" {
		t.Errorf("%v %s\n%s", changed, joinCodes(fixed), fixed.Source().Body)
	}
	if same, rules := analyse("x.yaml", file).ApplyFixes(false); rules != nil || same.Source().Body != file {
		t.Error("a file without faults is changed")
	}
}

// TestDialectCorpus: real files that the runner reads have no errors, and files of all
// dialects are analysed without a panic.
func TestDialectCorpus(t *testing.T) {
	seeds := 0
	for _, file := range append(corpustest.Files(t, "", ""), corpustest.Files(t, corpustest.Faulty, "")...) {
		path := file.Path
		_, missing := os.Stat(filepath.Join("..", "..", strings.TrimSuffix(path, filepath.Ext(path))+".jsonl"))
		a := analysis.Of(analysis.Input{Path: path, Text: file.Body, HasCases: missing == nil})
		if !strings.Contains(path, "agentv-seed") || !a.Recognised() {
			continue
		}
		seeds++
		for _, found := range a.Diagnostics() {
			if found.Severity == diag.Error {
				t.Errorf("%s: %s %s", path, found.Code, found.Message)
			}
		}
	}
	if seeds < 8 {
		t.Fatalf("only %d seed files", seeds)
	}
}

// TestEndless: evaluators that contain themselves, or each other ten times, are reported
// and not followed.
func TestEndless(t *testing.T) {
	composite := func(members string) string {
		return "{ name: x, type: composite, aggregator: { type: weighted_average }, evaluators: " + members + " }"
	}
	bomb := "evaluators:\n  - &e0 { name: x, type: cost, budget: 1 }\n"
	for i := range 12 {
		last := "*e" + strconv.Itoa(i)
		bomb += "  - &e" + strconv.Itoa(i+1) + " " + composite("["+strings.Repeat(last+", ", 10)+"]") + "\n"
	}
	for body, want := range map[string]string{
		file + "    evaluators: [&e " + composite("[*e]") + "]\n":       "alias-cycle",
		file + "    " + strings.ReplaceAll(bomb, "\n", "\n    ") + "\n": "beyond-limits",
	} {
		if a := analyse("x.yaml", body); !strings.Contains(joinCodes(a), want) || len(a.Suite().Cases) != 0 {
			t.Errorf("%s in\n%.300s", joinCodes(a), body)
		}
	}
}

// FuzzAnalysis: no text causes a panic, and all spans are in the text.
func FuzzAnalysis(f *testing.F) {
	f.Add("x.yaml", file)
	f.Add("x.jsonl", `{"id":"a"}`)
	for _, r := range lint.All() {
		body, _ := lint.ParseMarkers(r.Bad)
		f.Add(analysis.RuleExample(r, body).Path, body)
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		a := analyse(path, body)
		for _, d := range a.Diagnostics() {
			spans := append([]diag.Note{{Span: d.Span}}, d.Notes...)
			for _, n := range spans {
				if n.Span.Start < 0 || n.Span.End < n.Span.Start || n.Span.End > len(body) {
					t.Fatalf("%s at %v of %d bytes", d.Code, n.Span, len(body))
				}
			}
			if lint.Find(d.Code) == nil || d.Message == "" {
				t.Fatalf("%+v", d)
			}
		}
		a.ApplyFixes(false)
	})
}

// TestFixedBringsNothingNew: a fix that would break another rule is skipped, and the other
// fixes are applied.
func TestFixedBringsNothingNew(t *testing.T) {
	body := "evalcases:\n  - { id: 1, expected_outcome: O, input: Q }\n  - { id: \"1\", expected_outcome: O, input: Q, rubrics: [{ expected_outcome: x, required: yes }] }\n"
	fixed, rules := analyse("x.yaml", body).ApplyFixes(false)
	changed := rules != nil
	if !changed || !strings.Contains(fixed.Source().Body, "required: true") || !strings.Contains(fixed.Source().Body, "{ id: 1,") || joinCodes(fixed) != "wrong-type" {
		t.Errorf("%v %s\n%s", changed, joinCodes(fixed), fixed.Source().Body)
	}
}
