package conformance

import (
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

type versionRow struct {
	body, want string
	around     surroundings
}

func testVersion(t *testing.T, v agentv.Version, valid bool, rows map[string]versionRow) {
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			found := evalFindings(v, parse(row.body), row.around)
			if got := findingLines(found, ""); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
			if accepts(v, found) != valid {
				t.Errorf("valid is %v", !valid)
			}
		})
	}
}

func TestValidatorStablePasses(t *testing.T) {
	const q = "    input: Q\n"
	testVersion(t, agentv.V4, true, map[string]versionRow{
		"names": {body: "name: Big Shop\nassert: []\nfoo: 1\ntests:\n  - id: a\n    evaluator: x\n    expected_outcome: O\n    bar: 1\n" + q,
			want: "warning name_invalid name\nwarning assert_deprecated assert\nwarning unknown_field_ignored foo\n" +
				"warning evaluator_deprecated tests[0].evaluator\nwarning expected_outcome_deprecated tests[0].expected_outcome\n" +
				"warning unknown_field_ignored tests[0].bar"},
		"merges are read":     {body: "base: &b {id: a, input: Q}\ntests:\n  - <<: *b\n", want: "warning unknown_field_ignored base"},
		"two merges are read": {body: "tests:\n  - {<<: {id: a}, <<: {input: Q}}\n"},
		"a file for tests":    {body: "tests: cases.jsonl\n"},
		"another file for tests": {body: "tests: [file://a.yaml, file://b.csv]\n",
			want: "warning tests_extension_unsupported tests"},
		"tool calls and data": {body: "tests:\n  - id: a\n    input: [{role: assistant, tool_calls: []}, {role: user, content: {a: b}}]\n"},
		"assertions of no shape": {body: "tests:\n  - id: a\n    assertions: [x, ' ', 3, {value: x}, {type: llm_judge}, {type: is_json}]\n" + q,
			want: "warning assert_item_blank tests[0].assertions[1]\nwarning assert_item_wrong_type tests[0].assertions[2]\n" +
				"warning assert_item_no_type tests[0].assertions[3].type\nwarning assertion_type_unknown tests[0].assertions[4].type"},
		"assertions by a script": {body: "tests: [{id: a, input: Q, assertions: [{type: min_words}]}]\n", around: surroundings{Assertions: []string{"min-words"}}},
		"a gate by a score": {body: "tests: [{id: a, input: Q, assertions: [{type: latency, required: 0.5}, {type: latency, required: 2}, {type: latency, required: x}]}]\n",
			want: "warning required_out_of_range tests[0].assertions[1].required\nwarning required_wrong_type tests[0].assertions[2].required"},
		"a list of anything": {body: "tests: [{id: a, input: Q, assertions: [{type: contains-any, value: [1]}, {type: contains-any, value: []}]}]\n",
			want: "warning assert_value_missing tests[0].assertions[1].value"},
		"no list of assertions": {body: "tests: [{id: a, input: Q, assertions: {}}]\n", want: "warning assert_wrong_type tests[0].assertions"},
		"a reset too many": {body: "tests: []\nworkspace: {isolation: per_test, hooks: {after_each: {reset: fast}}}\n",
			want: "warning reset_redundant workspace.hooks.after_each"},
	})
}

func TestValidatorStableRefuses(t *testing.T) {
	testVersion(t, agentv.V4, false, map[string]versionRow{
		"the seed's file": {body: "evalcases: [{id: a, input: Q}]\n", want: "warning evalcases_deprecated evalcases\nerror tests_missing tests"},
		"a case of nothing": {body: "tests: [{}, 1, cases.yaml]\n",
			want: "error id_missing_or_not_string tests[0].id\nerror input_missing tests[0].input\n" +
				"error case_not_object tests[1]\nerror case_not_file_reference tests[2]"},
		"values of no shape": {body: "input: 1\ntests: [{id: a, criteria: ' ', input: {}, expected_output: 1}]\n",
			want: "error input_wrong_type input\nerror criteria_blank tests[0].criteria\nerror input_wrong_type tests[0].input\n" +
				"error expected_output_wrong_type tests[0].expected_output"},
		"messages": {body: "tests: [{id: a, input: [{role: tool, content: x}, {role: user}]}]\n",
			want: "error role_invalid tests[0].input[0].role\nerror content_missing_or_wrong_type tests[0].input[1].content"},
		"a merge of nothing":       {body: "<<: 1\ntests: []\n", want: "error yaml_syntax"},
		"a list that holds itself": {body: "tests: &a [*a]\n", want: "error yaml_syntax"},
		"turns alone": {body: "tests: [{id: a, input: Q, turns: [], window_size: 2}]\n",
			want: "error turns_without_conversation tests[0].turns\nerror window_size_without_conversation tests[0].window_size"},
		"a conversation of nothing": {body: "tests: [{id: a, input: Q, mode: conversation, turns: []}]\n",
			want: "error conversation_without_turns tests[0].mode"},
		"a conversation": {body: "tests: [{id: a, input: Q, mode: conversation, expected_output: x, turns: [{input: hi}, {input: ' '}, 1]}]\n",
			want: "error conversation_with_expected_output tests[0].expected_output\nerror turn_input_missing tests[0].turns[1].input\n" +
				"error turn_not_object tests[0].turns[2]"},
		"repositories": {body: "tests: []\nworkspace: {repos: [{path: p, source: x, repo: r}, {commit: a, base_commit: b}]}\n",
			want: "error repo_source_removed workspace.repos[path=p]\nerror repo_missing workspace.repos[path=(none)]\n" +
				"error repo_commits_differ workspace.repos[path=(none)]"},
	})
}

func TestValidatorHeadPasses(t *testing.T) {
	testVersion(t, agentv.Head, true, map[string]versionRow{
		"names": {body: "prompts: [q]\nevaluator: x\ntests: [{expected_outcome: O, evaluator: x}]\n",
			want: "warning deprecated_field evaluator\nwarning deprecated_field tests[0].expected_outcome\nwarning deprecated_field tests[0].evaluator"},
		"a prompt in a file":      {body: "tests: [{vars: {}}]\n", around: surroundings{Prompt: true}},
		"a prompt of its own":     {body: "tests: [{prompts: q}]\n"},
		"scenarios without tests": {body: "scenarios: []\n"},
		"files of tests":          {body: "prompts: q\ntests: [cases, 'file://a.py:load', b.txt]\n", want: "warning tests_extension_unsupported tests[2]"},
		"an included file": {body: "prompts: q\ntests: [{include: a.yaml, type: tests, foo: 1, select: {tags: [x], bar: 1}}]\n",
			want: "warning include_deprecated tests[0]\nwarning unknown_field_ignored tests[0].foo\n" +
				"warning unknown_field_ignored tests[0].select.bar"},
		"environments": {body: "prompts: q\nenvironment: file://e.yaml\ntests:\n" +
			"  - environment: {type: host, workdir: w, setup: {command: [make], timeout_ms: 5}, env: {A: b}}\n" +
			"  - environment: {type: docker, workdir: w, image: i, resources: {cpus: 2, gpu: true}, mounts: [{source: s, target: t, access: ro}]}\n"},
		"types": {body: "prompts: q\nassert: [{type: not-contains, value: x}, {type: 'trajectory:tool-used'}, {type: agent_rubric}]\ntests: []\n",
			want: "warning assertion_type_unknown assert[0].type"},
		"nested assertions": {body: "prompts: q\nassert: [{type: assert-set, assert: [1]}]\ntests: []\n", want: "warning assert_item_wrong_type assert[0].assert[0]"},
		"a list of texts": {body: "assert: [{type: contains-any, value: [x, 1], required: x}]\ntests: []\n",
			want: "warning assert_value_missing assert[0].value"},
		"options": {body: "tests: []\nevaluate_options: {max_concurrency: 50, repeat: 2, filter_range: [1, 2], foo: 1}\ndefault_test: file://d.yaml\n",
			want: "warning unknown_field_ignored evaluate_options.foo"},
	})
}

func TestValidatorHeadRefuses(t *testing.T) {
	testVersion(t, agentv.Head, false, map[string]versionRow{
		"older keys": {body: "prompts: q\nworkspace: {}\nimports: x\ntests: [{provider_output: x, expected_output: x, rubrics: []}]\n",
			want: "error workspace_removed workspace\nerror imports_removed imports\nerror test_provider_output_removed tests[0].provider_output\n" +
				"error test_expected_output_removed tests[0].expected_output\nerror unknown_field tests[0].rubrics"},
		"no prompt": {body: "tests: [{id: ' '}]\n", want: "error id_missing_or_not_string tests[0].id\nerror input_missing tests[0].input"},
		"an older prompt": {body: "tests: [{input: [{role: bot, content: x}]}, {input: {role: bot, content: x}}, {input: {a: b}}, {input: 1}]\n",
			want: "error test_input_removed tests[0].input\nerror role_invalid tests[0].input[0].role\n" +
				"error test_input_removed tests[1].input\nerror role_invalid tests[1].input[0].role\n" +
				"error test_input_removed tests[2].input\nerror test_input_removed tests[3].input\nerror input_wrong_type tests[3].input"},
		"a suite for tests": {body: "tests: file://a.EVAL.yaml\n", want: "error tests_file_is_suite tests"},
		"older types": {body: "assert: [{type: llm_judge}, {type: not-bleu}, {type: tool_trajectory, postprocess: x}]\ntests: []\n",
			want: "error unsupported_assertion_type assert[0].type\nerror unsupported_assertion_type assert[1].type\n" +
				"error postprocess_removed assert[2].postprocess\nerror unsupported_assertion_type assert[2].type"},
		"how it is run": {body: "execution: {}\ntests: []\n", want: "error execution_removed execution"},
		"how a case is run": {body: "prompts: q\ntests: [{execution: {cache: true, target: x}, run: {threshold: 2, foo: 1, repeat: {}}, options: {repeat: 0}}]\n",
			want: "error execution_field_removed tests[0].execution.target\nerror unknown_field tests[0].run.foo\n" +
				"error threshold_invalid tests[0].run.threshold\nerror repeat_invalid tests[0].run.repeat\nerror repeat_invalid tests[0].options.repeat"},
		"an include of nothing": {body: "tests: [{include: a, type: x, select: 1, run: 1}, {include: a, type: suite, select: {tags: 1, metadata: x}}]\n",
			want: "warning include_deprecated tests[0]\nerror include_type_invalid tests[0].type\nerror select_invalid tests[0].select\n" +
				"error run_wrong_type tests[0].run\nwarning include_deprecated tests[1]\nerror tags_invalid tests[1].select.tags\n" +
				"error metadata_invalid tests[1].select.metadata"},
		"how often": {body: "tests: []\nevaluate_options: {max_concurrency: 51, delay: -1, filter_range: [1], repeat: {count: 2, strategy: pass_at_k, early_exit: 1}}\n",
			want: "error max_concurrency_invalid evaluate_options.max_concurrency\nerror delay_invalid evaluate_options.delay\n" +
				"error repeat_invalid evaluate_options.repeat\n" +
				"error filter_range_invalid evaluate_options.filter_range"},
		"what cases share": {body: "tests: []\ndefault_test: {expected_output: x, id: x, threshold: '1', options: [], assert: [{type: rubrics}]}\n",
			want: "error default_test_expected_output_removed default_test.expected_output\nerror unknown_field default_test.id\n" +
				"error unsupported_assertion_type default_test.assert[0].type\nerror options_wrong_type default_test.options\n" +
				"error threshold_invalid default_test.threshold"},
	})
}

func TestValidatorHeadEnvironment(t *testing.T) {
	for _, recipe := range []string{
		"e.yaml", "[]", "{}", "{type: host}", "{type: vm, workdir: w}", "{type: host, workdir: w, image: i}", "{type: docker, workdir: w}",
		"{type: docker, workdir: w, image: ' '}", "{type: host, workdir: w, env: {A: 1}}", "{type: host, workdir: w, setup: {command: make}}",
		"{type: host, workdir: w, setup: {command: [make], timeout_ms: 0}}", "{type: host, workdir: w, setup: {command: [make], args: []}}",
		"{type: docker, workdir: w, image: i, resources: {cpus: 0}}", "{type: docker, workdir: w, image: i, resources: {gpu: 1}}",
		"{type: docker, workdir: w, image: i, mounts: [{source: s}]}", "{type: docker, workdir: w, image: i, mounts: [{source: s, target: t, access: x}]}",
	} {
		found := evalFindings(agentv.Head, parse("environment: "+recipe+"\ntests: []\n"), surroundings{})
		if got := findingLines(found, ""); got != "error environment_invalid environment" {
			t.Errorf("%s: %q", recipe, got)
		}
	}
}
