package adk

import "github.com/rubric-ls/rubric/core/schema"

// ResultsFile is the table of a result file.
var ResultsFile = loose("evalset-result", "What a run of an evalset measured, with the conversations that it had.",
	needed("eval_set_result_id", schema.String, "The result's id."),
	field("eval_set_result_name", schema.String, null, "A name for people."),
	needed("eval_set_id", schema.String, "The evalset's id."),
	needed("eval_case_results", caseResultsType, "The cases."),
	field("creation_timestamp", schema.AnyNumber, "0", "When it was made, in seconds since 1970."),
)

var caseResultsType = schema.ListOf(caseResultType)

var caseResultType = loose("eval-case-result", "What was measured of one case.",
	needed("eval_id", schema.String, "The case's id."),
	field("eval_set_id", schema.String, "\"\"", "The evalset's id."),
	field("eval_set_file", schema.String, null, "The evalset's file; no longer written."),
	needed("final_eval_status", statusType, "Whether it passed."),
	field("eval_metric_results", schema.AnyValue, null, "Results; no longer written."),
	field("overall_eval_metric_results", schema.ListOf(metricResultType), "`[]`", "The metrics' results over all turns."),
	needed("eval_metric_result_per_invocation", schema.ListOf(turnResultType), "The turns, with their results."),
	field("session_id", schema.String, "\"\"", "The session."),
	field("session_details", schema.AnyValue, null, "The session, in full."),
	field("user_id", schema.String, null, "The user."),
)

var turnResultType = loose("invocation-result", "A turn and what was measured of it.",
	needed("actual_invocation", invocationType, "What the agent did. It can be measured again."),
	field("expected_invocation", invocationType, null, "What was expected."),
	field("eval_metric_results", schema.ListOf(metricResultType), "`[]`", "The metrics' results."),
)

var metricResultType = loose("metric-result", "What one metric measured.",
	needed("metric_name", schema.String, "The metric."),
	field("threshold", schema.AnyNumber, null, "The lowest score that passes."),
	field("criterion", schema.Object, null, "What was asked of the metric."),
	field("custom_function_path", schema.String, null, "The Python function of a metric of one's own."),
	field("score", schema.AnyNumber, null, "The score."),
	needed("eval_status", statusType, "1 is passed, 2 failed, 3 not evaluated."),
	field("details", schema.Object, null, "The rubrics' scores."),
)

// statusType is a number; from 2.10 on there is one more, for figures that are
// only told.
var statusType = schema.IntegerFrom(1)
