package head_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestOtherNames checks that each key and type of another version is reported with this version's
// name for it.
func TestOtherNames(t *testing.T) {
	for _, row := range []struct {
		version agentv.Version
		body    string
		want    string
	}{
		{agentv.Head, "{prompts: P, tests: [{id: a, input: Q}]}", "input prompts"},
		{agentv.Head, "{prompts: P, tests: [{id: a, expected_output: Q}]}", "expected_output expected_output vars"},
		{agentv.Head, "{prompts: P, tests: [{id: a, assertions: [A]}]}", "assertions assert"},
		{agentv.Head, "{prompts: P, tests: [], assertions: [A]}", "assertions assert"},
		{agentv.Head, "{prompts: P, tests: [], target: t}", "target providers"},
		{agentv.Head, "{prompts: P, tests: [{id: a, assert: [{type: rubrics, criteria: [A]}]}]}", "rubrics llm-rubric, criteria value"},
		{agentv.Head, "{prompts: P, tests: [{id: a, assert: [{type: code-grader, command: x}]}]}", "code-grader script"},
		{agentv.Head, "{prompts: P, tests: [{id: a, assert: [{type: contains, value: x, name: n}]}]}", "name metric"},
		{agentv.Head, "{prompts: P, tests: [{id: a, assert: [{type: llm-rubric, value: [{expected_outcome: A, required_min_score: 7, score_ranges: {0: x}}]}]}]}",
			"expected_outcome outcome, required_min_score min_score"},
		{agentv.V4, "{tests: [{id: a, input_messages: Q, criteria: C}]}", "input_messages input"},
		{agentv.V4, "{tests: [{id: a, input: Q, outcome: C}]}", "outcome criteria"},
		{agentv.V4, "{prompts: P, tests: [{id: a, input: Q}]}", "prompts input"},
		{agentv.V4, "{tests: [{id: a, input: Q, assertions: [{type: llm-rubric, value: A}]}]}", "llm-rubric llm-grader, value rubrics"},
		{agentv.V4, "{tests: [{id: a, input: Q, assertions: [{type: code_judge, command: x, metric: m}]}]}", "code_judge code-grader"},
		{agentv.V4, "{tests: [{id: a, input: Q, assertions: [{type: rubrics, criteria: [{description: A}]}]}]}", "description outcome"},
		{agentv.V4, "{tests: [{id: a, input: Q, assertions: [{type: tool_trajectory, mode: exact, expected: []}]}]}", ""},
	} {
		found := conform.Check(dialect.FileForRole(agentv.EvalV4, row.version).Type, yaml.Parse(text.New("", row.body)).Root())
		found = agentv.MarkOtherVersions(row.version, found)
		var got []string
		for _, m := range found {
			if m.Kind == conform.OtherVersion {
				got = append(got, strings.TrimSpace(m.Key+" "+m.Suggestion+" "+m.NewParent))
				if len(m.KnownVersions) == 0 {
					t.Errorf("%s: no version knows %s", row.body, m.Key)
				}
			}
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s of %s: %q, want %q", row.body, row.version, got, row.want)
		}
	}
}

// TestOlderNames checks that names read only for older files are reported with the preferred name.
func TestOlderNames(t *testing.T) {
	for body, want := range map[string]string{
		"{eval_cases: [{id: a, input: Q, expected_outcome: C, assert: [A], evaluators: []}]}":                          "eval_cases tests, expected_outcome criteria, assert assertions, evaluators ",
		"{tests: [{id: a, input: Q, assertions: [{type: rubrics, criteria: [{outcome: A, required_min_score: 7}]}]}]}": "required_min_score ",
		"{tests: [{id: a, input: Q, assertions: [{type: code-grader, script: x}]}]}":                                   "script ",
		"{tests: [{id: a, input: Q, criteria: C}]}":                                                                    "",
	} {
		var got []string
		for _, m := range conform.Check(v4.EvalFile, yaml.Parse(text.New("", body)).Root()) {
			if m.Kind == conform.DeprecatedName {
				got = append(got, m.Key+" "+m.Suggestion)
			} else {
				t.Errorf("%s: %s %s", body, m.Kind, m.Key)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
