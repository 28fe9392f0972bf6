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

// intermediateDataType has two forms; the second is recognised by its key.
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

// ownRubricType is the table of a rubric in a case or turn.
var ownRubricType = newRubricType("rubric", lostFile)

// newRubricType returns the table of a rubric. Stray is the effect of an unknown key there.
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

var contentType = newStrictType("content", "What somebody said or did at once.", lostFile,
	newField("parts", schema.ListOf(partType), nullDefault, "Its pieces, in order."),
	newField("role", schema.String, nullDefault, "Whose it is: `user` or `model`."),
)

var partType = newStrictType("part", "A piece of a content: a text, a tool call or what a tool returned.", lostFile,
	newField("text", schema.String, nullDefault, "Words. The texts of a content's parts are joined by line breaks."),
	withForeignKeys([]string{"tool_call", "toolCall", "tool_use"}, newField("function_call", functionCallType, nullDefault, "A tool call.")),
	withForeignKeys([]string{"tool_response", "tool_result", "toolResult"}, newField("function_response", functionResponseType, nullDefault, "What a tool returned.")),
	newField("thought", schema.Boolean, nullDefault, "Whether it is the model's thinking."),
	newField("thought_signature", schema.String, nullDefault, "A sign by which the model knows its thinking again."),
	newField("inline_data", schema.AnyValue, nullDefault, "Data, such as an image."),
	newField("file_data", schema.AnyValue, nullDefault, "A file elsewhere."),
	newField("executable_code", schema.AnyValue, nullDefault, "Code that the model wrote to be run."),
	newField("code_execution_result", schema.AnyValue, nullDefault, "What such code gave."),
	newField("video_metadata", schema.AnyValue, nullDefault, "About a video."),
	newField("media_resolution", schema.AnyValue, nullDefault, "How finely media are looked at."),
)

var functionCallType = newStrictType("function-call", "A call of a tool. Calls are compared by name and arguments, and not by id.", lostFile,
	withForeignKeys(foreignToolKeys, withExample("get_account_balance", newField("name", schema.String, nullDefault, "The tool."))),
	withForeignKeys([]string{"arguments", "parameters", "params", "input", "tool_input", "toolInput"}, withExample(map[string]any{"account_id": "ACC-1"}, newField("args", schema.Object, nullDefault, "Its arguments. None at all is not the same as `{}`."))),
	newField("id", schema.String, nullDefault, "By which the call and what it returned belong together."),
	newField("partial_args", schema.AnyValue, nullDefault, "Arguments of a call that was still being written."),
	newField("will_continue", schema.Boolean, nullDefault, "Whether more of the call was to come."),
)

// foreignToolKeys are other tools' keys for the name of a tool.
var foreignToolKeys = []string{"tool_name", "toolName", "tool", "function", "function_name"}

var functionResponseType = newStrictType("function-response", "What a tool returned.", lostFile,
	withForeignKeys(foreignToolKeys, newField("name", schema.String, nullDefault, "The tool.")),
	withForeignKeys([]string{"result", "output", "content"}, withExample(map[string]any{"balance": 120}, newField("response", schema.Object, nullDefault, "What it returned."))),
	newField("id", schema.String, nullDefault, "The call's id. Without ids the last response is taken to belong to every call."),
	newField("will_continue", schema.Boolean, nullDefault, "Whether more was to come."),
	newField("scheduling", schema.String, nullDefault, "When the model is to be told of it."),
	newField("parts", schema.AnyValue, nullDefault, "Media that were returned."),
)

var invocationEventType = newStrictType("invocation-event", "A step of an agent on the way to its answer.", lostFileIn2,
	newRequiredField("author", schema.String, "The agent that took it."),
	newField("content", contentType, nullDefault, "What it said or did."),
	withSince("2.6", newField("grounding_metadata", schema.AnyValue, nullDefault, "What a search grounds it on.")),
	withSince("2.6", newField("usage_metadata", schema.AnyValue, nullDefault, "Tokens.")),
	withSince("2.6", newField("model_version", schema.String, nullDefault, "The model.")),
)
