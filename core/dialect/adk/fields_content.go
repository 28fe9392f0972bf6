package adk

import "github.com/rubric-ls/rubric/core/schema"

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

// foreignToolKeys are what others call a tool's name.
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
