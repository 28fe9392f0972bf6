package conformance

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// evalHead checks as the version of July 2026 does, which takes nothing that it
// does not know.
func evalHead(tree *yaml.Tree, around surroundings) []finding {
	f := &findings{reading: reading{roles: append([]string{"tool"}, seedRoles...), merges: true, data: true}}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	f.suiteName(root)
	f.keys(root, "", headTop)
	f.environment(f.get(root, "environment"), "environment")
	f.execution(f.get(root, "execution"))
	f.evaluateOptions(f.get(root, "evaluate_options"))
	if list := f.get(root, "assert"); list != nil {
		f.assertions(list, "assert", headTypes, around)
	}
	f.defaultTest(f.get(root, "default_test"), around)

	tests := f.get(root, "tests")
	name, isFile := tests.Str()
	switch {
	case isFile:
		f.headFile(name, "tests")
	case tests == nil && f.get(root, "scenarios").IsSeq():
	case !tests.IsSeq():
		f.add("tests_missing", "tests")
	}
	prompted := around.Prompt || f.get(root, "prompts") != nil
	for i, n := range tests.List() {
		here := itemPath("tests", i)
		name, isFile := n.Str()
		switch {
		case isFile:
			f.headFile(name, here)
		case !n.IsMap():
			f.add("case_not_object", here)
		case !isBlank(f.get(n, "include")):
			f.include(n, here)
		default:
			f.headEntry(n, here, prompted, around)
		}
	}
	return f.list
}

func (f *findings) headEntry(n *yaml.Node, here string, prompted bool, around surroundings) {
	f.keys(n, here, headTest)
	if id := f.get(n, "id"); id != nil && isBlank(id) {
		f.add("id_missing_or_not_string", here+".id")
	}
	list := f.get(n, "assert")
	switch criteria := f.get(n, "criteria"); {
	case criteria == nil:
	case isBlank(criteria):
		f.add("criteria_blank", here+".criteria")
	case list != nil:
		f.add("criteria_with_assert", here+".criteria")
	}
	if execution := f.get(n, "execution"); execution.IsMap() {
		f.keys(execution, here+".execution", headExecution)
	}
	f.headInput(f.get(n, "input"), here+".input", prompted || f.get(n, "prompts") != nil || f.get(n, "provider_output") != nil)
	if list != nil {
		f.assertions(list, here+".assert", headTypes, around)
	}
	f.runs(f.get(n, "run"), here+".run")
	f.options(f.get(n, "options"), here+".options")
	f.environment(f.get(n, "environment"), here+".environment")
	f.conversation(n, here)
}

// headInput checks the prompt that a case may no longer have. It is missed all
// the same where there is no other.
func (f *findings) headInput(input *yaml.Node, here string, prompted bool) {
	_, isText := input.Str()
	switch {
	case input == nil && !prompted:
		f.add("input_missing", here)
	case input == nil, isText:
	case input.IsSeq():
		f.messages(input, here)
	case input.IsMap():
		if f.get(input, "role") != nil {
			f.message(input, itemPath(here, 0))
		}
	default:
		f.add("input_wrong_type", here)
	}
}

var (
	suiteFile      = pattern.New(`(?i)\.eval\.ya?ml$`)
	scriptFunction = pattern.New(`(?i)(\.(?:mjs|cjs|js|py)):[^/\\:]+$`)
)

// headFile looks at the name of a file of cases, which may name a function in
// it too. A suite's file is none.
func (f *findings) headFile(name, here string) {
	name = scriptFunction().ReplaceAllString(strings.TrimPrefix(name, "file://"), "$1")
	switch ext := path.Ext(name); {
	case suiteFile().MatchString(name):
		f.add("tests_file_is_suite", here)
	case ext != "" && !slices.Contains(headFiles, ext):
		f.warn("tests_extension_unsupported", here)
	}
}

// execution checks what a suite may no longer say about how it is run: each of
// its keys is reported.
func (f *findings) execution(n *yaml.Node) {
	switch {
	case n == nil:
	case !n.IsMap():
		f.add("execution_wrong_type", "execution")
	case len(f.names(n)) == 0:
		f.add("execution_removed", "execution")
	default:
		f.keys(n, "execution", keySet{unknown: "execution_field_removed", strict: true})
	}
}

func (f *findings) evaluateOptions(n *yaml.Node) {
	const here = "evaluate_options"
	if n == nil {
		return
	}
	if !n.IsMap() {
		f.add("evaluate_options_wrong_type", here)
		return
	}
	f.keys(n, here, headOptions)
	f.limits(n, here, limit{"budget_usd", aboveZero}, limit{"max_concurrency", isWorkerCount}, limit{"delay", notBelow0},
		limit{"timeout_ms", aboveZero}, limit{"max_eval_time_ms", aboveZero})
	f.repeat(f.get(n, "repeat"), here+".repeat")
	f.filterRange(f.get(n, "filter_range"), here+".filter_range")
}

// filterRange checks which of the cases are run: a text, or two numbers.
func (f *findings) filterRange(n *yaml.Node, path string) {
	isOther := func(item *yaml.Node) bool { _, ok := item.Number(); return !ok }
	if _, isText := n.Str(); n == nil || isText {
		return
	}
	if items := n.List(); len(items) != 2 || slices.ContainsFunc(items, isOther) {
		f.add("filter_range_invalid", path)
	}
}

// defaultTest checks what all cases share, here or in another file.
func (f *findings) defaultTest(n *yaml.Node, around surroundings) {
	const here = "default_test"
	if n == nil {
		return
	}
	if !n.IsMap() {
		name, _ := n.Str()
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "file://") && !strings.HasPrefix(name, "ref://") {
			f.add("default_test_wrong_type", here)
		}
		return
	}
	f.keys(n, here, headDefault)
	if list := f.get(n, "assert"); list != nil {
		f.assertions(list, here+".assert", headTypes, around)
	}
	f.options(f.get(n, "options"), here+".options")
	f.limits(n, here, limit{"threshold", isShare})
}

// options checks what a case passes on to what grades it.
func (f *findings) options(n *yaml.Node, path string) {
	switch {
	case n == nil:
	case !n.IsMap():
		f.add("options_wrong_type", path)
	default:
		if f.get(n, "postprocess") != nil {
			f.add("postprocess_removed", path+".postprocess")
		}
		f.repeat(f.get(n, "repeat"), path+".repeat")
	}
}

var (
	headTop = keySet{
		known: strings.Fields("$schema name description category version author tags license requires prompts tests providers graders " +
			"defaults environment timeout_seconds evaluate_options threshold default_test assert scenarios derived_metrics output_path " +
			"env nunjucks_filters extensions metadata governance input_files execution"), // what is in execution is removed
		removed: strings.Fields("experiment imports expected_output input workers model policy target targets eval_cases evalcases " +
			"repeat runs early_exit budget_usd on_run_complete preprocessors provider_prompt_map workspace"),
		deprecated: map[string]string{"evaluator": "deprecated_field"},
		unknown:    "unknown_field", strict: true,
	}
	headTest = keySet{
		known: strings.Fields("id description vars criteria provider providers prompts input_files assert assert_scoring_function " +
			"options threshold execution run environment metadata conversation_id suite depends_on on_dependency_failure mode turns " +
			"aggregation on_turn_failure window_size"),
		removed:    strings.Fields("input provider_output preprocessors postprocess expected_output"),
		prefix:     "test_",
		deprecated: map[string]string{"evaluator": "deprecated_field", "expected_outcome": "deprecated_field"},
		unknown:    "unknown_field", strict: true,
	}
	headDefault = keySet{
		known: strings.Fields("vars provider providers prompts assert assert_scoring_function options threshold metadata"),
		// The same answer for every case is a variable now.
		removed: []string{"expected_output"},
		prefix:  "default_test_",
		unknown: "unknown_field", strict: true,
	}
	headExecution = keySet{
		known:   strings.Fields("assert skip_defaults cache trials budget_usd budgetUsd fail_on_error failOnError threshold"),
		unknown: "execution_field_removed", strict: true,
	}
	headOptions = keySet{
		known:   strings.Fields("budget_usd max_concurrency cache delay generate_suggestions repeat timeout_ms max_eval_time_ms filter_range"),
		unknown: "unknown_field_ignored",
	}
	headInclude = keySet{known: strings.Fields("include type select run"), unknown: "unknown_field_ignored"}
	headSelect  = keySet{known: strings.Fields("test_ids tags metadata"), unknown: "unknown_field_ignored"}

	headTypes = assertionTypes{
		known: strings.Fields("script llm-rubric agent-rubric assert-set javascript python webhook similar skill-used not-skill-used " +
			"trajectory:tool-used trajectory:tool-args-match trajectory:tool-sequence trajectory:step-count trajectory:goal-success " +
			"field-accuracy latency cost token-usage execution-metrics " + textTypes),
		removed: strings.Fields("composite rubrics rubric g-eval script-grader code-judge llm-judge llm-grader tool-trajectory skill-trigger"),
		foreign: strings.Fields("answer-relevance bleu classifier contains-html contains-json contains-sql contains-xml " +
			"context-faithfulness context-recall context-relevance conversation-relevance factuality finish-reason gleu guardrails " +
			"is-html is-refusal is-sql is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml " +
			"levenshtein meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi rouge-n ruby " +
			"similar:cosine similar:dot similar:euclidean select-best human max-score tool-call-f1 trace-error-spans trace-span-count " +
			"trace-span-duration search-rubric word-count"),
		removedKeys: []string{"postprocess", "preprocessors"},
		nested:      true, textsOnly: true,
	}
	headFiles = strings.Fields(".csv .cjs .js .json .jsonl .mjs .py .yaml .yml")
)
