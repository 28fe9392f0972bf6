package adk

import "github.com/rubric-ls/rubric/core/schema"

var contentType = strict("content", "What somebody said or did at once.", refuses,
	field("parts", schema.ListOf(partType), null, "Its pieces, in order."),
	field("role", schema.String, null, "Whose it is: `user` or `model`."),
)

var partType = strict("part", "A piece of a content: a text, a tool call or what a tool returned.", refuses,
	field("text", schema.String, null, "Words. The texts of a content's parts are joined by line breaks."),
	not([]string{"tool_call", "toolCall", "tool_use"}, field("function_call", callType, null, "A tool call.")),
	not([]string{"tool_response", "tool_result", "toolResult"}, field("function_response", responseType, null, "What a tool returned.")),
	field("thought", schema.Boolean, null, "Whether it is the model's thinking."),
	field("thought_signature", schema.String, null, "A sign by which the model knows its thinking again."),
	field("inline_data", schema.AnyValue, null, "Data, such as an image."),
	field("file_data", schema.AnyValue, null, "A file elsewhere."),
	field("executable_code", schema.AnyValue, null, "Code that the model wrote to be run."),
	field("code_execution_result", schema.AnyValue, null, "What such code gave."),
	field("video_metadata", schema.AnyValue, null, "About a video."),
	field("media_resolution", schema.AnyValue, null, "How finely media are looked at."),
)

var callType = strict("function-call", "A call of a tool. Calls are compared by name and arguments, and not by id.", refuses,
	not(toolNames, with("get_account_balance", field("name", schema.String, null, "The tool."))),
	not([]string{"arguments", "parameters", "params", "input", "tool_input", "toolInput"}, with(map[string]any{"account_id": "ACC-1"}, field("args", schema.Object, null, "Its arguments. None at all is not the same as `{}`."))),
	field("id", schema.String, null, "By which the call and what it returned belong together."),
	field("partial_args", schema.AnyValue, null, "Arguments of a call that was still being written."),
	field("will_continue", schema.Boolean, null, "Whether more of the call was to come."),
)

// toolNames are what others call a tool's name.
var toolNames = []string{"tool_name", "toolName", "tool", "function", "function_name"}

var responseType = strict("function-response", "What a tool returned.", refuses,
	not(toolNames, field("name", schema.String, null, "The tool.")),
	not([]string{"result", "output", "content"}, with(map[string]any{"balance": 120}, field("response", schema.Object, null, "What it returned."))),
	field("id", schema.String, null, "The call's id. Without ids the last response is taken to belong to every call."),
	field("will_continue", schema.Boolean, null, "Whether more was to come."),
	field("scheduling", schema.String, null, "When the model is to be told of it."),
	field("parts", schema.AnyValue, null, "Media that were returned."),
)

var eventType = strict("invocation-event", "A step of an agent on the way to its answer.", refusedOnce,
	needed("author", schema.String, "The agent that took it."),
	field("content", contentType, null, "What it said or did."),
	since("2.6", field("grounding_metadata", schema.AnyValue, null, "What a search grounds it on.")),
	since("2.6", field("usage_metadata", schema.AnyValue, null, "Tokens.")),
	since("2.6", field("model_version", schema.String, null, "The model.")),
)
