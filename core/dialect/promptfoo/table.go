package promptfoo

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/schema"
)

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

// marked returns a choice of variants that has a key.
func marked(key string, t *schema.Type) *schema.Type {
	t.MarkerKey = key
	return t
}

func variants(name, doc string, choices ...*schema.Type) *schema.Type {
	return &schema.Type{Name: name, Doc: doc, Kind: schema.Map, Choices: choices}
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
var promptType = variants("prompt-entry", "A prompt with a name.",
	marked("id", textPromptType.WithFields("prompt", textPromptType.Field("label").With(func(f *schema.Field) { f.Required = false }))), textPromptType)

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
	field("id", schema.String, warnsOnly, "Another id."),
	field("label", schema.String, warnsOnly, "The name, in results and for filters.").WithMisnomers("name"),
	field("config", schema.AnyValue, warnsOnly, "Settings, such as `temperature`."),
	field("prompts", schema.ListOf(schema.String), warnsOnly, "The labels of the only prompts that it is asked. Without a known one, it is asked nothing."),
	field("transform", schema.AnyValue, warnsOnly, "JavaScript, or a file, that changes its answers.").AsUnsupported("no transform runs here"),
	field("delay", schema.AnyNumber, warnsOnly, "Milliseconds between calls."),
	field("env", schema.MapOf(scalar), warnsOnly, "Its environment variables."),
	field("inputs", schema.AnyValue, warnsOnly, "Its inputs, for red teams.").AsInformational(),
}

// providerType is an entry of `providers`: with an id, or with the id as its only key.
var providerType = variants("provider-entry", "A provider.",
	marked("id", newType("", "A model or program that answers.", providerFields...).WithFields("provider",
		field("id", schema.String, refusesFile, "The kind of provider and the model, or a path.").WithExample("openai:gpt-4.1-mini").AsRequired())),
	&schema.Type{Name: "provider-by-id", Doc: "A provider, with its id as the only key.", Kind: schema.Map, OtherValues: newType(
		"provider-settings", "The settings of a provider that has its id as the key.", providerFields...)})

var testsType = schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, testEntryType)), testsFileType)

var testsFileType = marked("path", newType("tests-file", "A file or a program that has the tests.",
	field("path", schema.String, "has no tests", "The path.").AsRequired(),
	field("config", schema.AnyValue, dropsIt, "What the program gets.").AsUnsupported("no program makes tests here"),
))

var testEntryType = variants("test-entry", "A test, or a file of tests.", testsFileType, testType)

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

// synonyms are names that people write for a type.
var synonyms = map[string][]string{
	"similar": {"similarity", "semantic-similarity", "embedding-similarity"}, "contains-any": {"contains-some", "contains-one"}, "regex": {"ends-with", "matches", "regexp", "match"},
	"llm-rubric": {"rubric", "llm-judge", "llm-grader", "rubrics", "grade"}, "javascript": {"js", "script", "not-empty", "min-length", "max-length", "custom"}, "equals": {"equal", "exact", "exact-match", "is"},
	"is-json": {"json", "valid-json", "json-schema"}, "assert-set": {"assert_set", "set", "composite"}, "word-count": {"length", "words"},
}

// assertionType is the table of an assertion, with a variant for each group of types.
var assertionType = func() *schema.Type {
	t := newType("assertion", "One assertion. After `not-`, most types mean the opposite.", typeField)
	t.Tag = typeField.Key
	for _, k := range assertion.Types {
		group := groups[k.Group]
		if !slices.Contains(t.Choices, group) {
			t.Choices = append(t.Choices, group)
		}
		values := []schema.Value{{Text: k.Name, Doc: strings.TrimSuffix(k.Doc, ".")}, {Text: "not-" + k.Name, Doc: "the opposite of `" + k.Name + "`"}}
		if k.Has(assertion.HasNoOpposite) {
			values = values[:1]
		}
		for _, v := range values {
			v.Synonyms = synonyms[v.Text]
			group.TagValues, typeField.Type.Values = append(group.TagValues, v.Text), append(typeField.Type.Values, v)
		}
	}
	groups[assertion.Set].Field("assert").Type = schema.ListOf(t)
	return t
}()

// typeField has all types as its values.
var typeField = field("type", &schema.Type{Kind: schema.Text}, errorRow, "The type.").WithExample("contains").AsRequired()

var commonFields = []*schema.Field{
	field("threshold", schema.AnyNumber, dropsIt, "The score, or the limit, from which it passes. Most types that compare texts ignore it.").WithMisnomers("treshold", "min_score", "minScore"),
	field("weight", schema.AnyNumber, refusesFile, "Its share of the score. With 0 it always passes.").WithDefault("`1`"),
	field("metric", schema.String, refusesFile, "The name under which its score is summed up.").AsInformational(),
	field("provider", schema.AnyValue, refusesFile, "The judge, in place of `options.provider`."),
	field("rubricPrompt", schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), refusesFile, "The judge's prompt.").WithMisnomers("rubric_prompt", "prompt"),
	field("config", schema.Object, refusesFile, "Passed to a program or a type."),
	field("transform", schema.AnyValue, refusesFile, "JavaScript, or a file, that changes the answer first.").AsUnsupported("no transform runs here"),
	field("contextTransform", schema.AnyValue, refusesFile, "JavaScript, or a file, that takes the context from the answer.").AsUnsupported("no transform runs here"),
}

// group returns the table of some types, with their own fields before the common ones.
func group(name, doc string, own ...*schema.Field) *schema.Type {
	t := newType(name, doc, append([]*schema.Field{typeField}, own...)...)
	for _, f := range commonFields {
		if t.Field(f.Key) == nil {
			t.Fields = append(t.Fields, f)
		}
	}
	return t
}

func value(t *schema.Type, doc string) *schema.Field {
	return field("value", t, errorRow, doc).WithMisnomers("expected", "values", "text", "criteria")
}

var textOrNumber = schema.UnionOf(schema.String, schema.AnyNumber)

// groups are the tables of the groups of types.
var groups = map[assertion.Group]*schema.Type{
	assertion.Equality: group("equals-assertion", "The answer equals something.", value(schema.AnyValue, "What the answer equals.").AsRequired()),
	assertion.Text:     group("text-assertion", "The answer contains or begins with a text, or matches a pattern.", value(textOrNumber, "The text or pattern.").WithExample("Bonjour").AsRequired()),
	assertion.Texts:    group("list-assertion", "The answer contains some of several texts.", value(schema.UnionOf(textOrNumber, schema.ListOf(textOrNumber)), "The texts, also separated by commas.").WithExample([]string{"yes", "sure"}).AsRequired()),
	assertion.Format:   group("format-assertion", "The answer is or contains JSON, XML, HTML or SQL.", value(schema.UnionOf(schema.String, schema.Object), "The JSON Schema or the elements that are needed, or the SQL dialect.")),
	assertion.Count:    group("count-assertion", "The answer has a number of words.", value(schema.UnionOf(schema.AnyNumber, schema.String, schema.Object), "The number, or `min` and `max`.").AsRequired()),
	assertion.Overlap:  group("overlap-assertion", "The answer has much in common with a text.", value(schema.UnionOf(textOrNumber, schema.ListOf(textOrNumber)), "The text, or several of which the best counts.").AsRequired()),
	assertion.Similar:  group("similar-assertion", "The answer is similar to a text in meaning.", value(schema.UnionOf(schema.String, schema.ListOf(schema.String)), "The text, or several.").AsRequired()),
	assertion.Limit: group("limit-assertion", "The answer keeps a limit.",
		field("threshold", schema.AnyNumber, errorRow, "The limit.").WithExample(2000).AsRequired(),
		field("value", schema.AnyValue, dropsIt, "Has no effect.")),
	assertion.Script:     group("script-assertion", "A program grades.", value(schema.String, "The source, `file://` and a path, or the address of a service.").WithExample("output.length < 200").AsRequired()),
	assertion.Judge:      group("judge-assertion", "A model grades.", value(schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), "What to grade by.").WithExample("Is polite")),
	assertion.Context:    group("context-assertion", "A model compares answer, question and context.", value(schema.AnyValue, "What the context must have.")),
	assertion.Measure:    group("measure-assertion", "Something else is measured.", value(schema.AnyValue, "The expected value.")),
	assertion.Comparison: group("comparison-assertion", "The answers of all prompts and providers are compared.", value(schema.AnyValue, "The criterion, or the method.")),
	assertion.Set: group("set-assertion", "Several assertions that count as one.",
		field("assert", schema.AnyValue, "counts 0 for it", "The members. A set within a set is an error.").AsRequired()),
}
