package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
)

// TestLaterVersions: files of later versions are checked against their own version, and fixes
// rename keys of another version. The field mended is the text after all safe fixes, "" if
// there are none.
func TestLaterVersions(t *testing.T) {
	for _, c := range []struct{ name, path, body, want, mended string }{
		{"a test of 4.42.4 in a file of July 2026", "x.eval.yaml", `
prompts: ["{{ input }}"]
tests:
  - id: a
    vars: { input: Hi }
    assertions:
      - type: rubrics
        criteria: [Greets the user]
`, "error other-version `assertions` is the name in stable-4.42.4 of AgentV; in this file's version it is `assert`", `
prompts: ["{{ input }}"]
tests:
  - id: a
    vars: { input: Hi }
    assert:
      - type: llm-rubric
        value: [Greets the user]
`},
		{"a key that nobody knows", "x.eval.yaml", `
prompts: ["{{ input }}"]
tests:
  - id: a
    vars: { input: Hi }
    colour: red
    assert: [{ type: contains, value: Hi, wieght: 2 }]
`, "warning unknown-key unknown key `colour` in this test; the runner ignores it, and its `validate` refuses the file\n" +
			"error unknown-key unknown key `wieght`; the runner goes on without it; did you mean `weight`?", ""},
		{"keys that are gone", "x.eval.yaml", `
prompts: [P]
workers: 3
repeat: 2
tests:
  - id: a
    assert: [Greets the user]
`, "error retired-key `workers` is not read since July 2026 at the latest; the runner refuses the file\n" +
			"warning retired-key `repeat` is not read since July 2026 at the latest; the runner ignores it, and its `validate` refuses the file; its name is `evaluate_options.repeat` now", ""},
		{"values", "x.eval.yaml", `
prompts: [P]
threshold: 2
tests:
  - id: a
    assert:
      - { type: latency }
      - { type: contains-all, value: Hi }
      - { type: levenshtein, value: Hi }
      - { type: contians, value: Hi }
      - { type: llm-rubric, value: [{ outcome: Greets the user, min_score: 0, operator: maybe }] }
`, "error out-of-bounds `threshold` is 2; expected a number from 0 to 1\n" +
			"error missing-key this `latency` assertion has no `threshold`; the runner skips the assertion\n" +
			"error wrong-type expected a list for `value`, found the text `Hi`; the runner skips the assertion\n" +
			"error unknown-value unknown `type` `levenshtein`; the runner skips the assertion\n" +
			"error unknown-value `type` `contians` is not known here; did you mean `contains`?\n" +
			"error out-of-bounds `min_score` is 0; expected a number above 0 and up to 1\n" +
			"error unknown-value unknown `operator` `maybe`; the runner ignores it; expected `correctness` or `contradiction`", ""},
		{"tool calls, as release 4 compares them", "x.eval.yaml", `
tests:
  - id: a
    criteria: Looks it up
    input: Hi
    assertions:
      - type: tool-trajectory
        mode: superset
        args_match: subset
        expected: [{ tool: search, args: { q: x }, args_match: [q, page.of], max_duration_ms: 9 }, { tool: open, args: any, args_match: ignore }]
      - { type: tool-trajectory, mode: subset, expected: [] }
`, "", ""},
		{"tool calls, compared in no way there is", "x.eval.yaml", `
tests:
  - id: a
    criteria: Looks it up
    input: Hi
    assertions:
      - { type: tool-trajectory, mode: exact, args_match: exakt, expected: [{ tool: search, args_match: superset, max_duration_ms: -1 }] }
`, "error unknown-value unknown `args_match` `exakt`; did you mean `exact`?\nerror out-of-bounds `max_duration_ms` is -1; expected a number of at least 0", ""},
		{"a colon in an assertion", "x.eval.yaml", `
prompts: [P]
tests:
  - id: a
    assert:
      - Be polite: greet the user
`, "error colon-in-text the colon makes this text a mapping; quote it", `
prompts: [P]
tests:
  - id: a
    assert:
      - "Be polite: greet the user"
`},
		{"a test that nothing grades", "x.eval.yaml", `
prompts: [P]
tests:
  - id: a
    assert: []
  - assert: [Greets the user]
`, "error loader-loss nothing grades this test; its score is 1, whatever the answer\n" +
			"error loader-loss the runner skips this test: it has no id", ""},
		{"a test that stands for several cases", "x.eval.yaml", `
prompts: ["{{ x }}"]
tests:
  - id: a
    vars: { x: [one, two] }
    assert: [Greets the user]
scenarios:
  - config: [{ vars: { x: one } }, { vars: { x: two } }]
    tests:
      - id: b
        assert: [Greets the user]
`, "", ""},
		{"a prompt for all rubrics", "x.eval.yaml", `
prompts: [P]
default_test: { options: { rubric_prompt: "Is it good? {{ output }}" } }
tests:
  - id: a
    assert: [{ type: llm-rubric }]
`, "", ""},
		{"a rubric without anything", "x.eval.yaml", `
prompts: [P]
tests:
  - id: a
    assert: [Greets the user, { type: llm-rubric }]
`, "error missing-key this `llm-rubric` assertion has neither `value` nor `prompt`; the runner skips the assertion", ""},
		{"older names", "x.eval.yaml", `
tests:
  - id: a
    input: Hi
    expected_outcome: Greets the user
    assert: [Greets the user]
`, "warning older-name `expected_outcome` is a deprecated name of `criteria`; the runner reads it for older files only\n" +
			"warning older-name `assert` is a deprecated name of `assertions`; the runner reads it for older files only", `
tests:
  - id: a
    input: Hi
    criteria: Greets the user
    assertions: [Greets the user]
`},
		{"a file of tests alone", "cases.yaml", `
- id: a
  vars: { input: Hi }
  assert: [{ type: equals }]
`, "error missing-key this `equals` assertion has no `value`; the runner skips the assertion", ""},
		{"lines", "cases.jsonl", `{"id": "a", "input": "Hi", "assertions": [{"type": "llm_judge"}]}
`, "error other-version `llm_judge` is the name in seed of AgentV; in this file's version it is `llm-grader`", ""},
		{"providers", ".agentv/providers.yaml", `
providers:
  - label: main
    api_key: x
`, "error missing-key this provider has no `id`; the runner refuses the provider", ""},
		{"scenarios alone", "rows.yaml", `
- config: [{ vars: { x: 1 } }]
  tests: [{ asert: [A] }]
`, "error unknown-key unknown key `asert`; the runner ignores it, and its `validate` refuses the file; did you mean `assert`?", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := analysis.Of(analysis.Input{Path: c.path, Text: c.body})
			var got []string
			for _, d := range a.Diagnostics() {
				if d.Severity <= diag.Warning {
					got = append(got, fmt.Sprint(d.Severity, " ", d.Code, " ", d.Message))
				}
			}
			if text := strings.Join(got, "\n"); text != c.want && (c.mended == "" || !strings.HasPrefix(text, c.want)) {
				t.Errorf("got\n%s\nwant\n%s", text, c.want)
			}
			if fixed, rules := a.ApplyFixes(false); (rules != nil) != (c.mended != "") || rules != nil && fixed.Source().Body != c.mended {
				t.Errorf("fixed\n%s\nwant\n%s", fixed.Source().Body, c.mended)
			}
		})
	}
}
