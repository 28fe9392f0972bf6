package promptfoo

import "github.com/rubric-ls/rubric/core/schema"

// What promptfoo does with an invalid value.
const (
	refusesFile = "refuses the file"
	warnsOnly   = "only warns and goes on"
	dropsIt     = "ignores it without a word"
	errorRow    = "counts the row as an error"
)

func field(key string, t *schema.Type, onInvalid, doc string) *schema.Field {
	return &schema.Field{Key: key, Type: t, OnInvalid: onInvalid, Doc: doc}
}

func newType(name, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{Name: name, Doc: doc, Kind: schema.Map, Fields: fields, OnUnknownKey: dropsIt}
}

var (
	texts  = schema.UnionOf(schema.String, schema.ListOf(schema.String))
	scalar = schema.UnionOf(schema.String, schema.AnyNumber, schema.Boolean)
)

// ConfigFile is the table of a configuration.
var ConfigFile = newType("configuration", "A configuration: prompts, the providers that answer them, and tests with variables and assertions.",
	field("$schema", schema.String, dropsIt, "The JSON Schema, for editors.").AsInformational(),
	field("description", schema.String, warnsOnly, "What the configuration is for.").AsInformational(),
	field("tags", schema.MapOf(schema.String), warnsOnly, "Labels for results.").AsInformational(),
	field("prompts", promptsType, warnsOnly, "The prompts: texts, `file://` and a path, or mappings. Each is asked of each provider.").
		WithDefault("`{{prompt}}`").WithExample([]string{"Translate to French: {{ text }}"}).WithMisnomers("prompt"),
	field("providers", providersType, warnsOnly, "The models or programs that answer. One of several equal entries counts.").
		WithAliases("targets").WithExample([]string{"openai:gpt-4.1-mini"}).WithMisnomers("provider", "target", "models"),
	field("tests", testsType, warnsOnly, "The tests: mappings, or the path of a file in CSV, JSON, JSONL or YAML. Without any, there is one empty test, which passes.").WithMisnomers("test", "testCases", "cases"),
	field("scenarios", schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, scenarioType))), warnsOnly, "Tests that are combined with rows of variables."),
	field("defaultTest", schema.UnionOf(schema.String, defaultTestType), warnsOnly, "What all tests inherit: a mapping, or `file://` and a path.").WithMisnomers("default_test", "defaultTests", "defaults"),
	field("derivedMetrics", schema.ListOf(derivedMetricType), warnsOnly, "Metrics computed from named ones."),
	field("env", schema.MapOf(schema.AnyValue), warnsOnly, "Environment variables of providers, and of `{{ env.NAME }}`."),
	field("nunjucksFilters", schema.MapOf(schema.String), warnsOnly, "Filters for templates, by name, each in a JavaScript file.").AsUnsupported("templates have no filters of the user's own here"),
	field("extensions", schema.ListOf(schema.String), warnsOnly, "Hooks around the run: `file://`, a path and the name of a function.").AsUnsupported("no hooks run here"),
	field("evaluateOptions", evaluateOptionsType, warnsOnly, "How the tests are run.").WithMisnomers("evaluate_options", "options"),
	field("commandLineOptions", commandLineType, refusesFile, "Default options of the command line."),
	field("outputPath", texts, warnsOnly, "The files to write results to.").AsInformational(),
	field("sharing", schema.UnionOf(schema.Boolean, schema.Object), warnsOnly, "Whether results can be shared.").AsInformational(),
	field("metadata", schema.Object, warnsOnly, "Data of the user's own. Lost if `defaultTest.metadata` exists.").AsInformational(),
	field("tracing", schema.Object, warnsOnly, "How traces are collected.").AsInformational(),
	field("writeLatestResults", schema.Boolean, warnsOnly, "Whether results are kept.").AsInformational(),
	field("redteam", schema.Object, warnsOnly, "Generation of attacks; `rubric` does not generate any."),
	field("plugins", schema.AnyValue, warnsOnly, "The older place of this key of `redteam`.").WithDeprecatedNames("plugins"),
	field("strategies", schema.AnyValue, warnsOnly, "The older place of this key of `redteam`.").WithDeprecatedNames("strategies"),
).Needing(refusesFile, "providers", "targets")

// TestsFile is the table of a file of tests.
var TestsFile = schema.ListOf(testType)

var promptsType = schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, promptType)), schema.MapOf(schema.String))

// promptType is an entry of `prompts`: with an id, or with a text and a label.
var promptType = func() *schema.Type {
	referred := *textPromptType.WithFields("prompt", textPromptType.Field("label").With(func(f *schema.Field) { f.Required = false }))
	referred.MarkerKey = "id"
	return &schema.Type{Name: "prompt-entry", Doc: "A prompt with a name.", Kind: schema.Map, Choices: []*schema.Type{&referred, textPromptType}}
}()

var textPromptType = newType("prompt-text", "A prompt whose text is in the configuration.",
	field("id", schema.String, warnsOnly, "The text, or `file://` and a path, unless `raw` has the text. A test's `prompts` may name it."),
	field("label", schema.String, warnsOnly, "The name, in results and for filters.").WithMisnomers("name").AsRequired(),
	field("raw", schema.String, warnsOnly, "The text.").WithMisnomers("text", "content"),
	field("template", schema.String, warnsOnly, "The text before it was filled in.").AsInformational(),
	field("display", schema.String, warnsOnly, "The older name of `label`.").AsInformational(),
	field("function", schema.AnyValue, warnsOnly, "The function that writes it.").AsUnsupported("no program writes prompts here"),
	field("config", schema.AnyValue, warnsOnly, "Settings for the provider."),
).Needing(warnsOnly, "id", "raw")

var providersType = schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, providerType)), schema.Object)

var providerFields = []*schema.Field{
	field("label", schema.String, warnsOnly, "The name, in results and for filters.").WithMisnomers("name"),
	field("config", schema.AnyValue, warnsOnly, "Settings, such as `temperature`."),
	field("prompts", schema.ListOf(schema.String), warnsOnly, "The labels of the only prompts that it is asked. Without a known one, it is asked nothing."),
	field("transform", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes its answers.").AsUnsupported("no transform runs here"),
	field("delay", schema.AnyNumber, warnsOnly, "Milliseconds between calls."),
	field("env", schema.MapOf(scalar), warnsOnly, "Its environment variables."),
	field("inputs", schema.AnyValue, warnsOnly, "Its inputs, for red teams.").AsInformational(),
}

// providerType is an entry of `providers`: with an id, or with the id as its only key.
var providerType = func() *schema.Type {
	named := newType("provider", "A model or program that answers.", append([]*schema.Field{
		field("id", schema.String, refusesFile, "The kind of provider and the model, or a path.").WithExample("openai:gpt-4.1-mini").AsRequired(),
	}, providerFields...)...)
	named.MarkerKey = "id"
	settings := newType("provider-settings", "The settings of a provider that has its id as the key.", append([]*schema.Field{
		field("id", schema.String, warnsOnly, "Another id."),
	}, providerFields...)...)
	return &schema.Type{Name: "provider-entry", Kind: schema.Map, Doc: "A provider.", Choices: []*schema.Type{
		named, {Name: "provider-by-id", Doc: "A provider, with its id as the only key.", Kind: schema.Map, OtherValues: settings},
	}}
}()

var testsType = schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, testEntryType)), testsFileType)

var testsFileType = &schema.Type{
	Name: "tests-file", Doc: "A file or a program that has the tests.", Kind: schema.Map, OnUnknownKey: dropsIt, MarkerKey: "path",
	Fields: []*schema.Field{
		field("path", schema.String, "has no tests", "The path.").AsRequired(),
		field("config", schema.AnyValue, dropsIt, "What the program gets.").AsUnsupported("no program makes tests here"),
	},
}

var testEntryType = &schema.Type{
	Name: "test-entry", Doc: "A test, or a file of tests.", Kind: schema.Map, Choices: []*schema.Type{testsFileType, testType},
}

// variables are values of any kind, by name.
var variables = schema.MapOf(schema.UnionOf(schema.String, schema.AnyNumber, schema.Boolean, schema.Object, schema.ListOf(schema.AnyValue)))

var testFields = []*schema.Field{
	field("description", schema.String, warnsOnly, "What it tests.").AsInformational(),
	field("vars", schema.UnionOf(variables, schema.String, schema.ListOf(schema.String)), warnsOnly,
		"The values of the variables, or the path of a file that has them. A list that begins with a text stands for several tests.").
		WithExample(map[string]any{"text": "Hello"}).WithMisnomers("variables", "inputs"),
	field("assert", schema.ListOf(assertionType), refusesFile, "The assertions, after those of `defaultTest`.").
		WithExample([]any{map[string]any{"type": "contains", "value": "Bonjour"}}).WithMisnomers("asserts", "assertion", "assertions", "expect", "expected"),
	field("threshold", schema.AnyNumber, dropsIt, "The mean score from which the test passes. It replaces the assertions' own verdicts.").WithMisnomers("treshold"),
	field("options", testOptionsType, warnsOnly, "How it is asked and graded."),
	field("metadata", schema.Object, warnsOnly, "Data of the user's own, for filters.").AsInformational(),
	field("provider", schema.AnyValue, warnsOnly, "Another provider that answers this test. It is not the judge."),
	field("providers", schema.ListOf(schema.String), warnsOnly, "Labels or ids of the only providers that are asked."),
	field("prompts", schema.ListOf(schema.String), warnsOnly, "Labels or ids of the only prompts that are asked."),
	field("providerOutput", schema.UnionOf(schema.String, schema.Object, schema.ListOf(schema.AnyValue)), warnsOnly, "The answer. No provider is asked."),
	field("assertScoringFunction", schema.AnyValue, warnsOnly, "`file://` and a program that combines the scores.").AsUnsupported("no scoring function runs here"),
}

var (
	testType        = newType("test", "A test: variables and assertions.", testFields...).Needing(refusesFile, "assert", "vars", "options", "metadata", "provider", "providerOutput", "threshold")
	defaultTestType = newType("default-test", "What all tests inherit.", testFields[1:]...)
	scenarioRowType = newType("scenario-row", "What the tests get in one round.", testFields...)
)

var testOptionsType = newType("test-options", "How a test is asked and graded. Other keys are settings for the provider.",
	field("prefix", schema.String, warnsOnly, "Text before the prompt."),
	field("suffix", schema.String, warnsOnly, "Text after the prompt."),
	field("transform", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes the answer.").
		WithAliases("postprocess").WithDeprecatedNames("postprocess").AsUnsupported("no transform runs here"),
	field("transformVars", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes the variables.").AsUnsupported("no transform runs here"),
	field("storeOutputAs", schema.String, warnsOnly, "The variable of later tests that gets the answer.").AsUnsupported("no answer becomes a variable here"),
	field("provider", schema.AnyValue, warnsOnly, "The judge.").WithExample("openai:gpt-4.1"),
	field("rubricPrompt", schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), warnsOnly, "The judge's prompt, with `{{ output }}` and `{{ rubric }}`.").WithMisnomers("rubric_prompt"),
	field("factuality", newType("factuality-scores", "The scores of the categories of `factuality`.",
		field("subset", schema.AnyNumber, warnsOnly, "The answer is a subset of the reference."), field("superset", schema.AnyNumber, warnsOnly, "It is a superset."),
		field("agree", schema.AnyNumber, warnsOnly, "Both agree."), field("disagree", schema.AnyNumber, warnsOnly, "They disagree."),
		field("differButFactual", schema.AnyNumber, warnsOnly, "They differ, but not in fact."),
	), warnsOnly, "The scores of the categories of `factuality`."),
	field("disableVarExpansion", schema.Boolean, warnsOnly, "Whether lists stay one value."),
	field("disableConversationVar", schema.Boolean, warnsOnly, "Whether `_conversation` is left out."),
	field("disableDefaultAsserts", schema.Boolean, warnsOnly, "Whether the assertions of `defaultTest` are left out."),
	field("runSerially", schema.Boolean, warnsOnly, "Whether the test runs alone.").AsInformational(),
	field("repeat", schema.IntegerFrom(1), warnsOnly, "How often the test is run."),
)

var scenarioType = newType("scenario", "Tests that are run once for each row of `config`.",
	field("description", schema.String, warnsOnly, "What it tests.").AsInformational(),
	field("config", schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, scenarioRowType))), "has no rows", "The rows.").AsRequired(),
	field("tests", schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, testEntryType))), "has no rows", "The tests, or the path of a file that has them.").AsRequired(),
)

var derivedMetricType = newType("derived-metric", "A metric computed from named ones.",
	field("name", schema.String, warnsOnly, "Its name.").WithExample("f1").AsRequired(),
	field("value", schema.String, warnsOnly, "A formula over the sums of named metrics and `__count`.").WithExample("2 * precision * recall / (precision + recall)").AsRequired(),
)

var evaluateOptionsType = newType("evaluate-options", "How the tests are run.",
	field("cache", schema.Boolean, warnsOnly, "Whether answers are kept on disk.").AsInformational(),
	field("delay", schema.AnyNumber, warnsOnly, "Milliseconds between calls."),
	field("generateSuggestions", schema.Boolean, warnsOnly, "Whether new prompts are suggested.").AsInformational(),
	field("suggestionsCount", schema.AnyNumber, warnsOnly, "How many.").AsInformational(),
	field("maxConcurrency", schema.AnyNumber, warnsOnly, "How many calls run at once.").WithDefault("`4`").AsInformational(),
	field("repeat", schema.AnyNumber, warnsOnly, "How often each test is run."),
	field("showProgressBar", schema.Boolean, warnsOnly, "Whether progress is shown.").AsInformational(),
	field("timeoutMs", schema.AnyNumber, warnsOnly, "The longest time of a test, in milliseconds."),
	field("maxEvalTimeMs", schema.AnyNumber, warnsOnly, "The longest time of the run, in milliseconds."),
	field("filterRange", schema.String, warnsOnly, "Which tests run."),
	field("interactiveProviders", schema.Boolean, warnsOnly, "Whether providers ask the user.").AsInformational(),
	field("eventSource", schema.String, warnsOnly, "Where the run was started.").AsInformational(),
)

var commandLineType = &schema.Type{
	Name: "command-line-options", Doc: "Default options of the command line, in camelCase.", Kind: schema.Map, OnUnknownKey: dropsIt, OtherValues: schema.AnyValue,
	Fields: []*schema.Field{
		field("repeat", scalar, refusesFile, "How often each test is run."),
		field("maxConcurrency", scalar, refusesFile, "How many calls run at once.").AsInformational(),
	},
}
