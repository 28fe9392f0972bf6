package assertion_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
)

// TestRubric reads rubrics and judges.
func TestRubric(t *testing.T) {
	for _, c := range []struct {
		name    string
		version agentv.Version
		list    string
		want    string
	}{
		{"one criterion", newest, `[{type: llm-rubric, value: {id: a, outcome: A, min_score: 0.7, operator: contradiction}}]`,
			`llm-rubric llm_judge/llm-rubric *1 (a "A" *1 must=true min=7 contradiction)`},
		{"older names inside", newest, `[{type: llm-rubric, value: {rubrics: [A, {criteria: B}]}}, {type: llm-rubric, value: {criteria: C, weight: 3}}]`,
			"llm-rubric llm_judge/llm-rubric *1 value=map[rubrics:[A map[criteria:B]]]\nllm-rubric llm_judge/llm-rubric *1 (rubric-1 \"C\" *3 must=true)"},
		{"a list without criteria", newest, `[{type: llm-rubric, value: [{id: a, expected_outcome: A}]}]`,
			"llm-rubric llm_judge/llm-rubric *1 value=[map[expected_outcome:A id:a]]\n! silent rubric_value_free_form"},
		{"items that are none", newest, `[{type: llm-rubric, value: [A, 7, {id: x}, ""]}]`,
			"llm-rubric llm_judge/llm-rubric *1 (rubric-1 \"A\" *1 must=true)\n! warning rubric_item_not_object_skipped\n! warning rubric_missing_outcome_skipped\n! warning rubric_missing_outcome_skipped"},
		{"ranges are no gate", newest, `[{type: llm-rubric, value: [{id: a, required: true, score_ranges: {0: x, 7: y}}]}]`,
			"llm-rubric llm_judge/llm-rubric *1 (a \"\" *1 must=false 0-6=x 7-10=y)\n! silent required_ignored_with_ranges"},
		{"a range's text is lost", newest, `[{type: llm-rubric, value: [{id: a, score_ranges: {0: x, "07": y}}]}]`,
			"llm-rubric llm_judge/llm-rubric *1 (a \"\" *1 must=false 0-6=x)\n! error range_missing_outcome\nrefused range_missing_outcome"},
		{"an older minimum", newest, `[{type: llm-rubric, value: [{outcome: A, required_min_score: 8}]}]`,
			"llm-rubric llm_judge/llm-rubric *1 (rubric-1 \"A\" *1 must=true)\n! error required_min_score_removed\nrefused required_min_score_removed"},
		{"an older minimum, then", stable, `[{type: rubrics, criteria: [{outcome: A, required_min_score: 8}]}]`,
			"rubrics llm_judge/llm-grader *1 (rubric-1 \"A\" *1 must=true min=8)\n! warning deprecated_field required_min_score"},
		{"a broken older minimum", stable, `[{type: rubrics, criteria: [{outcome: A, required_min_score: 7.5}]}]`,
			"rubrics llm_judge/llm-grader *1 (rubric-1 \"A\" *1 must=true)\n! error required_min_score_invalid 7.5\nrefused required_min_score_invalid"},
		{"no criterion is left", stable, `[{type: rubrics, criteria: [7]}]`, "! warning rubric_item_not_object_skipped\n! warning rubrics_missing_skipped"},
		{"the oldest name", stable, `[{type: rubric, rubrics: [{outcome: A}, B]}]`,
			"rubric llm_judge/llm-grader *1 (rubric-1 \"A\" *1 must=true)\n! warning rubric_item_not_object_skipped"},

		{"one text with ranges", newest, `[{type: llm-rubric, value: A, score_ranges: {0: x}}, {type: llm-rubric, value: {criteria: [B, {outcome: C}], score_ranges: {}}}]`,
			"llm-rubric llm_judge/llm-rubric *1 (rubric-1 \"A\" *1 must=false 0-10=x) value=A\nllm-rubric llm_judge/llm-rubric *1 (rubric-1 \"B\" *1 must=true) (rubric-2 \"C\" *1 must=true)"},
		{"values as good as none", newest, `[{type: llm-rubric}, {type: llm-rubric, value: 0}, {type: llm-rubric, value: false}, {type: llm-rubric, value: ""}]`,
			"! warning rubric_no_value_skipped llm-rubric\n! warning rubric_no_value_skipped llm-rubric\n! warning rubric_no_value_skipped llm-rubric\n! warning rubric_no_value_skipped llm-rubric"},
		{"a key that is gone", newest, `[{type: llm-rubric, rubrics: [A], value: B}]`,
			"llm-rubric llm_judge/llm-rubric *1 value=B\n! error unsupported_rubric_field rubrics\nrefused unsupported_rubric_field"},
		{"odd settings", newest, `[{type: llm-rubric, value: [{outcome: A, operator: x, weight: much, required: maybe, min_score: low}]}]`,
			"llm-rubric llm_judge/llm-rubric *1 (rubric-1 \"A\" *1 must=true)\n! warning operator_invalid_ignored x\n! silent rubric_weight_defaulted\n! silent rubric_required_defaulted"},
		{"a minimum beyond the scale", stable, `[{type: rubrics, criteria: [{outcome: A, min_score: 8}]}]`,
			"rubrics llm_judge/llm-grader *1 (rubric-1 \"A\" *1 must=true)\n! error min_score_out_of_range_0_exclusive_1 8\nrefused min_score_out_of_range_0_exclusive_1"},
		{"no list", stable, `[{type: rubrics}, {type: rubrics, criteria: A}, {type: rubric}]`,
			"! warning criteria_not_array_skipped\n! warning criteria_not_array_skipped\n! warning rubrics_missing_skipped"},
		{"a prompt without a command", stable, `[{type: llm-grader, prompt: {}}, {type: llm-grader, prompt: {script: [p]}}, {type: llm-grader, prompt: 7}]`,
			"llm-grader llm_judge/llm-grader *1 prompt=\"\" file=\"\" argv=[]\nllm-grader llm_judge/llm-grader *1 prompt=\"\" file=\"\" argv=[\"p\"]\nllm-grader llm_judge/llm-grader *1\n! error command_missing_skipped prompt\nrefused command_missing_skipped"},
		{"a prompt", newest, `[{type: llm-rubric, prompt: "file://p.md"}, {type: llm-rubric, prompt: {command: [p, q]}}, {type: llm-rubric, prompt: [1]}]`,
			"llm-rubric llm_judge/llm-rubric *1 prompt=\"file://p.md\" file=\"p.md\" argv=[]\nllm-rubric llm_judge/llm-rubric *1 prompt=\"\" file=\"\" argv=[\"p\" \"q\"]\nllm-rubric llm_judge/llm-rubric *1 prompt=\"[\\n  1\\n]\" file=\"\" argv=[]\n! silent rubric_prompt_file_without_value\n! silent rubric_prompt_file_without_value"},
		{"a grader with all", stable, `[{type: llm_grader, name: g, prompt: P, rubrics: [{outcome: A}], extra: 1, config: {k: 2}}]`,
			`g llm_judge/llm-grader *1 (rubric-1 "A" *1 must=true) value=P config=map[extra:1 k:2]`},
		{"a prompt with a variable", stable, `[{type: llm-grader, prompt: "P {{output}}"}, {type: llm-grader, prompt: "P {{answer}}"}, {type: llm-grader, prompt: ""}]`,
			"llm-grader llm_judge/llm-grader *1 prompt=\"P {{output}}\" file=\"\" argv=[]\nllm-grader llm_judge/llm-grader *1 value=P {{answer}}\nllm-grader llm_judge/llm-grader *1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(assertion.Reader{Version: c.version}.ReadList(parse(c.list).Root())); got != c.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c.list, got, c.want)
			}
		})
	}
}

// TestSets reads programs and graders with members.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		name    string
		version agentv.Version
		list    string
		want    string
	}{
		{"a set", newest, `[{type: assert-set, metric: s, threshold: 0.5, config: {a: 1, b: 1}, assert: [A, {type: script, command: [c], config: {b: 2}}]}]`,
			`s assert_set/assert-set *1 config=map[a:1 b:1] [llm-rubric llm_judge/llm-rubric *1 (rubric-1 "A" *1 must=true)] [script code_judge/script *1 config=map[a:1 b:2] argv=["c"]] threshold=0.5`},
		{"no set", newest, `[{type: assert-set}, {type: assert-set, assert: [""]}]`,
			"! warning assert_set_missing_list_skipped assert-set\n! warning empty_string_criterion_skipped\n! warning assert_set_no_members_skipped assert-set"},
		{"a line for the shell", stable, `[{type: code-grader, script: " run me ", cwd: d, key: v}]`,
			"code-grader code_judge/code-grader *1 config=map[key:v] argv=[\"sh\" \"-lc\" \"run me\"]\n! warning deprecated_field script"},
		{"an older key", newest, `[{type: script, script: x}]`, "script code_judge/script *1\n! error script_field_removed\nrefused script_field_removed"},
		{"no command", newest, `[{type: script}]`, `! warning command_missing_skipped`},
		{"broken commands", newest, `[{type: script, command: ""}, {type: script, command: []}, {type: script, command: {}}, {type: script, command: [1]}]`,
			"script code_judge/script *1 argv=[]\nscript code_judge/script *1 argv=[]\nscript code_judge/script *1 argv=[]\nscript code_judge/script *1 argv=[]\n! error command_empty\n! error command_empty\n! error command_not_array\n! error command_item_not_string\nrefused command_empty"},
		{"a composite", stable, `[{type: composite, name: c, aggregator: {type: threshold, threshold: 0.5}, evaluators: [{name: a, type: is-json}, {name: b, type: x}, 7]}]`,
			"c composite/composite *1 threshold>=0.5 [a deterministic/is-json *1]\n! warning evaluator_invalid_name_or_type_skipped type\n! warning evaluator_invalid_name_or_type_skipped name"},
		{"composites", stable, `[{type: composite, aggregator: {type: weighted_average, weights: {a: 2}}, assert: [{name: a, type: is-json}]},
			{type: composite, aggregator: {type: code_grader, path: p}, assert: [{name: a, type: is-json}]}, {type: composite, aggregator: {type: llm-grader, prompt: p}, assert: [{name: a, type: is-json}]}]`,
			"composite composite/composite *1 weighted_average [a deterministic/is-json *1]\ncomposite composite/composite *1 code_judge [a deterministic/is-json *1]\ncomposite composite/composite *1 llm_judge [a deterministic/is-json *1]"},
		{"composites that are none", stable, `[{type: composite}, {type: composite, assert: []}, {type: composite, assert: [], aggregator: {type: x}},
			{type: composite, assert: [], aggregator: {type: llm_judge}}, {type: composite, assert: [{name: a, type: is-json}], aggregator: {type: threshold, threshold: 2}},
			{type: composite, assert: [{name: a, type: is-json}], aggregator: {type: code-grader}}]`,
			"! warning composite_evaluators_missing_skipped\n! warning aggregator_missing_skipped\n! warning aggregator_type_invalid_skipped\n! warning deprecated_field llm-judge\n! warning aggregator_threshold_invalid_skipped\n! warning aggregator_path_missing_skipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(assertion.Reader{Version: c.version}.ReadList(parse(c.list).Root())); got != c.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c.list, got, c.want)
			}
		})
	}
}
