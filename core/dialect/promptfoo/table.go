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

// informational marks fields that change neither questions nor grades.
func informational(fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.Informational = true
	}
	return fields
}

func required(f *schema.Field) *schema.Field {
	f.Required = true
	return f
}

func withDefault(byDefault string, f *schema.Field) *schema.Field {
	f.Default = byDefault
	return f
}

func withExample(example any, f *schema.Field) *schema.Field {
	f.Example = example
	return f
}

func withMisnomers(f *schema.Field, names ...string) *schema.Field {
	f.Misnomers = names
	return f
}

func unsupported(why string, f *schema.Field) *schema.Field {
	f.Unsupported = why
	return f
}

func newType(name, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{Name: name, Doc: doc, Kind: schema.Map, Fields: fields, OnUnknownKey: dropsIt}
}

func newOpenType(name, doc string, fields ...*schema.Field) *schema.Type {
	t := newType(name, doc, fields...)
	t.OtherValues = schema.AnyValue
	return t
}

var (
	texts      = schema.UnionOf(schema.String, schema.ListOf(schema.String))
	scalar     = schema.UnionOf(schema.String, schema.AnyNumber, schema.Boolean)
	anyOrNull  = schema.AnyValue
	needsOneOf = []string{"assert", "vars", "options", "metadata", "provider", "providerOutput", "threshold"}
)

// ConfigFile is the table of a configuration.
var ConfigFile = func() *schema.Type {
	t := newType("configuration", "A configuration: prompts, the providers that answer them, and tests with variables and assertions.",
		&schema.Field{Key: "$schema", Type: schema.String, OnInvalid: dropsIt, Informational: true, Doc: "The JSON Schema, for editors."},
		informational(field("description", schema.String, warnsOnly, "What the configuration is for."))[0],
		informational(field("tags", schema.MapOf(schema.String), warnsOnly, "Labels for results."))[0],
		withMisnomers(withDefault("`{{prompt}}`", withExample([]string{"Translate to French: {{ text }}"}, field("prompts", promptsType, warnsOnly,
			"The prompts: texts, `file://` and a path, or mappings. Each is asked of each provider."))), "prompt"),
		withMisnomers(&schema.Field{Key: "providers", Aliases: []string{"targets"}, Type: providersType, OnInvalid: warnsOnly, Example: []string{"openai:gpt-4.1-mini"},
			Doc: "The models or programs that answer. One of several equal entries counts."}, "provider", "target", "models"),
		withMisnomers(field("tests", testsType, warnsOnly, "The tests: mappings, or the path of a file in CSV, JSON, JSONL or YAML. Without any, there is one empty test, which passes."), "test", "testCases", "cases"),
		field("scenarios", schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, scenarioType))), warnsOnly, "Tests that are combined with rows of variables."),
		withMisnomers(field("defaultTest", schema.UnionOf(schema.String, defaultTestType), warnsOnly, "What all tests inherit: a mapping, or `file://` and a path."), "default_test", "defaultTests", "defaults"),
		field("derivedMetrics", schema.ListOf(derivedMetricType), warnsOnly, "Metrics computed from named ones."),
		field("env", schema.MapOf(anyOrNull), warnsOnly, "Environment variables of providers, and of `{{ env.NAME }}`."),
		unsupported("templates have no filters of the user's own here", field("nunjucksFilters", schema.MapOf(schema.String), warnsOnly, "Filters for templates, by name, each in a JavaScript file.")),
		unsupported("no hooks run here", field("extensions", schema.ListOf(schema.String), warnsOnly, "Hooks around the run: `file://`, a path and the name of a function.")),
		withMisnomers(field("evaluateOptions", evaluateOptionsType, warnsOnly, "How the tests are run."), "evaluate_options", "options"),
		field("commandLineOptions", commandLineType, refusesFile, "Default options of the command line."),
	)
	t.Fields = append(t.Fields, informational(
		field("outputPath", texts, warnsOnly, "The files to write results to."),
		field("sharing", schema.UnionOf(schema.Boolean, schema.Object), warnsOnly, "Whether results can be shared."),
		field("metadata", schema.Object, warnsOnly, "Data of the user's own. Lost if `defaultTest.metadata` exists."),
		field("tracing", schema.Object, warnsOnly, "How traces are collected."),
		field("writeLatestResults", schema.Boolean, warnsOnly, "Whether results are kept."),
	)...)
	t.Fields = append(t.Fields, field("redteam", schema.Object, warnsOnly, "Generation of attacks; `rubric` does not generate any."))
	for _, key := range []string{"plugins", "strategies"} {
		f := field(key, schema.AnyValue, warnsOnly, "The older place of this key of `redteam`.")
		f.Aliases, f.DeprecatedNames = nil, []string{key}
		t.Fields = append(t.Fields, f)
	}
	t.RequireAny, t.OnMissingAll = []string{"providers", "targets"}, refusesFile
	return t
}()

// TestsFile is the table of a file of tests.
var TestsFile = schema.ListOf(testType)

var promptsType = schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, promptType)), schema.MapOf(schema.String))

var promptType = func() *schema.Type {
	t := newType("prompt", "A prompt with a name.",
		field("id", schema.String, warnsOnly, "The text, or `file://` and a path, unless `raw` has the text. A test's `prompts` may name it."),
		withMisnomers(field("label", schema.String, warnsOnly, "The name, in results and for filters."), "name"),
		withMisnomers(field("raw", schema.String, warnsOnly, "The text."), "text", "content"),
		informational(field("template", schema.String, warnsOnly, "The text before it was filled in."))[0],
		informational(field("display", schema.String, warnsOnly, "The older name of `label`."))[0],
		unsupported("no program writes prompts here", field("function", schema.AnyValue, warnsOnly, "The function that writes it.")),
		field("config", schema.AnyValue, warnsOnly, "Settings for the provider."),
	)
	t.RequireAny, t.OnMissingAll = []string{"id", "raw"}, warnsOnly
	return t
}()

var providersType = schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, providerType)), schema.Object)

var providerFields = []*schema.Field{
	withMisnomers(field("label", schema.String, warnsOnly, "The name, in results and for filters."), "name"),
	field("config", schema.AnyValue, warnsOnly, "Settings, such as `temperature`."),
	field("prompts", schema.ListOf(schema.String), warnsOnly, "The labels of the only prompts that it is asked. Without a known one, it is asked nothing."),
	unsupported("no transform runs here", field("transform", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes its answers.")),
	field("delay", schema.AnyNumber, warnsOnly, "Milliseconds between calls."),
	field("env", schema.MapOf(scalar), warnsOnly, "Its environment variables."),
	informational(field("inputs", schema.AnyValue, warnsOnly, "Its inputs, for red teams."))[0],
}

// providerType is an entry of `providers`: with an id, or with the id as its only key.
var providerType = func() *schema.Type {
	named := newType("provider", "A model or program that answers.", append([]*schema.Field{
		required(withExample("openai:gpt-4.1-mini", field("id", schema.String, refusesFile, "The kind of provider and the model, or a path."))),
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
		required(field("path", schema.String, "has no tests", "The path.")),
		unsupported("no program makes tests here", field("config", schema.AnyValue, dropsIt, "What the program gets.")),
	},
}

var testEntryType = &schema.Type{
	Name: "test-entry", Doc: "A test, or a file of tests.", Kind: schema.Map, Choices: []*schema.Type{testsFileType, testType},
}

// variables are values of any kind, by name.
var variables = schema.MapOf(schema.UnionOf(schema.String, schema.AnyNumber, schema.Boolean, schema.Object, schema.ListOf(schema.AnyValue)))

func testFields() []*schema.Field {
	return []*schema.Field{
		informational(field("description", schema.String, warnsOnly, "What it tests."))[0],
		withMisnomers(withExample(map[string]any{"text": "Hello"}, field("vars", schema.UnionOf(variables, schema.String, schema.ListOf(schema.String)), warnsOnly,
			"The values of the variables, or the path of a file that has them. A list that begins with a text stands for several tests.")), "variables", "inputs"),
		withMisnomers(withExample([]any{map[string]any{"type": "contains", "value": "Bonjour"}}, field("assert", schema.ListOf(assertionType), refusesFile,
			"The assertions, after those of `defaultTest`.")), "asserts", "assertion", "assertions", "expect", "expected"),
		withMisnomers(field("threshold", schema.AnyNumber, dropsIt, "The mean score from which the test passes. It replaces the assertions' own verdicts."), "treshold"),
		field("options", testOptionsType, warnsOnly, "How it is asked and graded."),
		informational(field("metadata", schema.Object, warnsOnly, "Data of the user's own, for filters."))[0],
		field("provider", schema.AnyValue, warnsOnly, "Another provider that answers this test. It is not the judge."),
		field("providers", schema.ListOf(schema.String), warnsOnly, "Labels or ids of the only providers that are asked."),
		field("prompts", schema.ListOf(schema.String), warnsOnly, "Labels or ids of the only prompts that are asked."),
		field("providerOutput", schema.UnionOf(schema.String, schema.Object, schema.ListOf(schema.AnyValue)), warnsOnly, "The answer. No provider is asked."),
		unsupported("no scoring function runs here", field("assertScoringFunction", schema.AnyValue, warnsOnly, "`file://` and a program that combines the scores.")),
	}
}

var testType = func() *schema.Type {
	t := newType("test", "A test: variables and assertions.", testFields()...)
	t.RequireAny, t.OnMissingAll = needsOneOf, refusesFile
	return t
}()

var defaultTestType = newType("default-test", "What all tests inherit.", testFields()[1:]...)

var testOptionsType = newType("test-options", "How a test is asked and graded. Other keys are settings for the provider.",
	field("prefix", schema.String, warnsOnly, "Text before the prompt."),
	field("suffix", schema.String, warnsOnly, "Text after the prompt."),
	func() *schema.Field {
		f := unsupported("no transform runs here", field("transform", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes the answer."))
		f.Aliases, f.DeprecatedNames = []string{"postprocess"}, []string{"postprocess"}
		return f
	}(),
	unsupported("no transform runs here", field("transformVars", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes the variables.")),
	unsupported("no answer becomes a variable here", field("storeOutputAs", schema.String, warnsOnly, "The variable of later tests that gets the answer.")),
	withExample("openai:gpt-4.1", field("provider", schema.AnyValue, warnsOnly, "The judge.")),
	withMisnomers(field("rubricPrompt", schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), warnsOnly, "The judge's prompt, with `{{ output }}` and `{{ rubric }}`."), "rubric_prompt"),
	field("factuality", newType("factuality-scores", "The scores of the categories of `factuality`.",
		field("subset", schema.AnyNumber, warnsOnly, "The answer is a subset of the reference."), field("superset", schema.AnyNumber, warnsOnly, "It is a superset."),
		field("agree", schema.AnyNumber, warnsOnly, "Both agree."), field("disagree", schema.AnyNumber, warnsOnly, "They disagree."),
		field("differButFactual", schema.AnyNumber, warnsOnly, "They differ, but not in fact."),
	), warnsOnly, "The scores of the categories of `factuality`."),
	field("disableVarExpansion", schema.Boolean, warnsOnly, "Whether lists stay one value."),
	field("disableConversationVar", schema.Boolean, warnsOnly, "Whether `_conversation` is left out."),
	field("disableDefaultAsserts", schema.Boolean, warnsOnly, "Whether the assertions of `defaultTest` are left out."),
	informational(field("runSerially", schema.Boolean, warnsOnly, "Whether the test runs alone."))[0],
	field("repeat", schema.IntegerFrom(1), warnsOnly, "How often the test is run."),
)

var scenarioType = newType("scenario", "Tests that are run once for each row of `config`.",
	informational(field("description", schema.String, warnsOnly, "What it tests."))[0],
	required(field("config", schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, newType("scenario-row", "What the tests get in one round.", testFields()...)))), "has no rows", "The rows.")),
	required(field("tests", schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, testEntryType))), "has no rows", "The tests, or the path of a file that has them.")),
)

var derivedMetricType = newType("derived-metric", "A metric computed from named ones.",
	required(withExample("f1", field("name", schema.String, warnsOnly, "Its name."))),
	required(withExample("2 * precision * recall / (precision + recall)", field("value", schema.String, warnsOnly, "A formula over the sums of named metrics and `__count`."))),
)

var evaluateOptionsType = newType("evaluate-options", "How the tests are run.",
	informational(field("cache", schema.Boolean, warnsOnly, "Whether answers are kept on disk."))[0],
	field("delay", schema.AnyNumber, warnsOnly, "Milliseconds between calls."),
	informational(field("generateSuggestions", schema.Boolean, warnsOnly, "Whether new prompts are suggested."))[0],
	informational(field("suggestionsCount", schema.AnyNumber, warnsOnly, "How many."))[0],
	informational(withDefault("`4`", field("maxConcurrency", schema.AnyNumber, warnsOnly, "How many calls run at once.")))[0],
	field("repeat", schema.AnyNumber, warnsOnly, "How often each test is run."),
	informational(field("showProgressBar", schema.Boolean, warnsOnly, "Whether progress is shown."))[0],
	field("timeoutMs", schema.AnyNumber, warnsOnly, "The longest time of a test, in milliseconds."),
	field("maxEvalTimeMs", schema.AnyNumber, warnsOnly, "The longest time of the run, in milliseconds."),
	field("filterRange", schema.String, warnsOnly, "Which tests run."),
	informational(field("interactiveProviders", schema.Boolean, warnsOnly, "Whether providers ask the user."))[0],
	informational(field("eventSource", schema.String, warnsOnly, "Where the run was started."))[0],
)

var commandLineType = newOpenType("command-line-options", "Default options of the command line, in camelCase.",
	field("repeat", scalar, refusesFile, "How often each test is run."),
	informational(field("maxConcurrency", scalar, refusesFile, "How many calls run at once."))[0],
)
