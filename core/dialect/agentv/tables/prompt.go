package tables

import "github.com/rubric-ls/rubric/core/schema"

// promptType is one of Head's prompts written in full.
var promptType = &schema.Type{
	Name: "prompt",
	Doc:  "One way of asking: a text, messages, a file, or a program that writes it. `{{ name }}` is a test's variable.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Type: schema.String, Doc: "Tells the cases of a test apart where there are several prompts."},
		{Key: "label", Type: schema.String, Doc: "The prompt's name in results."},
		{Key: "prompt", Type: schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType)), Example: "Can I send the {{ item }} back?", Doc: "The text, or messages."},
		{Key: "messages", Type: schema.NonEmptyListOf(messageType), Doc: "Messages."},
		{Key: "raw", Type: schema.NonEmptyString, Doc: "The text."},
		{Key: "file", Type: schema.NonEmptyString, Doc: "The path of a file with the text."},
		{Key: "function", Type: anyValue, Doc: "A function that writes the prompt."},
		{Key: "function_file", Type: anyValue, Doc: "The file of such a function."},
		{Key: "command", Type: anyValue, Doc: "A program that writes the prompt."},
		messageType.Field("role"), messageType.Field("content"), messageType.Field("tool_calls"), messageType.Field("name"),
	},
	OtherValues:  anyValue,
	RequireAny:   []string{"prompt", "messages", "raw", "file", "function", "function_file", "command", "role"},
	OnMissingAll: lostFile,
}

func init() {
	role := *promptType.Field("role")
	role.Required = false // only of a prompt that is a message
	for i, f := range promptType.Fields {
		if f.Key == "role" {
			promptType.Fields[i] = &role
		}
	}
}

var promptsField = &schema.Field{
	Key: "prompts", Type: schema.UnionOf(schema.NonEmptyString, promptType, schema.NonEmptyListOf(schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType), promptType))),
	Example: []string{"{{ input }}"}, OnInvalid: lostFile,
	Doc: "What is asked, with slots for each test's variables: a text, `file://` and the path of one, messages, or several of these. " +
		"Each test is run with each prompt.",
}

var varsField = &schema.Field{
	Key: "vars", Type: schema.Object, Example: map[string]any{"input": "Can I send the lamp back?", "expected_output": "Within 30 days."},
	Doc: "What fills the prompts' slots, by name. A list of texts makes one case of each. `expected_output` is a good answer, to compare with.",
}
