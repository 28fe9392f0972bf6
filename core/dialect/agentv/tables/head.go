package tables

import "github.com/rubric-ls/rubric/core/schema"

// HeadEval is the table of an eval file of July 2026.
var HeadEval = &schema.Type{
	Name: "eval-file", Doc: "A suite of tests. It has prompts with variables, the values of the variables, the expected outcomes and the graders.", Kind: schema.Map,
	OnUnknownKey: ignoresButValidateFails,
	RequireAny:   []string{"tests", "scenarios"}, OnMissingAll: refusesFile,
	Fields: append(append(suiteFields("suite"), []*schema.Field{
		promptsField,
		{
			Key: "tests", OnInvalid: refusesFile, Type: schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, headTestEntryType))),
			Doc: "The tests, in report order. `file://` and a path, or a path alone for all of them, stands for the tests of that file.",
		},
		{Key: "scenarios", Type: schema.ListOf(schema.UnionOf(schema.NonEmptyString, scenarioType)), OnInvalid: refusesFile, Doc: "Tests that are combined with variables."},
		{Key: "default_test", Type: schema.UnionOf(schema.NonEmptyString, defaultTestType), OnInvalid: refusesFile, Doc: "The defaults of all tests: a mapping, or the path of one."},
		{Key: "assert", Type: headEntryTable.listType, OnInvalid: "ignores the list", Doc: "Graders of all tests, after each test's own."},
		thresholdField,
		providersField,
		{Key: "graders", Type: anyValue, Doc: "Models that grade, by name."},
		{Key: "defaults", Type: anyValue, Doc: "The default provider and grader."},
		environmentField,
		{Key: "timeout_seconds", Type: schema.PositiveNumber, Doc: "The maximum seconds for an answer."},
		{Key: "evaluate_options", Type: evaluateOptionsType, OnInvalid: refusesFile, Doc: "Settings for running the suite."},
		{Key: "derived_metrics", Informational: true, Type: anyValue, Doc: "Metrics derived from others."},
		{Key: "output_path", Informational: true, Type: anyValue, Doc: "The path of the results."},
		{Key: "env", Type: anyValue, Doc: "Environment variables."},
		{Key: "nunjucks_filters", Unsupported: "templates have no other filters", Type: anyValue, Doc: "Functions for templates."},
		{Key: "extensions", Unsupported: "no hooks run", Type: anyValue, Doc: "Hooks around the run."},
		evaluatorField,
		{Key: "targets", Type: anyValue, RemovedIn: "2026-07-07", ReplacedBy: "providers", OnInvalid: refusesFile, Doc: "The older name of `providers`."},
		newMovedField("evaluate_options.budget_usd", "budget_usd"), newMovedField("evaluate_options.repeat", "repeat"),
	}...), append(newRemovedFields("A setting of an older version.", refusesFile, "imports", "workers", "input", "expected_output"),
		newRemovedFields("A setting of an older version.", ignoresButValidateFails, "experiment", "model", "policy", "runs", "early_exit",
			"on_run_complete", "preprocessors", "provider_prompt_map", "workspace", "execution")...)...),
}

// HeadTest is the table of a test of July 2026, in YAML or as a line of JSONL.
var HeadTest = &schema.Type{
	Name: "test", Doc: "One test: the variables for the prompts, the expected outcome and the graders.", Kind: schema.Map,
	OnUnknownKey: ignoresButValidateFails,
	Fields: append(append([]*schema.Field{
		{Key: "id", Informational: true, Type: schema.NonEmptyString, Example: "refund-window", OnInvalid: skipsTest, Doc: "The test's name in results; unique in the suite. Tests outside of scenarios are skipped without one."},
		{Key: "description", Informational: true, Type: schema.String, Doc: "A description of the test, for readers."},
		varsField, goalField, headAssertField,
		thresholdField, promptsField, providersField,
		{Key: "provider", Type: anyValue, Doc: "The system under test, for this test alone."},
		inputFilesField,
		{Key: "options", Type: optionsType, OnInvalid: refusesFile, Doc: "Options for providers and graders."},
		{Key: "run", Type: runType, OnInvalid: refusesFile, Doc: "Settings for running this test."},
		{Key: "execution", Type: headExecutionType, Doc: "Settings for grading this test."},
		environmentField,
		{Key: "assert_scoring_function", Unsupported: "the scores are combined as without it", Type: anyValue, Doc: "A function that combines the scores of the assertions."},
		evaluatorField,
	}, append(testIdentityFields, conversationFields("assert", headEntryTable.listType)...)...),
		append(newRemovedFields("A setting of an older version.", refusesFile, "provider_output", "postprocess"),
			newRemovedFields("A setting of an older version.", ignoresButValidateFails, "preprocessors")...)...),
}

var headAssertField = &schema.Field{
	Key: "assert", Type: headEntryTable.listType, OnInvalid: "ignores the list", Example: []string{"States that the refund window is 30 days"},
	Doc: "Graders of this test, before the suite's. Plain texts are criteria of one rubric; each counts as much as an assertion.",
}

// headTestEntryType is an item of a list of tests: a test, or a reference to another file's tests.
var headTestEntryType = &schema.Type{
	Name: "tests-entry", Doc: "A test, or a reference to the tests of another file.", Kind: schema.Map,
	Choices: []*schema.Type{HeadTest, {
		Name: "included-tests", Doc: "The tests of another file, in an older syntax; the newer one is `file://` and a path.", Kind: schema.Map, MarkerKey: "include",
		Fields: []*schema.Field{
			{Key: "include", Type: schema.NonEmptyString, Required: true, DeprecatedNames: []string{"include"}, OnInvalid: refusesFile, Doc: "The file's path."},
			{Key: "type", Required: true, OnInvalid: refusesFile, Doc: "The kind of file.", Type: schema.EnumOf(schema.Value{Text: "suite", Doc: "an eval file"}, schema.Value{Text: "tests", Doc: "a list of tests"})},
			{Key: "select", Type: schema.UnionOf(schema.String, stringList, selectionType), OnInvalid: refusesFile, Doc: "A selection of tests by id or by property."},
			{Key: "run", Type: runType, OnInvalid: refusesFile, Doc: "Settings for running them."},
		},
	}},
}

var selectionType = &schema.Type{
	Name: "selection", Doc: "A selection of tests.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "test_ids", Type: schema.UnionOf(schema.String, stringList), OnInvalid: refusesFile, Doc: "By their ids."},
		{Key: "tags", Type: schema.UnionOf(schema.String, stringList), OnInvalid: refusesFile, Doc: "By their tags."},
		{Key: "metadata", Type: schema.Object, OnInvalid: refusesFile, Doc: "By their metadata."},
	},
}

// headExecutionType holds the keys that remain of a test's execution.
var headExecutionType = &schema.Type{
	Name: "execution", Doc: "Settings for grading one test.", Kind: schema.Map, OnUnknownKey: ignoresButValidateFails,
	Fields: []*schema.Field{
		{Key: "assert", Type: headEntryTable.listType, Doc: "Graders; the test's own `assert` takes precedence."},
		{Key: "skip_defaults", Type: schema.Boolean, Default: "`false`", Doc: "Whether to leave out the suite's assertions."},
		{Key: "cache", Informational: true, Type: anyValue, Doc: "Whether to cache answers for the next run."},
		{Key: "trials", Unsupported: "each test runs once; see `--samples` for the judge", Type: anyValue, Doc: "The number of runs of the test."},
		{Key: "budget_usd", Aliases: []string{"budgetUsd"}, Type: anyValue, Doc: "The maximum cost in US dollars."},
		{Key: "fail_on_error", Aliases: []string{"failOnError"}, Type: anyValue, Doc: "Whether an error fails the run."},
		lenientThresholdField,
	},
}

// defaultTestType is the table of the defaults for all tests of a suite.
var defaultTestType = &schema.Type{
	Name: "default-test", Doc: "The defaults of all tests.", Kind: schema.Map, OnUnknownKey: ignoresButValidateFails,
	Fields: []*schema.Field{
		varsField, headAssertField, thresholdField, promptsField, providersField, HeadTest.Field("provider"), HeadTest.Field("options"),
		HeadTest.Field("assert_scoring_function"), HeadTest.Field("metadata"),
	},
}

// scenarioType is the table of tests that are combined with variables.
var scenarioType = &schema.Type{
	Name: "scenario", Doc: "Tests that are combined with variables: each test runs with each entry of `config`.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Informational: true, Type: schema.String, Doc: "The scenario's name."},
		{Key: "description", Informational: true, Type: schema.String, Doc: "A description of the scenario, for readers."},
		{Key: "config", Type: schema.ListOf(HeadTest), Required: true, OnInvalid: refusesFile, Doc: "The values for each round of the tests, mainly variables."},
		{Key: "tests", Type: schema.ListOf(HeadTest), OnInvalid: refusesFile, Doc: "The tests."},
	},
	OtherValues: anyValue,
}

// newMovedField returns a key that has moved to path.
func newMovedField(path, key string) *schema.Field {
	return &schema.Field{Key: key, Type: anyValue, RemovedIn: removedAtLatest, ReplacedBy: path, OnInvalid: ignoresButValidateFails, Doc: "Now `" + path + "`."}
}

// HeadConfig is the table of .agentv/config.yaml of July 2026.
var HeadConfig = &schema.Type{
	Name: "config-file", Doc: "Settings for all eval files in a folder and its subfolders.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "The kind of file: `agentv-config-v2`."},
		providersField,
		{Key: "defaults", Type: anyValue, Example: map[string]any{"provider": "default", "grader": "grader"}, Doc: "The default provider and grader."},
		{Key: "tests", Type: anyValue, Doc: "Tests, or `file://` and the path of a file with tests."},
		{Key: "eval_patterns", Type: schema.ListOf(schema.String), Example: []string{"**/evals/**/suite.yaml"}, Doc: "Glob patterns for eval files."},
		{Key: "execution", Type: schema.Object, Doc: "Default settings for running evals."},
	},
	OtherValues: anyValue,
}

// promptType is the table of one of Head's prompts in full.
var promptType = &schema.Type{
	Name: "prompt", Doc: "One prompt: a text, messages, a file, or a program that writes it. `{{ name }}` is a test's variable.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Informational: true, Type: schema.String, Doc: "Distinguishes the cases of a test if there are several prompts."},
		{Key: "label", Informational: true, Type: schema.String, Doc: "The prompt's name in results."},
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
	OnMissingAll: refusesFile,
}

func init() {
	role := *promptType.Field("role")
	role.Required = false // only a prompt that is a message has a role
	for i, f := range promptType.Fields {
		if f.Key == "role" {
			promptType.Fields[i] = &role
		}
	}
}

var promptsField = &schema.Field{
	Key: "prompts", Type: schema.UnionOf(schema.NonEmptyString, promptType, schema.NonEmptyListOf(schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType), promptType))),
	Example: []string{"{{ input }}"}, OnInvalid: refusesFile,
	Doc: "The prompts, with variables for each test's values: a text, `file://` and the path of one, messages, or several of these. " +
		"Each test runs with each prompt.",
}

var varsField = &schema.Field{
	Key: "vars", Type: schema.Object, Example: map[string]any{"input": "Can I send the lamp back?", "expected_output": "Within 30 days."},
	Doc: "Values for the prompts' variables, by name. Each text of a list makes one case. `expected_output` is a good answer, for comparison.",
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
		{Key: "runtime", Type: anyValue, Doc: "Its runtime."},
		{Key: "config", Type: schema.Object, Doc: "Its settings."},
		{Key: "hooks", Type: anyValue, Doc: "Commands that run before and after."},
	},
	OtherValues: anyValue,
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
		{Key: "providers", Type: schema.ListOf(providerType), Required: true, OnInvalid: refusesFile, Doc: "The providers."},
	},
	OtherValues: anyValue,
})
