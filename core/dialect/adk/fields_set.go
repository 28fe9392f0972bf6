package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// SetFile is the table of an evalset.
var SetFile = newLooseType("evalset", "An evalset: cases with recorded or expected conversations. Its own keys are in one style only; keys that ADK does not know are ignored.",
	withoutCamelCase(
		withExample("banking", newRequiredField("eval_set_id", schema.String, "The set's id, of letters, digits and underscores.")),
		newField("name", schema.String, nullDefault, "A name for people."),
		newField("description", schema.String, nullDefault, "What the set is for."),
		newRequiredField(CasesKey, casesType, "The cases."),
		newField("creation_timestamp", schema.AnyNumber, "0", "When it was made, in seconds since 1970."),
	)...)

var casesType = schema.ListOf(caseType)

var caseType = newStrictType("eval-case", "One case. It has a `conversation` or a `conversation_scenario`, and not both.", lostFileIn2,
	withExample("balance", newRequiredField("eval_id", schema.String, "The case's id, one of a kind in the set.")),
	newField("conversation", schema.ListOf(invocationType), nullDefault, "The expected turns."),
	newField("conversation_scenario", scenarioType, nullDefault, "What a simulated user is to do."),
	newField("session_input", sessionInputType, nullDefault, "The session that the agent begins with."),
	newField("rubrics", schema.ListOf(ownRubricType), nullDefault, "Rubrics for every turn. Each needs the `type` of the metric that it is for."),
	newField("final_session_state", schema.Object, nullDefault, "The state that the session should end with. No built-in metric looks at it."),
	newField("creation_timestamp", schema.AnyNumber, "0", "When it was made, in seconds since 1970."),
)

var invocationType = newStrictType("invocation", "A turn: what the user says, and what is expected of the agent.", lostFile,
	newRequiredField("user_content", contentType, "What the user says."),
	newField("final_response", contentType, nullDefault, "The answer."),
	newField("intermediate_data", intermediateDataType, nullDefault, "Tool calls and answers on the way: as lists, or as `invocation_events`."),
	newField("invocation_id", schema.String, "\"\"", "The turn's id."),
	newField("rubrics", schema.ListOf(ownRubricType), nullDefault, "Rubrics for this turn. Each needs the `type` of the metric that it is for."),
	newField("app_details", appDetailsType, nullDefault, "The agents and their tools, for judges."),
	newField("creation_timestamp", schema.AnyNumber, "0", "When it was, in seconds since 1970."),
	withSince("2.10", newField("inference_call_count", schema.IntegerFrom(0), nullDefault, "How often a model was asked.")),
	withSince("2.10", newField("duration", schema.AnyNumber, nullDefault, "How long it took, in seconds.")),
)

// intermediateDataType is of two forms; which one, the key of the second tells.
var intermediateDataType = &schema.Type{
	Name: "intermediate-data", Kind: schema.Map,
	Doc:     "What an agent did between question and answer. The keys of the two forms do not go together.",
	Choices: []*schema.Type{intermediateListsType, newEventLogType("event-log", "invocation_events"), newEventLogType("camel-case-event-log", "invocationEvents")},
}

var intermediateListsType = newStrictType("intermediate-lists", "Tool calls and answers as an author writes them. Judges of hallucinations see none of it in ADK.", lostFile,
	withForeignKeys([]string{"tool_calls", "toolCalls", "function_calls"}, newField("tool_uses", schema.ListOf(functionCallType), "`[]`", "The tool calls, in order.")),
	withForeignKeys([]string{"tool_results", "toolResults", "function_responses"}, newField("tool_responses", schema.ListOf(functionResponseType), "`[]`", "What they returned.")),
	newField("intermediate_responses", schema.ListOf(&schema.Type{Kind: schema.List, Items: schema.AnyValue, MinLength: 2, MaxLength: 2}), "`[]`", "Answers on the way: pairs of an author and a list of parts."),
)

func newEventLogType(name, sign string) *schema.Type {
	f := &schema.Field{Key: sign, Type: schema.ListOf(invocationEventType), Default: "`[]`", Doc: "The steps, in order.", OnInvalid: lostFile}
	t := newStrictType(name, "The steps as a run records them.", lostFile, f)
	t.MarkerKey = sign
	return t
}

func newTextPropertyField() *schema.Field {
	return withNull(newRequiredField("text_property", schema.String, "The property, on one line: judges repeat it, and their reply is matched line by line."))
}

// ownRubricType is one of a case or turn.
var ownRubricType = newRubricType("rubric", lostFile)

// newRubricType is a rubric; what a misspelt key costs depends on where it stands.
func newRubricType(name, stray string) *schema.Type {
	content := newStrictType(name+"-content", "What a rubric asks for.", stray, withLost(stray, newTextPropertyField())...)
	return newStrictType(name, "A property that a judge looks for.", stray, withLost(stray,
		withExample("confirms_amount", newRequiredField("rubric_id", schema.String, "The rubric's id. It may not come twice among those that a turn is judged by.")),
		withExample(map[string]any{"text_property": "The answer confirms the amount."}, newRequiredField("rubric_content", content, "What it asks for.")),
		newField("description", schema.String, nullDefault, "For people."),
		newField("type", rubricTypeNames, nullDefault, "The metric that a rubric of a case or turn is for; without it no metric takes the rubric. One of a criterion needs none."),
	)...)
}

var rubricTypeNames = &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{
	{Text: metric.FinalResponseQuality, Doc: "For `" + metric.ResponseQuality + "`."},
	{Text: metric.ToolUseQuality, Doc: "For `" + metric.ToolQuality + "`."},
	{Text: trajectoryQualityType, Doc: "For `" + dialogueQualityMetric + "`."},
}}

var appDetailsType = newStrictType("app-details", "The agents that took part.", lostFile,
	newField("agent_details", schema.MapOf(agentDetailsType), "`{}`", "By name."),
)

var agentDetailsType = newStrictType("agent-details", "An agent.", lostFile,
	newRequiredField("name", schema.String, "Its name."),
	newField("instructions", schema.String, "\"\"", "What it was told."),
	newField("tool_declarations", schema.ListOf(schema.AnyValue), "`[]`", "Its tools."),
)

var sessionInputType = newStrictType("session-input", "The session that an agent begins with.", lostFileIn2,
	newRequiredField("app_name", schema.String, "The app."),
	newRequiredField("user_id", schema.String, "The user."),
	newField("state", schema.Object, "`{}`", "The state."),
	withSince("2.10", newField("session_id", schema.String, nullDefault, "The session's id.")),
)

var scenarioType = newStrictType("conversation-scenario", "What a simulated user is to do.", lostFile,
	newRequiredField("starting_prompt", schema.String, "Its first words."),
	newRequiredField("conversation_plan", schema.String, "What it is after, and how."),
	newField("user_persona", schema.UnionOf(personaNames, personaType), nullDefault, "What it is like: one of ADK's personas, or one described here."),
)

var personaNames = schema.EnumOf(
	schema.Value{Text: "EXPERT", Doc: "Knows what it wants."}, schema.Value{Text: "NOVICE", Doc: "Has to be led."},
	schema.Value{Text: "EVALUATOR", Doc: "Tries things out."},
)

var personaType = newStrictType("user-persona", "What a simulated user is like.", lostFile,
	newRequiredField("id", schema.String, "A short name."),
	newRequiredField("description", schema.String, "What it is like."),
	newRequiredField("behaviors", schema.ListOf(newStrictType("user-behavior", "A way of behaving.", lostFile,
		newRequiredField("name", schema.String, "A short name."),
		newRequiredField("description", schema.String, "What it is."),
		newRequiredField("behavior_instructions", schema.ListOf(schema.String), "What the user is told."),
		newRequiredField("violation_rubrics", schema.ListOf(schema.String), "What shows that it does not behave so."),
	)), "How it behaves."),
)
