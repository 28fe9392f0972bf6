package assertion_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
)

const (
	stable = agentv.V4
	newest = agentv.Head
)

// TestList reads entries that the conformance cases do not cover.
func TestList(t *testing.T) {
	for _, c := range []struct {
		name    string
		version agentv.Version
		list    string
		want    string
	}{
		{"nothing", newest, ``, ``},
		{"no list", newest, `A`, `! warning evaluators_not_array_ignored`},
		{"neither text nor mapping", newest, `[42, A]`, `llm-rubric llm_judge/llm-rubric *1 (rubric-1 "A" *1 must=true)
! warning assertion_entry_invalid_skipped`},
		{"no type", newest, `[{value: x}]`, `! warning evaluator_invalid_name_or_type_skipped type`},
		{"texts are trimmed", stable, `[" A "]`, `rubrics llm_judge/llm-grader *1 (rubric-1 "A" *1 must=true)`},

		{"several texts", newest, `[{type: icontains-any, value: [a, 2, b]}]`, `icontains-any-3 deterministic/icontains-any *1 value=[a b]
! silent assert_value_item_dropped`},
		{"one text for several", newest, `[{type: contains-all, value: a}]`, `! warning assert_value_missing_skipped contains-all`},
		{"a number to look for", stable, `[{type: contains, value: 4}]`, `! warning assert_value_missing_skipped contains`},
		{"underscores once were", stable, `[{type: starts_with, value: a}]`, `starts-with-a deterministic/starts-with *1 value=a`},
		{"underscores are gone", newest, `[{type: starts_with, value: a}]`, "! error unsupported_assertion_type starts_with\nrefused unsupported_assertion_type"},
		{"a long regex", newest, `[{type: regex, value: "0123456789012345678901234567890123456789", flags: i, weight: 2}]`,
			`regex-012345678901234567890123456789 deterministic/regex *2 value=0123456789012345678901234567890123456789 flags=i`},
		{"a name", stable, `[{type: equals, value: a, name: n}, {type: equals, value: a, metric: n}]`,
			"n deterministic/equals *1 value=a\nequals-a deterministic/equals *1 value=a"},

		{"another tool's type", newest, `[{type: not-bleu}]`, "! error unsupported_assertion_type not-bleu\nrefused unsupported_assertion_type"},
		{"a plugin", newest, `[{type: min-words, count: 3, negate: true}]`, `min-words external/min-words *1 config=map[count:3] negated`},
		{"a service", newest, `[{type: similar, value: a, threshold: 0.5, provider: p, config: {k: v}}]`,
			`similar external/similar *1 value=a config=map[k:v provider:p] threshold=0.5`},
		{"a service without anything", newest, `[{type: python, value: " "}]`, `! warning assert_value_missing_skipped python`},
		{"a trace", newest, `[{type: trajectory:tool-used, value: bash, threshold: 2}]`,
			"trajectory:tool-used trace_steps/trajectory:tool-used *1 value=bash\n! silent threshold_invalid_ignored"},
		{"a trace that is not so", newest, `[{type: not-trajectory:tool-used, value: bash}]`, "trajectory:tool-used trace_steps/trajectory:tool-used *1 value=bash"},
		{"skills", newest, `[{type: skill-used, value: [a, b]}, {type: not-skill-used, value: c}, {type: skill-used, value: c, negate: true}]`,
			"skill-used-2 trace_steps/skill-used *1 value=[a b]\nnot-skill-used-c trace_steps/not-skill-used *1 value=c\n" +
				"skill-used-c trace_steps/skill-used *1 value=c negated\n! silent skill_negated_twice"},
		{"a skill", stable, `[{type: skill-trigger, skill: s, should_trigger: false}, {type: skill-trigger}]`,
			"skill-trigger-s trace_steps/skill-trigger *1 value=s config=map[should_trigger:false]\n! warning assert_value_missing_skipped skill"},

		{"a limit", newest, `[{type: latency, threshold: 5}, {type: cost, budget: x}]`, "latency latency/latency *1\n! warning budget_invalid_skipped"},
		{"a trajectory", stable, `[{type: tool-trajectory, mode: any_order, minimums: {a: 1}}, {type: tool_trajectory, mode: subset, expected: []}]`,
			"tool-trajectory tool_trajectory/tool-trajectory *1\ntool-trajectory tool_trajectory/tool-trajectory *1"},
		{"a trajectory without what its mode needs", stable, `[{type: tool-trajectory, mode: superset, minimums: {a: 1}}]`, "! warning expected_missing_skipped"},
		{"an endless weight", newest, `[{type: is-json, weight: .inf}]`, "is-json deterministic/is-json *1\n! error weight_not_finite\nrefused weight_not_finite"},
		{"a judge that has another name", stable, `[{type: llm-judge}]`, `! warning deprecated_field llm-judge`},
		{"weights", newest, `[{type: is-json, weight: -1}, {type: is-json, weight: x}]`,
			"is-json deterministic/is-json *1\nis-json deterministic/is-json *1\n! error weight_negative\n! error weight_not_number\nrefused weight_negative"},
		{"gates", newest, `[{type: is-json, required: yes, min_score: 2}, {type: is-json, required: 0.5}]`,
			"is-json deterministic/is-json *1\nis-json deterministic/is-json *1\n! silent rubric_min_score_ignored\n! silent rubric_required_defaulted\n! error required_numeric_removed\nrefused required_numeric_removed"},
		{"a gate as a number", stable, `[{type: is-json, required: 0.5}, {type: is-json, required: 0.5, min_score: 0.75}, {type: is-json, required: 7}]`,
			"is-json deterministic/is-json *1 required min=0.5\nis-json deterministic/is-json *1 required min=0.75\nis-json deterministic/is-json *1\n! warning deprecated_field required\n! warning deprecated_field required\n! silent rubric_required_defaulted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(assertion.Reader{Version: c.version}.ReadList(parse(c.list).Root())); got != c.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c.list, got, c.want)
			}
		})
	}
}
