package conformance

import "strings"

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
