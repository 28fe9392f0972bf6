package tables

import "github.com/rubric-ls/rubric/core/schema"

// HeadEval is the table of an eval file of July 2026.
var HeadEval = &schema.Type{
	Name:         "eval-file",
	Doc:          "A suite of tests: what is asked, with what in its slots, what a good answer does, and how that is graded.",
	Kind:         schema.Map,
	OnUnknownKey: lostInValidate,
	RequireAny:   []string{"tests", "scenarios"}, OnMissingAll: lostFile,
	Fields: append(append(suiteFields("suite"), []*schema.Field{
		promptsField,
		{
			Key: "tests", OnInvalid: lostFile, Type: schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, headTestEntryType))),
			Doc: "The tests, in the order in which they are reported. `file://` and a path, or a path alone for all of them, stands for a file of tests.",
		},
		{Key: "scenarios", Type: schema.ListOf(schema.UnionOf(schema.NonEmptyString, scenarioType)), OnInvalid: lostFile, Doc: "Tests that are crossed with variables."},
		{Key: "default_test", Type: schema.UnionOf(schema.NonEmptyString, defaultTestType), OnInvalid: lostFile, Doc: "What all tests have: a mapping, or the path of one."},
		{Key: "assert", Type: headEntryTable.listType, OnInvalid: "ignores the list", Doc: "Ways of grading all tests, after each test's own."},
		thresholdField,
		providersField,
		{Key: "graders", Type: anyValue, Doc: "Models that grade, by name."},
		{Key: "defaults", Type: anyValue, Doc: "The provider and the grader that are used where none is named."},
		environmentField,
		{Key: "timeout_seconds", Type: schema.PositiveNumber, Doc: "The most seconds for an answer."},
		{Key: "evaluate_options", Type: evaluateOptionsType, OnInvalid: lostFile, Doc: "How the suite is run."},
		{Key: "derived_metrics", Type: anyValue, Doc: "Figures made of others."},
		{Key: "output_path", Type: anyValue, Doc: "Where results are written."},
		{Key: "env", Type: anyValue, Doc: "Variables of the environment."},
		{Key: "nunjucks_filters", Type: anyValue, Doc: "Functions for templates."},
		{Key: "extensions", Type: anyValue, Doc: "Hooks around the run."},
		evaluatorField,
		{Key: "targets", Type: anyValue, RemovedIn: "2026-07-07", ReplacedBy: "providers", OnInvalid: lostFile, Doc: "The older name of `providers`."},
		newMovedField("evaluate_options.budget_usd", "budget_usd"), newMovedField("evaluate_options.repeat", "repeat"),
	}...), append(newRemovedFields("A setting of an older version.", lostFile, "imports", "workers", "input", "expected_output"),
		newRemovedFields("A setting of an older version.", lostInValidate, "experiment", "model", "policy", "runs", "early_exit",
			"on_run_complete", "preprocessors", "provider_prompt_map", "workspace", "execution")...)...),
}

// HeadTest is the table of a test of July 2026, in YAML or as a line of JSONL.
var HeadTest = &schema.Type{
	Name:         "test",
	Doc:          "One test: what fills the prompts' slots, what a good answer does, and who grades it.",
	Kind:         schema.Map,
	OnUnknownKey: lostInValidate,
	Fields: append(append([]*schema.Field{
		{Key: "id", Type: schema.NonEmptyString, Example: "refund-window", OnInvalid: lostTestSkipped, Doc: "The test's name in results; one of a kind in the suite. A test outside of scenarios is skipped without."},
		{Key: "description", Type: schema.String, Doc: "What the test is about, for readers."},
		varsField, goalField, headAssertField,
		thresholdField, promptsField, providersField,
		{Key: "provider", Type: anyValue, Doc: "The system under test, for this test alone."},
		inputFilesField,
		{Key: "options", Type: optionsType, OnInvalid: lostFile, Doc: "What is handed on to what asks and what grades."},
		{Key: "run", Type: runType, OnInvalid: lostFile, Doc: "How this test is run."},
		{Key: "execution", Type: headExecutionType, Doc: "How this test is graded."},
		environmentField,
		{Key: "assert_scoring_function", Type: anyValue, Doc: "A function that makes one score of the assertions'."},
		evaluatorField,
	}, append(testIdentityFields, conversationFields("assert", headEntryTable.listType)...)...),
		append(newRemovedFields("A setting of an older version.", lostFile, "provider_output", "postprocess"),
			newRemovedFields("A setting of an older version.", lostInValidate, "preprocessors")...)...),
}

var headAssertField = &schema.Field{
	Key: "assert", Type: headEntryTable.listType, OnInvalid: "ignores the list", Example: []string{"States that the refund window is 30 days"},
	Doc: "Ways of grading this test, before the suite's. Plain texts are criteria of one rubric, which counts as much as that many assertions.",
}

// headTestEntryType is an item of a list of tests: a test, or a reference to another file's tests.
var headTestEntryType = &schema.Type{
	Name: "tests-entry", Doc: "A test, or the tests of another file.", Kind: schema.Map,
	Choices: []*schema.Type{HeadTest, {
		Name: "included-tests", Doc: "The tests of another file, by its older name; `file://` and a path stands for them as well.", Kind: schema.Map, MarkerKey: "include",
		Fields: []*schema.Field{
			{Key: "include", Type: schema.NonEmptyString, Required: true, DeprecatedNames: []string{"include"}, OnInvalid: lostFile, Doc: "The file's path."},
			{
				Key: "type", Required: true, OnInvalid: lostFile, Doc: "What the file is.",
				Type: schema.EnumOf(schema.Value{Text: "suite", Doc: "an eval file"}, schema.Value{Text: "tests", Doc: "a list of tests"}),
			},
			{Key: "select", Type: schema.UnionOf(schema.String, stringList, selectionType), OnInvalid: lostFile, Doc: "Which of them: their ids, or what they have."},
			{Key: "run", Type: runType, OnInvalid: lostFile, Doc: "How they are run."},
		},
	}},
}

var selectionType = &schema.Type{
	Name: "selection", Doc: "Which tests are taken over.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "test_ids", Type: schema.UnionOf(schema.String, stringList), OnInvalid: lostFile, Doc: "By their ids."},
		{Key: "tags", Type: schema.UnionOf(schema.String, stringList), OnInvalid: lostFile, Doc: "By their tags."},
		{Key: "metadata", Type: schema.Object, OnInvalid: lostFile, Doc: "By what is in their metadata."},
	},
}

// headExecutionType holds the keys that remain of a test's execution.
var headExecutionType = &schema.Type{
	Name: "execution", Doc: "How one test is graded.", Kind: schema.Map, OnUnknownKey: lostInValidate,
	Fields: []*schema.Field{
		{Key: "assert", Type: headEntryTable.listType, Doc: "Ways of grading; the test's own `assert` counts before this one."},
		{Key: "skip_defaults", Type: schema.Boolean, Default: "`false`", Doc: "Whether the suite's assertions are left out."},
		{Key: "cache", Type: anyValue, Doc: "Whether answers are kept for the next run."},
		{Key: "trials", Type: anyValue, Doc: "How often the test is run."},
		{Key: "budget_usd", Aliases: []string{"budgetUsd"}, Type: anyValue, Doc: "The most US dollars to spend."},
		{Key: "fail_on_error", Aliases: []string{"failOnError"}, Type: anyValue, Doc: "Whether an error fails the run."},
		lenientThresholdField,
	},
}

// defaultTestType is the table of the defaults for all tests of a suite.
var defaultTestType = &schema.Type{
	Name: "default-test", Doc: "What all tests have that say nothing else.", Kind: schema.Map, OnUnknownKey: lostInValidate,
	Fields: []*schema.Field{
		varsField, headAssertField, thresholdField, promptsField, providersField, HeadTest.Field("provider"), HeadTest.Field("options"),
		HeadTest.Field("assert_scoring_function"), HeadTest.Field("metadata"),
	},
}

// scenarioType is the table of tests that are combined with variables.
var scenarioType = &schema.Type{
	Name: "scenario", Doc: "Tests that are crossed with variables: each test is run with each entry of `config`.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Type: schema.String, Doc: "The scenario's name."},
		{Key: "description", Type: schema.String, Doc: "What the scenario is about, for readers."},
		{Key: "config", Type: schema.ListOf(HeadTest), Required: true, OnInvalid: lostFile, Doc: "What each round of the tests has: its variables above all."},
		{Key: "tests", Type: schema.ListOf(HeadTest), OnInvalid: lostFile, Doc: "The tests."},
	},
	OtherValues: anyValue,
}

// newMovedField returns a key that has moved to path.
func newMovedField(path, key string) *schema.Field {
	return &schema.Field{Key: key, Type: anyValue, RemovedIn: removedAtLatest, ReplacedBy: path, OnInvalid: lostInValidate, Doc: "Is `" + path + "` now."}
}

// HeadConfig is the table of .agentv/config.yaml of July 2026.
var HeadConfig = &schema.Type{
	Name: "config-file",
	Doc:  "Settings for all eval files below a folder.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "What kind of file this is: `agentv-config-v2`."},
		providersField,
		{Key: "defaults", Type: anyValue, Example: map[string]any{"provider": "default", "grader": "grader"}, Doc: "The provider and the grader that are used where none is named."},
		{Key: "tests", Type: anyValue, Doc: "Tests, or `file://` and the path of some."},
		{Key: "eval_patterns", Type: schema.ListOf(schema.String), Example: []string{"**/evals/**/suite.yaml"}, Doc: "Which files are eval files, as glob patterns."},
		{Key: "execution", Type: schema.Object, Doc: "How evals are run where the command line does not say."},
	},
	OtherValues: anyValue,
}

// promptType is the table of one of Head's prompts in full.
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
	role.Required = false // only a prompt that is a message has a role
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

// providerType is the table of one of Head's systems under test.
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

// ProvidersFile is the table of providers.yaml: a list, or a mapping with a list.
var ProvidersFile = schema.UnionOf(schema.ListOf(providerType), &schema.Type{
	Name: "providers-file", Doc: "The systems under test, and the models that grade.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "The JSON Schema that editors check the file by."},
		{Key: "providers", Type: schema.ListOf(providerType), Required: true, OnInvalid: lostFile, Doc: "The providers."},
	},
	OtherValues: anyValue,
})
