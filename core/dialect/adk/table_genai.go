package adk

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
)

// The types of this file are those of google-genai 2.19, the Gen AI client. Each of its releases
// may add a key, so an unknown key is an error only if it looks like a misspelt one; see isAccepted.
const unlessKnown = " unless its Gen AI client knows the key"

// newGenAIType returns a mapping of the Gen AI client.
func newGenAIType(name, doc string, fields ...*schema.Field) *schema.Type {
	return newStrictType(name, doc, refusesFile+unlessKnown, fields...)
}

// isGenAI reports whether a table is one of the Gen AI client.
func isGenAI(t *schema.Type) bool {
	return strings.HasSuffix(t.OnUnknownKey, unlessKnown)
}

func optionalFields(t *schema.Type, keys string) (fields []*schema.Field) {
	for key := range strings.FieldsSeq(keys) {
		fields = append(fields, newField(key, t, nullDefault, "Data of the Gen AI client."))
	}
	return fields
}

// contentType has had the same two keys since the first release.
var contentType = newStrictType("content", "A message of a user or a model.", refusesFile,
	newField("parts", schema.ListOf(partType), nullDefault, "Its parts, in order."),
	newField("role", schema.String, nullDefault, "The author: `user` or `model`."),
)

var partType = newGenAIType("part", "A part of a content: a text, a tool call or a tool's response.",
	newField("text", schema.String, nullDefault, "A text. The texts of a content's parts are joined by line breaks."),
	newField("function_call", functionCallType, nullDefault, "A tool call.").WithMisnomers("tool_use", "toolUse"),
	newField("function_response", functionResponseType, nullDefault, "A tool's response.").WithMisnomers("tool_result", "toolResult"),
	newField("thought", schema.Boolean, nullDefault, "Whether it is the model's thinking."),
	newField("thought_signature", schema.Base64, nullDefault, "A signature by which the model recognises its thinking."),
	newField("inline_data", newGenAIType("blob", "Data, such as an image.", append(optionalFields(schema.Base64, "data"), optionalFields(schema.String, "display_name mime_type")...)...), nullDefault, "Data, such as an image."),
	newField("file_data", newGenAIType("file-data", "A file by its URI.", append(optionalFields(schema.String, "display_name mime_type"),
		newField("file_uri", schema.String, nullDefault, "The URI.").WithMisnomers("uri", "url"))...), nullDefault, "A file by its URI."),
	newField("executable_code", newGenAIType("executable-code", "Code that the model wrote for execution.", optionalFields(schema.String, "code language id")...), nullDefault, "Code that the model wrote for execution."),
	newField("code_execution_result", newGenAIType("code-execution-result", "The result of such code.", optionalFields(schema.String, "outcome output id")...), nullDefault, "The result of such code."),
	newField("video_metadata", newGenAIType("video-metadata", "About a video.", append(optionalFields(schema.String, "start_offset end_offset"),
		optionalFields(schema.AnyNumber, "fps")...)...), nullDefault, "About a video."),
	newField("media_resolution", schema.Object, nullDefault, "The resolution of media."),
	newField("tool_call", newServerToolType("server-tool-call", "args"), nullDefault, "A call of a tool that runs at the model's provider. No metric counts it."),
	newField("tool_response", newServerToolType("server-tool-response", "response"), nullDefault, "The response of such a tool."),
	newField("part_metadata", schema.Object, nullDefault, "Data of the application about the part."),
	newField("audio_transcription", schema.Object, nullDefault, "The words of an audio."),
)

// newServerToolType returns the table of a call or response of a tool that runs at the provider.
func newServerToolType(name, payload string) *schema.Type {
	return newGenAIType(name, "A tool that runs at the model's provider.",
		append(optionalFields(schema.String, "id tool_type"), optionalFields(schema.Object, payload)...)...)
}

var functionCallType = newGenAIType("function-call", "A call of a tool. Calls are compared by name and arguments, and not by id.",
	newField("name", schema.String, nullDefault, "The tool.").WithExample("get_account_balance").WithMisnomers(foreignToolKeys...),
	newField("args", schema.Object, nullDefault, "Its arguments. Absent arguments differ from `{}`.").WithExample(map[string]any{"account_id": "ACC-1"}).WithMisnomers("arguments", "parameters", "params", "input", "tool_input", "toolInput"),
	newField("id", schema.String, nullDefault, "The id that links the call and its response."),
	newField("partial_args", schema.ListOf(schema.AnyValue), nullDefault, "Arguments of an incomplete call."),
	newField("will_continue", schema.Boolean, nullDefault, "Whether the call continues."),
)

// foreignToolKeys are other tools' keys for the name of a tool.
var foreignToolKeys = []string{"tool_name", "toolName", "tool", "function", "function_name"}

var functionResponseType = newGenAIType("function-response", "A tool's response.",
	newField("name", schema.String, nullDefault, "The tool.").WithMisnomers(foreignToolKeys...),
	newField("response", schema.Object, nullDefault, "The response.").WithExample(map[string]any{"balance": 120}).WithMisnomers("result", "output", "content"),
	newField("id", schema.String, nullDefault, "The call's id. Without ids, the last response belongs to every call."),
	newField("will_continue", schema.Boolean, nullDefault, "Whether the response continues."),
	newField("scheduling", schema.String, nullDefault, "When the model receives the response."),
	newField("parts", schema.ListOf(schema.AnyValue), nullDefault, "Media in the response."),
)

// newGenerationConfigType returns the options of a model. Nested options are checked as far as
// eval files have them. onInvalid is the effect of an invalid option.
func newGenerationConfigType(name, onInvalid string) *schema.Type {
	newOptions := func(name, doc string, fields ...[]*schema.Field) *schema.Type {
		return newStrictType(name, doc, onInvalid+unlessKnown, withOnInvalid(onInvalid, slices.Concat(fields...)...)...)
	}
	thinking := newOptions(name+"-thinking", "How much the model thinks.",
		optionalFields(schema.Boolean, "include_thoughts"), optionalFields(schema.Integer, "thinking_budget"), optionalFields(schema.String, "thinking_level"))
	retry := newOptions(name+"-retry-options", "How requests are repeated.", optionalFields(schema.Integer, "attempts"),
		optionalFields(schema.AnyNumber, "initial_delay max_delay exp_base jitter"), optionalFields(schema.ListOf(schema.Integer), "http_status_codes"))
	requests := newOptions(name+"-http-options", "How requests are sent.", optionalFields(schema.String, "base_url base_url_resource_scope api_version"),
		optionalFields(schema.Object, "headers client_args async_client_args extra_body"), optionalFields(schema.Integer, "timeout"), optionalFields(retry, "retry_options"),
		optionalFields(schema.AnyValue, "httpx_client httpx_async_client aiohttp_client"))
	return newOptions(name, "Options of a model.", []*schema.Field{
		newField("temperature", schema.AnyNumber, nullDefault, "The sampling temperature."),
		newField("top_p", schema.AnyNumber, nullDefault, "Nucleus sampling: the probability mass to choose from."),
		newField("top_k", schema.AnyNumber, nullDefault, "The number of likely tokens to choose from."),
		newField("max_output_tokens", schema.Integer, nullDefault, "The maximum tokens of a reply."),
		newField("seed", schema.Integer, nullDefault, "The seed, for repeatable replies."),
		newField("stop_sequences", schema.ListOf(schema.String), nullDefault, "The texts that end a reply."),
		newField("thinking_config", thinking, nullDefault, "How much the model thinks."),
	},
		optionalFields(schema.String, "response_mime_type cached_content media_resolution service_tier"),
		optionalFields(schema.Integer, "candidate_count logprobs"),
		optionalFields(schema.AnyNumber, "presence_penalty frequency_penalty"),
		optionalFields(schema.Boolean, "response_logprobs audio_timestamp should_return_http_response enable_enhanced_civic_answers"),
		optionalFields(schema.ListOf(schema.String), "response_modalities"),
		optionalFields(schema.ListOf(schema.AnyValue), "safety_settings tools"),
		optionalFields(schema.Object, `routing_config model_selection_config tool_config labels automatic_function_calling image_config
			model_armor_config audio_transcription_config`),
		optionalFields(requests, "http_options"),
		optionalFields(schema.AnyValue, "response_schema response_json_schema speech_config system_instruction"))
}

// usageType is the table of what a model's call used.
var usageType = newGenAIType("usage-metadata", "What a model's call used.", append(append(
	optionalFields(schema.Integer, `prompt_token_count candidates_token_count total_token_count thoughts_token_count
		cached_content_token_count tool_use_prompt_token_count`),
	optionalFields(schema.ListOf(schema.AnyValue), `prompt_tokens_details candidates_tokens_details cache_tokens_details
		tool_use_prompt_tokens_details`)...),
	optionalFields(schema.String, "traffic_type")...)...)
