package tables_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/reference"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestKeys holds the tables against what `agentv validate` says of each key.
func TestKeys(t *testing.T) {
	for _, row := range []struct {
		name    string
		version agentv.Version
		table   *schema.Type
		around  [2]string // of a key with a null
		path    string
	}{
		{"stable file", agentv.Stable, tables.StableEval, [2]string{"", ""}, ""},
		{"stable test", agentv.Stable, tables.StableTest, [2]string{"tests: [{", "}]"}, "tests[0]."},
		{"head file", agentv.Head, tables.HeadEval, [2]string{"", ""}, ""},
		{"head test", agentv.Head, tables.HeadTest, [2]string{"prompts: P\ntests: [{", "}]"}, "tests[0]."},
		{"default test", agentv.Head, tables.HeadEval.Field("default_test").Type.Choices[1], [2]string{"default_test: {", "}"}, "default_test."},
		{"options", agentv.Head, tables.HeadEval.Field("evaluate_options").Type, [2]string{"evaluate_options: {", "}"}, "evaluate_options."},
		{"run", agentv.Head, tables.HeadTest.Field("run").Type, [2]string{"tests: [{run: {", "}}]"}, "tests[0].run."},
	} {
		for _, f := range append(row.table.Fields, &schema.Field{Key: "nobody_knows"}) {
			for _, name := range f.Names() {
				body := row.around[0] + name + ": null" + row.around[1]
				verdict := "" // of the key, whatever is under it
				for _, found := range reference.EvalAt(row.version, yaml.Parse(text.New("", body)), reference.Beside{}) {
					if at := found.Path == row.path+name; at && strings.HasSuffix(found.Category, "_removed") {
						verdict = "removed"
					} else if at && strings.HasPrefix(found.Category, "unknown_field") {
						verdict = "unknown"
					}
				}
				want := ""
				switch {
				case f.Key == "nobody_knows":
					want = "unknown"
				case f.Retired != "":
					want = "removed"
				}
				if verdict != want && !leniently[row.name+" "+name] {
					t.Errorf("%s: `%s` is %q to validate, %q in the table", row.name, name, verdict, want)
				}
			}
		}
	}
}

// leniently are the keys that loaders read and validate does not know.
var leniently = map[string]bool{
	"stable file cases":   true, // the name of a day in between
	"stable test note":    true,
	"head file execution": true, // each key in it is removed
}

// TestOtherNames: every key and every type that another version has and this one
// has not is told by its name here.
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
		{agentv.Stable, "{tests: [{id: a, input_messages: Q, criteria: C}]}", "input_messages input"},
		{agentv.Stable, "{tests: [{id: a, input: Q, outcome: C}]}", "outcome criteria"},
		{agentv.Stable, "{prompts: P, tests: [{id: a, input: Q}]}", "prompts input"},
		{agentv.Stable, "{tests: [{id: a, input: Q, assertions: [{type: llm-rubric, value: A}]}]}", "llm-rubric llm-grader, value rubrics"},
		{agentv.Stable, "{tests: [{id: a, input: Q, assertions: [{type: code_judge, command: x, metric: m}]}]}", "code_judge code-grader"},
		{agentv.Stable, "{tests: [{id: a, input: Q, assertions: [{type: rubrics, criteria: [{description: A}]}]}]}", "description outcome"},
		{agentv.Stable, "{tests: [{id: a, input: Q, assertions: [{type: tool_trajectory, mode: exact, expected: []}]}]}", ""},
	} {
		found := conform.Check(tables.FileOf(agentv.Later, row.version).Type, yaml.Parse(text.New("", row.body)).Root())
		found = agentv.OtherVersions(row.version, found)
		var got []string
		for _, m := range found {
			if m.Kind == conform.OtherVersion {
				got = append(got, strings.TrimSpace(m.Key+" "+m.Near+" "+m.Under))
				if len(m.Known) == 0 {
					t.Errorf("%s: nobody knows %s", row.body, m.Key)
				}
			}
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s of %s: %q, want %q", row.body, row.version, got, row.want)
		}
	}
}

// TestOlderNames: what is read for the sake of older files is told, with the name
// to write.
func TestOlderNames(t *testing.T) {
	for body, want := range map[string]string{
		"{eval_cases: [{id: a, input: Q, expected_outcome: C, assert: [A], evaluators: []}]}":                          "eval_cases tests, expected_outcome criteria, assert assertions, evaluators ",
		"{tests: [{id: a, input: Q, assertions: [{type: rubrics, criteria: [{outcome: A, required_min_score: 7}]}]}]}": "required_min_score ",
		"{tests: [{id: a, input: Q, assertions: [{type: code-grader, script: x}]}]}":                                   "script ",
		"{tests: [{id: a, input: Q, criteria: C}]}":                                                                    "",
	} {
		var got []string
		for _, m := range conform.Check(tables.StableEval, yaml.Parse(text.New("", body)).Root()) {
			if m.Kind == conform.OlderName {
				got = append(got, m.Key+" "+m.Near)
			} else {
				t.Errorf("%s: %s %s", body, m.Kind, m.Key)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
