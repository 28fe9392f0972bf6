package adk

import "github.com/rubric-ls/rubric/core/schema"

// nullDefault is the default of fields that may be null. Other optional fields may be absent but
// not null.
const nullDefault = "`null`"

// Effects of an invalid value. ADK refuses the file, or checks the value only during a run.
const (
	refusesFile    = "refuses the file"
	refusesFileIn2 = "ignores it, and refuses the file in 2.0"
	skipsMetric    = "does not evaluate the metric"
)

// newField returns a field with a snake_case and a camelCase key.
func newField(key string, t *schema.Type, byDefault, doc string) *schema.Field {
	f := &schema.Field{Key: key, Type: t, Default: byDefault, Nullable: byDefault == nullDefault, Doc: doc, OnInvalid: refusesFile}
	if c := schema.CamelCase(key); c != key {
		f.Aliases, f.WinningName = []string{c}, c
	}
	return f
}

func newRequiredField(key string, t *schema.Type, doc string) *schema.Field {
	f := newField(key, t, "", doc)
	f.Required = true
	return f
}

// withOnInvalid sets the effect of an invalid value.
func withOnInvalid(effect string, fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.OnInvalid = effect
	}
	return fields
}

// withoutCamelCase removes the fields' camelCase keys.
func withoutCamelCase(fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.Aliases, f.WinningName = nil, ""
	}
	return fields
}

// newStrictType returns a mapping in which an unknown key makes ADK refuse the enclosing value.
func newStrictType(name, doc, onUnknownKey string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{Name: name, Doc: doc, Kind: schema.Map, Fields: fields, OnUnknownKey: onUnknownKey}
}

// newLooseType returns a mapping in which ADK ignores unknown keys.
func newLooseType(name, doc string, fields ...*schema.Field) *schema.Type {
	return newStrictType(name, doc, "", fields...)
}

// ResultsFile is the table of a result file.
var ResultsFile = newLooseType("evalset-result", "The measurements of a run of an evalset, with its conversations.",
	newRequiredField("eval_set_result_id", schema.String, "The result's id."),
	newField("eval_set_result_name", schema.String, nullDefault, "A name for readers."),
	newRequiredField("eval_set_id", schema.String, "The evalset's id."),
	newRequiredField("eval_case_results", caseResultsType, "The cases."),
	newField("creation_timestamp", schema.AnyNumber, "0", "The creation time, in seconds since 1970."),
)

var caseResultsType = schema.ListOf(caseResultType)

var caseResultType = newLooseType("eval-case-result", "The measurements of one case.",
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

var turnResultType = newLooseType("invocation-result", "A turn and its measurements.",
	newRequiredField("actual_invocation", invocationType, "The agent's actions. They can be measured again."),
	newField("expected_invocation", invocationType, nullDefault, "The expected turn."),
	newField("eval_metric_results", schema.ListOf(metricResultType), "`[]`", "The metrics' results."),
)

var metricResultType = newLooseType("metric-result", "The measurement of one metric.",
	newRequiredField("metric_name", schema.String, "The metric."),
	newField("threshold", schema.AnyNumber, nullDefault, "The lowest score that passes."),
	newField("criterion", schema.Object, nullDefault, "The metric's options."),
	newField("custom_function_path", schema.String, nullDefault, "The Python function of a custom metric."),
	newField("score", schema.AnyNumber, nullDefault, "The score."),
	newRequiredField("eval_status", statusType, "1 is passed, 2 failed, 3 not evaluated."),
	newField("details", schema.Object, nullDefault, "The rubrics' scores."),
)

// statusType is a number. Version 2.10 added a value for figures that are reported only.
var statusType = schema.IntegerFrom(1)

// OlderFile is the table of the form before evalsets: conversations by name.
var OlderFile = schema.ListOf(namedConversationType)

// TurnsFile is the table of the oldest form, one conversation. Only ADK's own test runner reads it.
var TurnsFile = schema.ListOf(olderTurnType)

var namedConversationType = newLooseType("named-conversation", "A conversation in the form before evalsets.", withoutCamelCase(
	newRequiredField("name", schema.String, "The case's id."),
	newRequiredField("data", schema.ListOf(olderTurnType), "Its turns."),
	newField("initial_session", newLooseType("older-session", "The session that the agent begins with.", withoutCamelCase(
		newField("app_name", schema.String, "\"\"", "The app."),
		newField("user_id", schema.String, "\"\"", "The user."),
		newField("state", schema.Object, "`{}`", "The state."),
	)...), "`{}`", "The session that the agent begins with."),
)...)

var olderTurnType = newLooseType("older-turn", "A turn in the form before evalsets.", withoutCamelCase(
	newRequiredField("query", schema.String, "The user's message.").WithNull().WithExample("What is my balance?"),
	newField("reference", schema.String, "\"\"", "The expected answer.").WithNull(),
	newField("expected_tool_use", schema.ListOf(newLooseType("older-tool-use", "An expected tool call.", withoutCamelCase(
		newRequiredField("tool_name", schema.String, "The tool.").WithNull().WithMisnomers("name", "tool", "function"),
		newRequiredField("tool_input", schema.Object, "Its arguments.").WithNull().WithMisnomers("args", "arguments", "parameters", "input"),
	)...)), "`[]`", "The expected tool calls, in order."),
	newField("expected_intermediate_agent_responses", schema.ListOf(newLooseType("older-answer", "An expected intermediate answer.", withoutCamelCase(
		newRequiredField("author", schema.String, "The agent."),
		newRequiredField("text", schema.String, "The text.").WithNull(),
	)...)), "`[]`", "The expected intermediate answers."),
)...)
