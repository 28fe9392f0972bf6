package agentv

import "github.com/rubric-ls/rubric/core/schema"

// Messages in full.
var (
	inputMessagesType    = schema.NonEmptyListOf(MessageType)
	expectedMessagesType = schema.ListOf(MessageType)
)

// What messages may be in short: a text or data that stands for one of them.
var (
	ShortInputType    = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(MessageType))
	ShortExpectedType = schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object)
)

// MessageType is one turn of a conversation.
var MessageType = &schema.Type{
	Name: "message",
	Doc:  "One turn of a conversation.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "role", Required: true, OnInvalid: "drops the message", Doc: "Who speaks.",
			Type: schema.EnumOf(
				schema.Value{Text: "system", Doc: "instructions to the target"},
				schema.Value{Text: "user", Doc: "who asks"},
				schema.Value{Text: "assistant", Doc: "the target"},
				schema.Value{Text: "tool", Doc: "a tool's result"},
			),
		},
		{
			Key: "content", OnInvalid: "drops the message", Example: "Where is my order?",
			Type: schema.UnionOf(schema.String, schema.ListOf(partType), schema.Object),
			Doc:  "What is said: a text, parts of text and files, or data.",
		},
		{Key: "name", Type: schema.String, Doc: "The speaker's name."},
		{
			Key: "tool_calls", Type: schema.ListOf(toolCallType),
			Doc: "Tools that the assistant calls; instead of content, or with it.",
		},
	},
	RequireAny:   []string{"content", "tool_calls"},
	OnMissingAll: "drops the message",
}

var partType = &schema.Type{
	Name: "content-part",
	Doc:  "A piece of a message.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "type", Required: true, Doc: "What the piece is.",
			Type: schema.EnumOf(
				schema.Value{Text: "text", Doc: "`value` is the text itself"},
				schema.Value{Text: "file", Doc: "`value` is the path of a file"},
			),
		},
		{
			Key: "value", Type: schema.String, Required: true,
			Doc: "The text, or the file's path: beside the eval file, in a folder above it up to the repository's root, or in the working folder.",
		},
	},
}

var toolCallType = &schema.Type{
	Name: "tool-call",
	Doc:  "One call of a tool.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "tool", Type: schema.NonEmptyString, Required: true, Doc: "The tool's name.", Example: "find_order"},
		{Key: "input", Type: schema.AnyValue, Doc: "What it is given."},
		{Key: "output", Type: schema.AnyValue, Doc: "What it gives back."},
	},
	OtherValues: schema.AnyValue,
}
