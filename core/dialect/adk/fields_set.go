package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// SetFile is the table of an evalset.
var SetFile = loose("evalset", "An evalset: cases with recorded or expected conversations. Its own keys are in one style only; keys that ADK does not know are ignored.",
	snake(
		with("banking", needed("eval_set_id", schema.String, "The set's id, of letters, digits and underscores.")),
		field("name", schema.String, null, "A name for people."),
		field("description", schema.String, null, "What the set is for."),
		needed(CasesKey, casesType, "The cases."),
		field("creation_timestamp", schema.AnyNumber, "0", "When it was made, in seconds since 1970."),
	)...)

var casesType = schema.ListOf(caseType)

var caseType = strict("eval-case", "One case. It has a `conversation` or a `conversation_scenario`, and not both.", refusedOnce,
	with("balance", needed("eval_id", schema.String, "The case's id, one of a kind in the set.")),
	field("conversation", schema.ListOf(invocationType), null, "The expected turns."),
	field("conversation_scenario", scenarioType, null, "What a simulated user is to do."),
	field("session_input", sessionType, null, "The session that the agent begins with."),
	field("rubrics", schema.ListOf(ownRubric), null, "Rubrics for every turn. Each needs the `type` of the metric that it is for."),
	field("final_session_state", schema.Object, null, "The state that the session should end with. No built-in metric looks at it."),
	field("creation_timestamp", schema.AnyNumber, "0", "When it was made, in seconds since 1970."),
)

var invocationType = strict("invocation", "A turn: what the user says, and what is expected of the agent.", refuses,
	needed("user_content", contentType, "What the user says."),
	field("final_response", contentType, null, "The answer."),
	field("intermediate_data", betweenType, null, "Tool calls and answers on the way: as lists, or as `invocation_events`."),
	field("invocation_id", schema.String, "\"\"", "The turn's id."),
	field("rubrics", schema.ListOf(ownRubric), null, "Rubrics for this turn. Each needs the `type` of the metric that it is for."),
	field("app_details", detailsType, null, "The agents and their tools, for judges."),
	field("creation_timestamp", schema.AnyNumber, "0", "When it was, in seconds since 1970."),
	since("2.10", field("inference_call_count", schema.IntegerFrom(0), null, "How often a model was asked.")),
	since("2.10", field("duration", schema.AnyNumber, null, "How long it took, in seconds.")),
)

// betweenType is of two forms; which one, the key of the second tells.
var betweenType = &schema.Type{
	Name: "intermediate-data", Kind: schema.Map,
	Doc:     "What an agent did between question and answer. The keys of the two forms do not go together.",
	Choices: []*schema.Type{listsType, eventsType("event-log", "invocation_events"), eventsType("camel-case-event-log", "invocationEvents")},
}

var listsType = strict("intermediate-lists", "Tool calls and answers as an author writes them. Judges of hallucinations see none of it in ADK.", refuses,
	not([]string{"tool_calls", "toolCalls", "function_calls"}, field("tool_uses", schema.ListOf(callType), "`[]`", "The tool calls, in order.")),
	not([]string{"tool_results", "toolResults", "function_responses"}, field("tool_responses", schema.ListOf(responseType), "`[]`", "What they returned.")),
	field("intermediate_responses", schema.ListOf(&schema.Type{Kind: schema.List, Items: schema.AnyValue, MinLength: 2, MaxLength: 2}), "`[]`", "Answers on the way: pairs of an author and a list of parts."),
)

func eventsType(name, sign string) *schema.Type {
	f := &schema.Field{Key: sign, Type: schema.ListOf(eventType), Default: "`[]`", Doc: "The steps, in order.", OnInvalid: refuses}
	t := strict(name, "The steps as a run records them.", refuses, f)
	t.MarkerKey = sign
	return t
}

func textProperty() *schema.Field {
	return nullable(needed("text_property", schema.String, "The property, on one line: judges repeat it, and their reply is matched line by line."))
}

// ownRubric is one of a case or turn.
var ownRubric = rubricType("rubric", refuses)

// rubricType is a rubric; what a misspelt key costs depends on where it stands.
func rubricType(name, stray string) *schema.Type {
	content := strict(name+"-content", "What a rubric asks for.", stray, costs(stray, textProperty())...)
	return strict(name, "A property that a judge looks for.", stray, costs(stray,
		with("confirms_amount", needed("rubric_id", schema.String, "The rubric's id. It may not come twice among those that a turn is judged by.")),
		with(map[string]any{"text_property": "The answer confirms the amount."}, needed("rubric_content", content, "What it asks for.")),
		field("description", schema.String, null, "For people."),
		field("type", rubricTypes, null, "The metric that a rubric of a case or turn is for; without it no metric takes the rubric. One of a criterion needs none."),
	)...)
}

var rubricTypes = &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{
	{Text: metric.FinalResponseQuality, Doc: "For `" + metric.ResponseQuality + "`."},
	{Text: metric.ToolUseQuality, Doc: "For `" + metric.ToolQuality + "`."},
	{Text: trajectoryQuality, Doc: "For `" + dialogueQuality + "`."},
}}

var detailsType = strict("app-details", "The agents that took part.", refuses,
	field("agent_details", schema.MapOf(agentType), "`{}`", "By name."),
)

var agentType = strict("agent-details", "An agent.", refuses,
	needed("name", schema.String, "Its name."),
	field("instructions", schema.String, "\"\"", "What it was told."),
	field("tool_declarations", schema.ListOf(schema.AnyValue), "`[]`", "Its tools."),
)

var sessionType = strict("session-input", "The session that an agent begins with.", refusedOnce,
	needed("app_name", schema.String, "The app."),
	needed("user_id", schema.String, "The user."),
	field("state", schema.Object, "`{}`", "The state."),
	since("2.10", field("session_id", schema.String, null, "The session's id.")),
)

var scenarioType = strict("conversation-scenario", "What a simulated user is to do.", refuses,
	needed("starting_prompt", schema.String, "Its first words."),
	needed("conversation_plan", schema.String, "What it is after, and how."),
	field("user_persona", schema.UnionOf(personaNames, personaType), null, "What it is like: one of ADK's personas, or one described here."),
)

var personaNames = schema.EnumOf(
	schema.Value{Text: "EXPERT", Doc: "Knows what it wants."}, schema.Value{Text: "NOVICE", Doc: "Has to be led."},
	schema.Value{Text: "EVALUATOR", Doc: "Tries things out."},
)

var personaType = strict("user-persona", "What a simulated user is like.", refuses,
	needed("id", schema.String, "A short name."),
	needed("description", schema.String, "What it is like."),
	needed("behaviors", schema.ListOf(strict("user-behavior", "A way of behaving.", refuses,
		needed("name", schema.String, "A short name."),
		needed("description", schema.String, "What it is."),
		needed("behavior_instructions", schema.ListOf(schema.String), "What the user is told."),
		needed("violation_rubrics", schema.ListOf(schema.String), "What shows that it does not behave so."),
	)), "How it behaves."),
)
