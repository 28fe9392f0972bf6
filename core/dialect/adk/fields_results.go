package adk

import "github.com/rubric-ls/rubric/core/schema"

// ResultsFile is the table of a result file.
var ResultsFile = newLooseType("evalset-result", "What a run of an evalset measured, with the conversations that it had.",
	newRequiredField("eval_set_result_id", schema.String, "The result's id."),
	newField("eval_set_result_name", schema.String, nullDefault, "A name for people."),
	newRequiredField("eval_set_id", schema.String, "The evalset's id."),
	newRequiredField("eval_case_results", caseResultsType, "The cases."),
	newField("creation_timestamp", schema.AnyNumber, "0", "When it was made, in seconds since 1970."),
)

var caseResultsType = schema.ListOf(caseResultType)

var caseResultType = newLooseType("eval-case-result", "What was measured of one case.",
	newRequiredField("eval_id", schema.String, "The case's id."),
	newField("eval_set_id", schema.String, "\"\"", "The evalset's id."),
	newField("eval_set_file", schema.String, nullDefault, "The evalset's file; no longer written."),
	newRequiredField("final_eval_status", statusType, "Whether it passed."),
	newField("eval_metric_results", schema.AnyValue, nullDefault, "Results; no longer written."),
	newField("overall_eval_metric_results", schema.ListOf(metricResultType), "`[]`", "The metrics' results over all turns."),
	newRequiredField("eval_metric_result_per_invocation", schema.ListOf(turnResultType), "The turns, with their results."),
	newField("session_id", schema.String, "\"\"", "The session."),
	newField("session_details", schema.AnyValue, nullDefault, "The session, in full."),
	newField("user_id", schema.String, nullDefault, "The user."),
)

var turnResultType = newLooseType("invocation-result", "A turn and what was measured of it.",
	newRequiredField("actual_invocation", invocationType, "What the agent did. It can be measured again."),
	newField("expected_invocation", invocationType, nullDefault, "What was expected."),
	newField("eval_metric_results", schema.ListOf(metricResultType), "`[]`", "The metrics' results."),
)

var metricResultType = newLooseType("metric-result", "What one metric measured.",
	newRequiredField("metric_name", schema.String, "The metric."),
	newField("threshold", schema.AnyNumber, nullDefault, "The lowest score that passes."),
	newField("criterion", schema.Object, nullDefault, "What was asked of the metric."),
	newField("custom_function_path", schema.String, nullDefault, "The Python function of a metric of one's own."),
	newField("score", schema.AnyNumber, nullDefault, "The score."),
	newRequiredField("eval_status", statusType, "1 is passed, 2 failed, 3 not evaluated."),
	newField("details", schema.Object, nullDefault, "The rubrics' scores."),
)

// statusType is a number; from 2.10 on there is one more, for figures that are
// only told.
var statusType = schema.IntegerFrom(1)
