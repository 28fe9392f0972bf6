package head

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/schema"
)

// EvalFile is the table of an eval file of July 2026.
var EvalFile = &schema.Type{
	Name: "eval-file", Doc: "A suite of tests. It has prompts with variables, the values of the variables, the expected outcomes and the graders.", Kind: schema.Map,
	OnUnknownKey: v4.IgnoresButValidateFails,
	RequireAny:   []string{"tests", "scenarios"}, OnMissingAll: v4.RefusesFile,
	Fields: append(append(v4.SuiteFields(), []*schema.Field{
		promptsField,
		{
			Key: "tests", OnInvalid: v4.RefusesFile, Type: schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, testEntryType))),
			Doc: "The tests, in report order. `file://` and a path, or a path alone for all of them, stands for the tests of that file.",
		},
		{Key: "scenarios", Type: schema.ListOf(schema.UnionOf(schema.NonEmptyString, scenarioType)), OnInvalid: v4.RefusesFile, Doc: "Tests that are combined with variables."},
		{Key: "default_test", Type: schema.UnionOf(schema.NonEmptyString, defaultTestType), OnInvalid: v4.RefusesFile, Doc: "The defaults of all tests: a mapping, or the path of one."},
		{Key: "assert", Type: entryTable.ListType, OnInvalid: "ignores the list", Doc: "Graders of all tests, after each test's own."},
		v4.ThresholdField,
		providersField,
		{Key: "graders", Type: schema.AnyValue, Doc: "Models that grade, by name."},
		{Key: "defaults", Type: schema.AnyValue, Doc: "The default provider and grader."},
		environmentField,
		{Key: "timeout_seconds", Type: schema.PositiveNumber, Doc: "The maximum seconds for an answer."},
		{Key: "evaluate_options", Type: evaluateOptionsType, OnInvalid: v4.RefusesFile, Doc: "Settings for running the suite."},
		{Key: "derived_metrics", Informational: true, Type: schema.AnyValue, Doc: "Metrics derived from others."},
		{Key: "output_path", Informational: true, Type: schema.AnyValue, Doc: "The path of the results."},
		{Key: "env", Type: schema.AnyValue, Doc: "Environment variables."},
		{Key: "nunjucks_filters", Unsupported: "templates have no other filters", Type: schema.AnyValue, Doc: "Functions for templates."},
		{Key: "extensions", Unsupported: "no hooks run", Type: schema.AnyValue, Doc: "Hooks around the run."},
		v4.EvaluatorField,
		{Key: "targets", Type: schema.AnyValue, RemovedIn: "2026-07-07", ReplacedBy: "providers", OnInvalid: v4.RefusesFile, Doc: "The older name of `providers`."},
		newMovedField("evaluate_options.budget_usd", "budget_usd"), newMovedField("evaluate_options.repeat", "repeat"),
	}...), append(v4.NewRemovedFields("A setting of an older version.", v4.RefusesFile, "imports", "workers", "input", "expected_output"),
		v4.NewRemovedFields("A setting of an older version.", v4.IgnoresButValidateFails, "experiment", "model", "policy", "runs", "early_exit",
			"on_run_complete", "preprocessors", "provider_prompt_map", "workspace", "execution")...)...),
}

// TestType is the table of a test of July 2026, in YAML or as a line of JSONL.
var TestType = &schema.Type{
	Name: "test", Doc: "One test: the variables for the prompts, the expected outcome and the graders.", Kind: schema.Map,
	OnUnknownKey: v4.IgnoresButValidateFails,
	Fields: append(append([]*schema.Field{
		{Key: "id", Informational: true, Type: schema.NonEmptyString, Example: "refund-window", OnInvalid: v4.SkipsTest, Doc: "The test's name in results; unique in the suite. Tests outside of scenarios are skipped without one."},
		{Key: "description", Informational: true, Type: schema.String, Doc: "A description of the test, for readers."},
		varsField, v4.GoalField, assertField,
		v4.ThresholdField, promptsField, providersField,
		{Key: "provider", Type: schema.AnyValue, Doc: "The system under test, for this test alone."},
		v4.InputFilesField,
		{Key: "options", Type: optionsType, OnInvalid: v4.RefusesFile, Doc: "Options for providers and graders."},
		{Key: "run", Type: runType, OnInvalid: v4.RefusesFile, Doc: "Settings for running this test."},
		{Key: "execution", Type: executionType, Doc: "Settings for grading this test."},
		environmentField,
		{Key: "assert_scoring_function", Unsupported: "the scores are combined as without it", Type: schema.AnyValue, Doc: "A function that combines the scores of the assertions."},
		v4.EvaluatorField,
	}, append(v4.TestIdentityFields, v4.ConversationFields("assert", entryTable.ListType)...)...),
		append(v4.NewRemovedFields("A setting of an older version.", v4.RefusesFile, "provider_output", "postprocess"),
			v4.NewRemovedFields("A setting of an older version.", v4.IgnoresButValidateFails, "preprocessors")...)...),
}

var assertField = &schema.Field{
	Key: "assert", Type: entryTable.ListType, OnInvalid: "ignores the list", Example: []string{"States that the refund window is 30 days"},
	Doc: "Graders of this test, before the suite's. Plain texts are criteria of one rubric; each counts as much as an assertion.",
}

// testEntryType is an item of a list of tests: a test, or a reference to another file's tests.
var testEntryType = &schema.Type{
	Name: "tests-entry", Doc: "A test, or a reference to the tests of another file.", Kind: schema.Map,
	Choices: []*schema.Type{TestType, {
		Name: "included-tests", Doc: "The tests of another file, in an older syntax; the newer one is `file://` and a path.", Kind: schema.Map, MarkerKey: "include",
		Fields: []*schema.Field{
			{Key: "include", Type: schema.NonEmptyString, Required: true, DeprecatedNames: []string{"include"}, OnInvalid: v4.RefusesFile, Doc: "The file's path."},
			{Key: "type", Required: true, OnInvalid: v4.RefusesFile, Doc: "The kind of file.", Type: schema.EnumOf(schema.Value{Text: "suite", Doc: "an eval file"}, schema.Value{Text: "tests", Doc: "a list of tests"})},
			{Key: "select", Type: schema.UnionOf(schema.String, v4.StringList, selectionType), OnInvalid: v4.RefusesFile, Doc: "A selection of tests by id or by property."},
			{Key: "run", Type: runType, OnInvalid: v4.RefusesFile, Doc: "Settings for running them."},
		},
	}},
}

var selectionType = &schema.Type{
	Name: "selection", Doc: "A selection of tests.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "test_ids", Type: schema.UnionOf(schema.String, v4.StringList), OnInvalid: v4.RefusesFile, Doc: "By their ids."},
		{Key: "tags", Type: schema.UnionOf(schema.String, v4.StringList), OnInvalid: v4.RefusesFile, Doc: "By their tags."},
		{Key: "metadata", Type: schema.Object, OnInvalid: v4.RefusesFile, Doc: "By their metadata."},
	},
}

// executionType holds the keys that remain of a test's execution.
var executionType = &schema.Type{
	Name: "execution", Doc: "Settings for grading one test.", Kind: schema.Map, OnUnknownKey: v4.RefusesFile,
	Fields: []*schema.Field{
		{Key: "assert", Type: entryTable.ListType, Doc: "Graders; the test's own `assert` takes precedence."},
		{Key: "skip_defaults", Type: schema.Boolean, Default: "`false`", Doc: "Whether to leave out the suite's assertions."},
		{Key: "cache", Informational: true, Type: schema.AnyValue, Doc: "Whether to cache answers for the next run."},
		{Key: "trials", Type: schema.AnyValue, Doc: "The number of runs of the test."},
		{Key: "budget_usd", Aliases: []string{"budgetUsd"}, Type: schema.AnyValue, Doc: "The maximum cost in US dollars."},
		{Key: "fail_on_error", Aliases: []string{"failOnError"}, Type: schema.AnyValue, Doc: "Whether an error fails the run."},
		v4.LenientThresholdField,
	},
}

// defaultTestType is the table of the defaults for all tests of a suite.
var defaultTestType = &schema.Type{
	Name: "default-test", Doc: "The defaults of all tests.", Kind: schema.Map, OnUnknownKey: v4.IgnoresButValidateFails,
	Fields: []*schema.Field{
		varsField, assertField, v4.ThresholdField, promptsField, providersField, TestType.Field("provider"), TestType.Field("options"),
		TestType.Field("assert_scoring_function"), TestType.Field("metadata"),
	},
}

// scenarioType is the table of tests that are combined with variables.
var scenarioType = &schema.Type{
	Name: "scenario", Doc: "Tests that are combined with variables: each test runs with each entry of `config`.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Informational: true, Type: schema.String, Doc: "The scenario's name."},
		{Key: "description", Informational: true, Type: schema.String, Doc: "A description of the scenario, for readers."},
		{Key: "config", Type: schema.ListOf(TestType), Required: true, OnInvalid: v4.RefusesFile, Doc: "The values for each round of the tests, mainly variables."},
		{Key: "tests", Type: schema.ListOf(TestType), OnInvalid: v4.RefusesFile, Doc: "The tests."},
	},
	OtherValues: schema.AnyValue,
}

// newMovedField returns a key that has moved to path.
func newMovedField(path, key string) *schema.Field {
	return &schema.Field{Key: key, Type: schema.AnyValue, RemovedIn: v4.RemovedAtLatest, ReplacedBy: path, OnInvalid: v4.IgnoresButValidateFails, Doc: "Now `" + path + "`."}
}

// ConfigFile is the table of .agentv/config.yaml of July 2026.
var ConfigFile = &schema.Type{
	Name: "config-file", Doc: "Settings for all eval files in a folder and its subfolders.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "The kind of file: `agentv-config-v2`."},
		providersField,
		{Key: "defaults", Type: schema.AnyValue, Example: map[string]any{"provider": "default", "grader": "grader"}, Doc: "The default provider and grader."},
		{Key: "tests", Type: schema.AnyValue, Doc: "Tests, or `file://` and the path of a file with tests."},
		{Key: "eval_patterns", Type: schema.ListOf(schema.String), Example: []string{"**/evals/**/suite.yaml"}, Doc: "Glob patterns for eval files."},
		{Key: "execution", Type: schema.Object, Doc: "Default settings for running evals."},
	},
	OtherValues: schema.AnyValue,
}

// promptType is the table of one of Head's prompts in full.
var promptType = &schema.Type{
	Name: "prompt", Doc: "One prompt: a text, messages, a file, or a program that writes it. `{{ name }}` is a test's variable.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Informational: true, Type: schema.String, Doc: "Distinguishes the cases of a test if there are several prompts."},
		{Key: "label", Informational: true, Type: schema.String, Doc: "The prompt's name in results."},
		{Key: "prompt", Type: schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(v4.MessageType)), Example: "Can I send the {{ item }} back?", Doc: "The text, or messages."},
		{Key: "messages", Type: schema.NonEmptyListOf(v4.MessageType), Doc: "Messages."},
		{Key: "raw", Type: schema.NonEmptyString, Doc: "The text."},
		{Key: "file", Type: schema.NonEmptyString, Doc: "The path of a file with the text."},
		{Key: "function", Type: schema.AnyValue, Doc: "A function that writes the prompt."},
		{Key: "function_file", Type: schema.AnyValue, Doc: "The file of such a function."},
		{Key: "command", Type: schema.AnyValue, Doc: "A program that writes the prompt."},
		v4.MessageType.Field("role").With(func(f *schema.Field) { f.Required = false }), // only a prompt that is a message has a role
		v4.MessageType.Field("content"), v4.MessageType.Field("tool_calls"), v4.MessageType.Field("name"),
	},
	OtherValues:  schema.AnyValue,
	RequireAny:   []string{"prompt", "messages", "raw", "file", "function", "function_file", "command", "role"},
	OnMissingAll: v4.RefusesFile,
}

var promptsField = &schema.Field{
	Key: "prompts", Type: schema.UnionOf(schema.NonEmptyString, promptType, schema.NonEmptyListOf(schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(v4.MessageType), promptType))),
	Example: []string{"{{ input }}"}, OnInvalid: v4.RefusesFile,
	Doc: "The prompts, with variables for each test's values: a text, `file://` and the path of one, messages, or several of these. " +
		"Each test runs with each prompt.",
}

var varsField = &schema.Field{
	Key: "vars", Type: varsType, Example: map[string]any{"input": "Can I send the lamp back?", "expected_output": "Within 30 days."},
	Doc: "Values for the prompts' variables, by name. Each text of a list makes one case. `expected_output` is a good answer, for comparison.",
}

var varsType = &schema.Type{
	Name: "variable-mapping", Doc: "Values for variables.", Kind: schema.Map, OtherValues: schema.AnyValue,
	Fields: []*schema.Field{{Key: "expected_output", Type: v4.AnswerType, Doc: "A good answer, for comparison."}},
}

// providerType is the table of one of Head's systems under test.
var providerType = &schema.Type{
	Name: "provider", Doc: "A system under test, or a judge. `{{ env.NAME }}` in a text is replaced by the environment variable.", Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "id", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the provider", Example: "openai",
			Doc: "The provider: openai, openrouter, azure, anthropic, gemini, codex-cli, codex-app-server, codex-sdk, copilot-sdk, copilot-cli, " +
				"pi-sdk, pi-coding-agent, pi-cli, pi-rpc, claude-cli, claude-sdk, cli, mock, vscode, vscode-insiders, agentv, transcript or replay, " +
				"optionally with a model after a colon.",
		},
		{Key: "label", Informational: true, Type: schema.NonEmptyString, Default: "the id", Example: "default", Doc: "The name in eval files."},
		{Key: "runtime", Type: schema.AnyValue, Doc: "Its runtime."},
		{Key: "config", Type: schema.Object, Doc: "Its settings."},
		{Key: "hooks", Type: schema.AnyValue, Doc: "Commands that run before and after."},
	},
	OtherValues: schema.AnyValue,
}

var providersField = &schema.Field{
	Key: "providers", Type: schema.UnionOf(schema.NonEmptyString, providerType, schema.ListOf(schema.UnionOf(schema.NonEmptyString, providerType))),
	Example: []string{"default"}, Doc: "The systems under test: their labels or definitions, or `file://` and the path of their file.",
}

// ProvidersFile is the table of providers.yaml: a list, or a mapping with a list.
var ProvidersFile = schema.UnionOf(schema.ListOf(providerType), &schema.Type{
	Name: "providers-file", Doc: "The systems under test, and the models that grade.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "The JSON Schema for editors."},
		{Key: "providers", Type: schema.ListOf(providerType), Required: true, OnInvalid: v4.RefusesFile, Doc: "The providers."},
	},
	OtherValues: schema.AnyValue,
})
