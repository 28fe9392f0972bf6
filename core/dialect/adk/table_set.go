package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// SetFile is the table of an evalset.
var SetFile = newLooseType("evalset", "An evalset: cases with recorded or expected conversations. Its own keys must be in snake_case; ADK ignores unknown keys.",
	withoutCamelCase(
		newRequiredField("eval_set_id", schema.String, "The set's id, of letters, digits and underscores.").WithExample("banking"),
		newField("name", schema.String, nullDefault, "A name for readers."),
		newField("description", schema.String, nullDefault, "The purpose of the set."),
		newRequiredField(CasesKey, casesType, "The cases."),
		newField("creation_timestamp", schema.AnyNumber, "0", "The creation time, in seconds since 1970."),
	)...)

var casesType = schema.ListOf(caseType)

var caseType = newStrictType("eval-case", "One case. It has either a `conversation` or a `conversation_scenario`.", refusesFileIn2,
	newRequiredField("eval_id", schema.NonEmptyString, "The case's id, unique in the set.").WithExample("balance"),
	newField("conversation", schema.ListOf(invocationType), nullDefault, "The expected turns."),
	newField("conversation_scenario", scenarioType, nullDefault, "The task of a simulated user."),
	newField("session_input", sessionInputType, nullDefault, "The session that the agent begins with."),
	newField("rubrics", schema.ListOf(ownRubricType), nullDefault, "Rubrics for every turn. Each needs the `type` of its metric."),
	newField("final_session_state", schema.Object, nullDefault, "The expected final state of the session. No built-in metric uses it."),
	newField("creation_timestamp", schema.AnyNumber, "0", "The creation time, in seconds since 1970."),
)

var invocationType = newStrictType("invocation", "A turn: the user's message and the agent's expected actions.", refusesFile,
	newRequiredField("user_content", contentType, "The user's message."),
	newField("final_response", contentType, nullDefault, "The answer."),
	newField("intermediate_data", intermediateDataType, nullDefault, "Tool calls and intermediate answers: as lists, or as `invocation_events`."),
	newField("invocation_id", schema.String, "\"\"", "The turn's id."),
	newField("rubrics", schema.ListOf(ownRubricType), nullDefault, "Rubrics for this turn. Each needs the `type` of its metric."),
	newField("app_details", appDetailsType, nullDefault, "The agents and their tools, for judges."),
	newField("creation_timestamp", schema.AnyNumber, "0", "The creation time, in seconds since 1970."),
	newField("inference_call_count", schema.IntegerFrom(0), nullDefault, "The number of model calls.").Since("2.10"),
	newField("duration", schema.AnyNumber, nullDefault, "The duration in seconds.").Since("2.10"),
)

// intermediateDataType has two forms; the second is recognised by its key.
var intermediateDataType = &schema.Type{
	Name: "intermediate-data", Kind: schema.Map,
	Doc:     "The agent's actions between question and answer. The keys of the two forms cannot be mixed.",
	Choices: []*schema.Type{intermediateListsType, eventLogType},
}

var intermediateListsType = newStrictType("intermediate-lists", "Tool calls and answers as an author writes them. In ADK, judges of hallucinations do not see them.", refusesFile,
	newField("tool_uses", schema.ListOf(functionCallType), "`[]`", "The tool calls, in order.").WithMisnomers("tool_calls", "toolCalls", "function_calls"),
	newField("tool_responses", schema.ListOf(functionResponseType), "`[]`", "The tools' responses.").WithMisnomers("tool_results", "toolResults", "function_responses"),
	newField("intermediate_responses", schema.ListOf(&schema.Type{Kind: schema.List, First: schema.String, Items: schema.ListOf(partType), MinLength: 2, MaxLength: 2}), "`[]`", "Intermediate answers: pairs of an author and a list of parts."),
)

var eventLogType = &schema.Type{
	Name: "event-log", Kind: schema.Map, MarkerKey: "invocation_events", OnUnknownKey: refusesFile,
	Doc:    "The steps, as a run records them.",
	Fields: []*schema.Field{newField("invocation_events", schema.ListOf(invocationEventType), "`[]`", "The steps, in order.")},
}

// ownRubricType is the table of a rubric in a case or turn.
var ownRubricType = newRubricType("rubric", refusesFile)

// newRubricType returns the table of a rubric. onUnknownKey is the effect of an unknown key there.
func newRubricType(name, onUnknownKey string) *schema.Type {
	content := newStrictType(name+"-content", "The content of a rubric.", onUnknownKey, withOnInvalid(onUnknownKey,
		newRequiredField("text_property", schema.NonEmptyString, "The property, on one line. Judges repeat it, and their reply is matched line by line.").WithNull())...)
	return newStrictType(name, "A property that a judge checks.", onUnknownKey, withOnInvalid(onUnknownKey,
		newRequiredField("rubric_id", schema.NonEmptyString, "The rubric's id, unique among the rubrics of a turn.").WithExample("confirms_amount"),
		newRequiredField("rubric_content", content, "Its content.").WithExample(map[string]any{"text_property": "The answer confirms the amount."}),
		newField("description", schema.String, nullDefault, "A description for readers."),
		newField("type", rubricTypeNames, nullDefault, "The metric that uses a rubric of a case or turn. Without it, no metric uses the rubric. Rubrics of a criterion need none."),
	)...)
}

var rubricTypeNames = &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{
	{Text: metric.FinalResponseQuality, Doc: "For `" + metric.ResponseQuality + "`."},
	{Text: metric.ToolUseQuality, Doc: "For `" + metric.ToolQuality + "`."},
	{Text: metric.WholeTrajectory, Doc: "For `" + metric.TrajectoryQuality + "`."},
}}

var appDetailsType = newStrictType("app-details", "The participating agents.", refusesFile,
	newField("agent_details", schema.MapOf(agentDetailsType), "`{}`", "By name."),
)

var agentDetailsType = newStrictType("agent-details", "An agent.", refusesFile,
	newRequiredField("name", schema.String, "Its name."),
	newField("instructions", schema.String, "\"\"", "Its instructions."),
	newField("tool_declarations", schema.ListOf(schema.AnyValue), "`[]`", "Its tools."),
)

var sessionInputType = newStrictType("session-input", "The session that an agent begins with.", refusesFileIn2,
	newRequiredField("app_name", schema.String, "The app."),
	newRequiredField("user_id", schema.String, "The user."),
	newField("state", schema.Object, "`{}`", "The state."),
	newField("session_id", schema.String, nullDefault, "The session's id.").Since("2.10"),
)

var scenarioType = newStrictType("conversation-scenario", "The task of a simulated user.", refusesFile,
	newRequiredField("starting_prompt", schema.NonEmptyString, "The first message."),
	newRequiredField("conversation_plan", schema.NonEmptyString, "The plan of the conversation."),
	newField("user_persona", schema.UnionOf(personaNames, personaType), nullDefault, "The persona: one of ADK's, or one defined here."),
)

var personaNames = schema.EnumOf(
	schema.Value{Text: "EXPERT", Doc: "Knows its goal."}, schema.Value{Text: "NOVICE", Doc: "Needs guidance."},
	schema.Value{Text: "EVALUATOR", Doc: "Experiments."},
)

var personaType = newLooseType("user-persona", "The persona of a simulated user. Its keys must be in snake_case.", withoutCamelCase(
	newRequiredField("id", schema.String, "A short name."),
	newRequiredField("description", schema.String, "A description."),
	newRequiredField("behaviors", schema.ListOf(newLooseType("user-behavior", "A behaviour.", withoutCamelCase(
		newRequiredField("name", schema.String, "A short name."),
		newRequiredField("description", schema.String, "A description."),
		newRequiredField("behavior_instructions", schema.ListOf(schema.String), "Instructions for the user."),
		newRequiredField("violation_rubrics", schema.ListOf(schema.String), "Signs of a violation."),
	)...)), "The behaviours."),
)...)

var invocationEventType = newStrictType("invocation-event", "A step of an agent before its answer.", refusesFileIn2,
	newRequiredField("author", schema.String, "The agent."),
	newField("content", contentType, nullDefault, "The step's content."),
	newField("grounding_metadata", schema.Object, nullDefault, "Grounding data from a search.").Since("2.6"),
	newField("usage_metadata", usageType, nullDefault, "Tokens.").Since("2.6"),
	newField("model_version", schema.String, nullDefault, "The model.").Since("2.6"),
)
