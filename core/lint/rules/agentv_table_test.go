package rules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// TestAgentVTables puts bad values under every key of AgentV's eval files. If lowering skips a
// test, a grader or a criterion, check must report an error.
func TestAgentVTables(t *testing.T) {
	attempts := 0
	for version, role := range map[agentv.Version]agentv.Role{agentv.Seed: agentv.Eval, agentv.V4: agentv.EvalV4, agentv.Head: agentv.EvalV4} {
		root := dialect.FileForRole(role, version).Type
		w := tableWalk{map[*schema.Type]bool{}, map[string]any{}, map[string]bool{}}
		w.walk(root, root.Name, func(v any) any { return v })
		for name, value := range w.bad {
			body, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			attempts++
			if kinds := lostKinds(string(body)); len(kinds) > 0 && len(errorsIn("x.eval.yaml", string(body))) == 0 {
				t.Errorf("%s %s: lowering leaves out %v, and check reports no error in\n%s", version, name, kinds, body)
			}
		}
	}
	if attempts < 1000 {
		t.Errorf("only %d files", attempts)
	}
}

// lostKinds are the kinds of losses in an eval file by which a run passes without
// something that the file has.
func lostKinds(body string) (kinds []string) {
	for _, l := range analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body}).Suite().Losses {
		if l.Level == rubric.Refuses || strings.HasSuffix(l.Kind, "_skipped") || strings.HasSuffix(l.Kind, "_dropped") {
			kinds = append(kinds, l.Kind)
		}
	}
	return kinds
}

// TestLostGraders: a test that loses its graders is an error, whatever else is wrong with it.
func TestLostGraders(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"beside an empty value":       {"tests:\n  - {id: a, input: Hi, expected_output: Hello, assertions: [], metadata: }\n", "nothing grades this test"},
		"beside an unknown key":       {"prompts: [P]\ntests:\n  - {id: a, vars: {x: Hi, expected_output: Hello}, asert: [Greets the user]}\n", "the runner skips this test: it has no assert"},
		"a misspelt key, no criteria": {"tests:\n  - {id: a, input: Hi, asertions: [Greets the user]}\n", "the runner skips this test: it has no criteria"},
		"a null assertion":            {"tests:\n  - {id: a, input: Hi, assertions: [Greets the user, null]}\n", "an item of `assertions` is null"},
		"null for the criteria":       {"tests:\n  - {id: a, input: Hi, criteria: null}\n", "`criteria` is null"},
		"a criterion without words":   {"tests:\n  - id: a\n    input: Hi\n    assertions:\n      - {type: rubrics, criteria: [Greets the user, {outcome: }]}\n", "`outcome` has no value"},
		"a message without content":   {"evalcases:\n  - {id: a, expected_outcome: x, input_messages: [{role: user, tool_calls: []}]}\n", "the runner drops it"},
	} {
		found := errorsIn("x.eval.yaml", c.body)
		if !slices.ContainsFunc(found, func(message string) bool { return strings.Contains(message, c.want) }) {
			t.Errorf("%s: %q", name, found)
		}
	}
}
