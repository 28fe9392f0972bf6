package tables

import "github.com/rubric-ls/rubric/core/schema"

// providerType is one of Head's systems under test.
var providerType = &schema.Type{
	Name: "provider",
	Doc:  "A system under test, or a model that grades. `{{ env.NAME }}` in a text is the environment's value.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "id", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the provider", Example: "openai",
			Doc: "What it is: openai, openrouter, azure, anthropic, gemini, codex-cli, codex-app-server, codex-sdk, copilot-sdk, copilot-cli, " +
				"pi-sdk, pi-coding-agent, pi-cli, pi-rpc, claude-cli, claude-sdk, cli, mock, vscode, vscode-insiders, agentv, transcript or replay, " +
				"perhaps with a model after a colon.",
		},
		{Key: "label", Type: schema.NonEmptyString, Default: "the id", Example: "default", Doc: "The name by which eval files call it."},
		{Key: "runtime", Type: anyValue, Doc: "Where it runs."},
		{Key: "config", Type: schema.Object, Doc: "Its settings."},
		{Key: "hooks", Type: anyValue, Doc: "What is run around it."},
	},
	OtherValues: anyValue,
}

var providersField = &schema.Field{
	Key: "providers", Type: schema.UnionOf(schema.NonEmptyString, providerType, schema.ListOf(schema.UnionOf(schema.NonEmptyString, providerType))),
	Example: []string{"default"}, Doc: "The systems under test: their labels, or in full; or `file://` and the path of their file.",
}

// ProvidersFile is a providers.yaml: a list, or a mapping with one.
var ProvidersFile = schema.UnionOf(schema.ListOf(providerType), &schema.Type{
	Name: "providers-file", Doc: "The systems under test, and the models that grade.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "The JSON Schema that editors check the file by."},
		{Key: "providers", Type: schema.ListOf(providerType), Required: true, OnInvalid: lostFile, Doc: "The providers."},
	},
	OtherValues: anyValue,
})
