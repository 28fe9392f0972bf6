package rules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// TestRules proves every rule by its page. The rule reports the marked places of Bad, and no
// other rule reports more than info. Good has no diagnostics. Each fix removes a diagnostic.
func TestRules(t *testing.T) {
	fixable := map[string]bool{}
	for _, rule := range lint.All() {
		t.Run(rule.ID, func(t *testing.T) {
			body, marks := lint.ParseMarkers(rule.Bad)
			a := analysis.Of(analysis.RuleExample(rule, body))
			var got [][2]int
			for _, d := range a.Diagnostics() {
				switch {
				case d.Code == rule.ID:
					got = append(got, [2]int{d.Span.Start, d.Span.End})
				case d.Severity <= diag.Warning && !slices.Contains(rule.AlsoReports, d.Code):
					t.Errorf("Bad also reports %s: %s", d.Code, d.Message)
				}
			}
			if len(marks) > 0 && !slices.Equal(got, marks) {
				t.Errorf("Bad reports %v, marked is %v", markedTexts(body, got), markedTexts(body, marks))
			}
			if len(got) == 0 {
				t.Error("Bad reports nothing")
			}
			good := analysis.Of(analysis.RuleExample(rule, rule.Good))
			for _, d := range good.Diagnostics() {
				if slices.Contains(rule.AlsoReports, d.Code) {
					continue
				}
				t.Errorf("Good reports %s: %s", d.Code, d.Message)
			}
			for _, d := range a.Diagnostics() {
				for _, f := range d.Fixes {
					fixable[d.Code] = true
					assertFixHelps(t, rule, a, d, f)
				}
			}
		})
	}
	if 3*len(fixable) < 2*len(lint.All()) {
		t.Errorf("the examples show fixes of %d of %d rules, fewer than two thirds", len(fixable), len(lint.All()))
	}
	t.Logf("the examples show fixes of %d of %d rules", len(fixable), len(lint.All()))
}

func errorsAndWarnings(a *analysis.Analysis) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(a.Diagnostics()), func(d diag.Diagnostic) bool { return d.Severity > diag.Warning })
}

func markedTexts(body string, list [][2]int) []string {
	var out []string
	for _, s := range list {
		out = append(out, body[s[0]:s[1]])
	}
	return out
}

func assertFixHelps(t *testing.T, rule *lint.Rule, a *analysis.Analysis, d diag.Diagnostic, f diag.Fix) {
	t.Helper()
	body, err := text.Apply(a.Source().Body, f.Edits)
	if err != nil {
		t.Fatalf("fix %q: %v", f.Title, err)
	}
	after := analysis.Of(analysis.RuleExample(rule, body))
	if len(after.Diagnostics()) >= len(a.Diagnostics()) {
		t.Errorf("fix %q of %q leaves %v", f.Title, d.Message, after.Diagnostics())
	}
}

// TestPages checks the form of ids, summaries, pages and messages.
func TestPages(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	for _, r := range lint.All() {
		switch {
		case !id.MatchString(r.ID):
			t.Errorf("%s: an id is kebab-case, of two words at least", r.ID)
		case r.Summary == "" || strings.HasSuffix(r.Summary, "."):
			t.Errorf("%s: the summary is one sentence without a period", r.ID)
		case r.Severity == 0 || len(r.Why) < 40:
			t.Errorf("%s: no severity, or Why has fewer than 40 characters", r.ID)
		}
		page := analysis.RulePage(r, false)
		if !strings.Contains(page, "["+r.ID+"]") {
			t.Errorf("%s: its page shows no report of it:\n%s", r.ID, page)
		}
		body, _ := lint.ParseMarkers(r.Bad)
		for _, d := range analysis.Of(analysis.Input{Path: "x.yaml", Text: body}).Diagnostics() {
			if d.Message == "" || strings.HasSuffix(d.Message, ".") || strings.ToLower(d.Message[:1]) != d.Message[:1] {
				t.Errorf("%s: %q is no sentence in lower case without a period", d.Code, d.Message)
			}
		}
	}
}

// TestNothingIsLostInSilence: for every loss in lowering, some rule reports something.
func TestNothingIsLostInSilence(t *testing.T) {
	for _, body := range lossyBodies {
		text := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n" + body
		if strings.HasPrefix(body, "evalcases") || strings.HasPrefix(body, "- ") {
			text = body
		}
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: text})
		if len(a.Suite().Losses) == 0 {
			t.Errorf("the runner loses nothing of\n%s", text)
		}
		if len(errorsAndWarnings(a)) == 0 {
			t.Errorf("nothing is reported for %v in\n%s", a.Suite().Losses, text)
		}
	}
}

// lossyBodies are the ends of one case, or whole files, each of which loses something.
var lossyBodies = []string{
	"- a\n", "evalcases: 5\n", "evalcases:\n  - text\n",
	"evalcases:\n  - id: a\n    input: Q\n",
	"evalcases:\n  - id: 5\n    expected_outcome: O\n    input: Q\n",
	"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    input_messages: x\n",
	"evalcases:\n  - id: a\n    expected_outcome: O\n    input: [{ role: bot, content: x }, { role: user, content: y }]\n",
	"evaluator: nope\nevalcases: []\n"[len("evaluator: nope\n"):] + "evaluator: nope\n",
	"    rubrics: text\n",
	"    rubrics: [5]\n", "    rubrics: [{ id: x }]\n", "    rubrics: [{ outcome: x }]\n",
	"    rubrics: [{ expected_outcome: x, weight: high }]\n",
	"    rubrics: [{ expected_outcome: x, required: maybe }]\n",
	"    rubrics: [{ expected_outcome: x, required_min_score: '7', score_ranges: { 0: a } }]\n",
	"    rubrics: [{ expected_outcome: x, score_ranges: 5 }]\n",
	"    rubrics: [{ expected_outcome: x, score_ranges: { 0: a, 11: b } }]\n",
	"    rubrics: [{ expected_outcome: x, score_ranges: { 3: a } }]\n",
	"    rubrics: [{ expected_outcome: x, score_ranges: { 0: a, '05': b } }]\n",
	"    rubrics: [{ expected_outcome: x, score_ranges: [{ score_range: [0, 10] }] }]\n",
	"    rubrics: [{ expected_outcome: x, score_ranges: [{ expected_outcome: y }] }]\n",
	"    evaluators: text\n", "    evaluators: [{ type: latency, threshold: 5 }]\n", "    evaluators: [{ name: x, type: nope }]\n",
	"    evaluators: [{ name: x, type: rubric }]\n",
	"    evaluators: [{ name: x, type: llm_judge, rubrics: [text] }]\n",
	"    evaluators: [{ name: x, type: llm_judge, rubrics: [{ id: y }] }]\n",
	"    evaluators: [{ name: x, type: llm_judge, rubrics: [{ id: y, expected_outcome: z, required_min_score: 99 }] }]\n",
	"    evaluators: [{ name: x, type: llm_judge, rubrics: [{ id: y, score_ranges: [{ score_range: [0, 3], expected_outcome: z }] }] }]\n",
	"    evaluators: [{ name: x, type: llm_judge, prompt: p, rubrics: [{ id: y, expected_outcome: z }] }]\n",
	"    evaluators: [{ name: x, type: llm_judge, weight: -1 }]\n", "    evaluators: [{ name: x, type: llm_judge, weight: heavy }]\n",
	"    evaluators: [{ name: x, type: llm_judge, weight: .inf }]\n",
	"    evaluators: [{ name: x, type: code_judge }]\n", "    evaluators: [{ name: x, type: code_judge, script: [a, 1] }]\n",
	"    evaluators: [{ name: x, type: latency, threshold: -1 }]\n", "    evaluators: [{ name: x, type: cost }]\n",
	"    evaluators: [{ name: x, type: token_usage }]\n", "    evaluators: [{ name: x, type: execution_metrics, exploration_tolerance: 1 }]\n",
	"    evaluators: [{ name: x, type: composite, evaluators: [{ name: y, type: cost, budget: 1 }] }]\n",
	"    evaluators: [{ name: x, type: composite, aggregator: { type: sum }, evaluators: [{ name: y, type: cost, budget: 1 }] }]\n",
	"    evaluators: [{ name: x, type: composite, aggregator: { type: code_judge }, evaluators: [{ name: y, type: cost, budget: 1 }] }]\n",
	"    evaluators: [{ name: x, type: composite, aggregator: { type: weighted_average }, evaluators: [] }]\n",
	"    evaluators: [{ name: x, type: composite, aggregator: { type: llm_judge }, evaluators: [{ name: y, type: llm_judge, prompt: p }] }]\n",
	"    evaluators: [{ name: x, type: tool_trajectory, mode: zzz }]\n", "    evaluators: [{ name: x, type: tool_trajectory, mode: any_order }]\n",
	"    evaluators: [{ name: x, type: tool_trajectory, mode: exact }]\n",
	"    evaluators: [{ name: x, type: tool_trajectory, mode: exact, expected: [{ tool: 5 }, { tool: a }] }]\n",
	"    evaluators: [{ name: x, type: tool_trajectory, mode: any_order, minimums: { a: x, b: 1 } }]\n",
	"    evaluators: [{ name: x, type: field_accuracy }]\n", "    evaluators: [{ name: x, type: field_accuracy, fields: [{ match: exact }, { path: a, match: exact }] }]\n",
	"    evaluators: [{ name: x, type: field_accuracy, fields: [{ path: b, match: fuzzy }, { path: a, match: exact }] }]\n",
}

// TestLaterReferences: references to files are checked in every version.
func TestLaterReferences(t *testing.T) {
	const body = "execution: { target: prood }\ntests:\n  - id: a\n    criteria: It works\n    input: [{ role: user, content: [{ type: file, value: gone.md }] }]\n"
	a := analysis.Of(analysis.Input{
		Path: "x.eval.yaml", Text: body, Targets: []string{"prod"}, ReadFile: func(string) (string, bool) { return "", false },
	})
	empty := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: "tests: []\n"})
	other := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: "evalcases:\n  - { id: a, expected_outcome: O, input: Q }\ntests: []\n"})
	if slices.ContainsFunc(other.Diagnostics(), func(d diag.Diagnostic) bool { return d.Code == "no-cases" }) {
		t.Error("another version's empty list makes a file with cases one without")
	}
	var got []string
	for _, d := range append(errorsAndWarnings(a), errorsAndWarnings(empty)...) {
		got = append(got, d.Code)
	}
	if want := []string{"unknown-target", "missing-file", "no-cases"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTargetsWithoutDefinition: some names of targets need no targets file.
func TestTargetsWithoutDefinition(t *testing.T) {
	for name, want := range map[string]int{"self": 0, "openai:gpt-4.1": 0, "'cli:./agent {PROMPT}'": 0, "answers.jsonl": 0, "prod": 0, "selfie": 1} {
		body := "execution: { target: " + name + " }\nevalcases: [{ id: a, expected_outcome: O, input: Q }]\n"
		a := analysis.Of(analysis.Input{Path: "x.yaml", Text: body, Targets: []string{"prod"}})
		if found := errorsAndWarnings(a); len(found) != want {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestJudgeTargets: a judge_target is one of the file's targets or the name of a judge.
func TestJudgeTargets(t *testing.T) {
	const body = `$schema: agentv-targets-v2.2
targets:
  - { name: prod, provider: mock, judge_target: jugde }
  - { name: test, provider: mock, judgeTarget: tset }
  - { name: judge, provider: mock, judge_target: judge }
  - { name: c, provider: mock, judge_target: offline }
  - { name: d, provider: mock, judge_target: openai:gpt-4.1 }
  - { name: e, provider: mock, judge_target: "${{ JUDGE }}" }
  - { name: f, provider: mock }
`
	var got []string
	for _, d := range errorsAndWarnings(analysis.Of(analysis.Input{Path: "targets.yaml", Text: body})) {
		got = append(got, d.Code+" "+d.Message)
	}
	want := []string{
		"unknown-target there is no target `jugde` in the targets file; did you mean `judge`?",
		"unknown-target there is no target `tset` in the targets file; did you mean `test`?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
