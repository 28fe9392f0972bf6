// Package tables holds the field tables of the later AgentV versions: the keys of eval files,
// lists of tests, prompts, assertions and providers.
//
// Versions share the Go values of what they have in common, also with the tables of Seed in
// package agentv. The names of a key in each version are in agentv.Concepts.
package tables

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// fileKinds are the kinds of files, grouped by version.
var fileKinds = []agentv.File{
	{Version: agentv.V4, Role: agentv.EvalV4, Name: "agentv-stable", Title: "AgentV 4.42.4 eval file", Type: V4Eval},
	{Version: agentv.V4, Role: agentv.Cases, Name: "agentv-stable-test", Title: "AgentV 4.42.4 test, a line of a JSONL file", Type: v4ListedTestType},
	{Version: agentv.V4, Role: agentv.TestList, Name: "agentv-stable-tests", Title: "AgentV 4.42.4 list of tests", Type: schema.ListOf(v4ListedTestType)},
	{Version: agentv.Head, Role: agentv.EvalV4, Name: "agentv-head", Title: "AgentV 5.3.1-next.1 eval file", Type: HeadEval},
	{Version: agentv.Head, Role: agentv.Cases, Name: "agentv-head-test", Title: "AgentV 5.3.1-next.1 test, a line of a JSONL file", Type: HeadTest},
	{Version: agentv.Head, Role: agentv.TestList, Name: "agentv-head-tests", Title: "AgentV 5.3.1-next.1 list of tests", Type: schema.ListOf(HeadTest)},
	{Version: agentv.Head, Role: agentv.ScenarioList, Name: "agentv-head-scenarios", Title: "AgentV 5.3.1-next.1 list of scenarios", Type: schema.ListOf(scenarioType)},
	{Version: agentv.Head, Role: agentv.Providers, Name: "agentv-head-providers", Title: "AgentV 5.3.1-next.1 providers", Type: ProvidersFile},
	{Version: agentv.Head, Role: agentv.Config, Name: "agentv-head-config", Title: "AgentV 5.3.1-next.1 configuration", Type: HeadConfig},
}

// Files returns the kinds of files of the later versions, their eval files first.
func Files() []agentv.File { return slices.Clone(fileKinds) }

// FileForRole returns a version's kind of file for a role. For an unknown version, or a role that
// all versions share, it returns the oldest version's.
func FileForRole(role agentv.Role, version agentv.Version) agentv.File {
	for _, f := range fileKinds {
		if f.Role == role && (f.Version == version || role == agentv.Providers || role == agentv.ScenarioList) {
			return f
		}
	}
	return agentv.FileForRole(role)
}

// Effects of an invalid value in the later versions, as messages word them.
const (
	refusesFile             = "refuses the file"
	refusesTest             = "refuses the test"
	skipsTest               = "skips the test"
	skipsAssertion          = "skips the assertion"
	dropsCriterion          = "drops the criterion"
	ignoresValue            = "ignores it"
	ignoresButValidateFails = "ignores it, and its `validate` refuses the file"
	removedAtLatest         = "July 2026 at the latest"
	notConverted            = "no file is converted" // see schema.Field.Unsupported
	olderVersionDoc         = "From an older version; read only for older files."
)

var (
	stringList = schema.ListOf(schema.String)
	shareType  = schema.NumberBetween(0, 1)
	anyValue   = schema.AnyValue
)

// copyType returns a copy of a type under a name, with fields replaced or added.
func copyType(t *schema.Type, name string, fields ...*schema.Field) *schema.Type {
	copied := *t
	copied.Name = name
	copied.Fields = nil
	replaced := map[string]*schema.Field{}
	for _, f := range fields {
		replaced[f.Key] = f
	}
	for _, f := range t.Fields {
		if other := replaced[f.Key]; other != nil {
			f = other
			delete(replaced, f.Key)
		}
		copied.Fields = append(copied.Fields, f)
	}
	for _, f := range fields {
		if replaced[f.Key] != nil {
			copied.Fields = append(copied.Fields, f)
		}
	}
	return &copied
}

// asRequired returns a copy of a field that is required.
func asRequired(f *schema.Field, onInvalid string) *schema.Field {
	copied := *f
	copied.Required, copied.OnInvalid = true, onInvalid
	return &copied
}

// newRemovedFields returns keys that the newest version removed without a replacement. onInvalid is
// the effect of using one.
func newRemovedFields(doc, onInvalid string, keys ...string) (fields []*schema.Field) {
	for _, key := range keys {
		fields = append(fields, &schema.Field{Key: key, Type: anyValue, RemovedIn: removedAtLatest, Doc: doc, OnInvalid: onInvalid})
	}
	return fields
}

// evaluatorField is a former key for the default way of grading.
var evaluatorField = &schema.Field{Key: "evaluator", Type: anyValue, DeprecatedNames: []string{"evaluator"}, Doc: olderVersionDoc}

// messageType is the table of a turn in a conversation. Its parts may have other types too.
var messageType = copyType(agentv.MessageType, "message", &schema.Field{
	Key: "content", OnInvalid: "drops the message", Example: "Where is my order?",
	Type: schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, contentPartType)), schema.Object),
	Doc:  "The content: a text, parts of text and files, or data.",
})

var contentPartType = &schema.Type{
	Name: "content-part", Doc: "A part of a message.", Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "type", Required: true, Doc: "The kind of part.",
			Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{
				{Text: "text", Doc: "`value` is the text itself"}, {Text: "file", Doc: "`value` is the path of a file"},
				{Text: "image", Doc: "`value` is the path of a picture"},
			}},
		},
		{Key: "value", Type: schema.String, Doc: "The text, or the file's path."},
	},
	OtherValues: anyValue,
}

var (
	inputType  = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType))
	answerType = schema.UnionOf(schema.String, schema.ListOf(anyValue), schema.Object)
)

// suiteFields returns a suite's descriptive keys, which both later versions have.
func suiteFields(kind string) []*schema.Field {
	return []*schema.Field{
		{Key: "$schema", Informational: true, Type: schema.String, Doc: "The JSON Schema for editors."},
		{Key: "name", Informational: true, Type: schema.NonEmptyString, Default: "the file's name without its extension", Example: "support", Doc: "The suite's name in results: lowercase letters, digits and hyphens."},
		{Key: "description", Informational: true, Type: schema.String, Example: "Support answers for the web shop", Doc: "A description of the " + kind + ", for readers."},
		{Key: "category", Informational: true, Type: schema.String, Doc: "The suite's category in reports."},
		{Key: "version", Informational: true, Type: schema.UnionOf(schema.String, schema.AnyNumber), Doc: "The suite's own version."},
		{Key: "author", Informational: true, Type: schema.String, Doc: "The author."},
		{Key: "tags", Informational: true, Type: anyValue, Example: []string{"nightly"}, Doc: "Tags to select suites for a run."},
		{Key: "license", Informational: true, Type: schema.String, Doc: "The suite's licence."},
		{Key: "requires", Informational: true, Type: anyValue, Doc: "The suite's requirements."},
		{Key: "metadata", Informational: true, Type: schema.Object, Doc: "Free-form data for readers and other tools."},
		{Key: "governance", Informational: true, Type: anyValue, Doc: "The risks and controls that the suite covers."},
		inputFilesField,
	}
}

var inputFilesField = &schema.Field{
	Key: "input_files", Type: schema.UnionOf(schema.String, stringList), Example: []string{"docs/policy.md"},
	Doc: "Files that belong to the input.",
}

// testIdentityFields are a test's descriptive keys, which both later versions have.
var testIdentityFields = []*schema.Field{
	{Key: "conversation_id", Informational: true, Type: schema.String, Doc: "Groups the tests of one conversation in results."},
	{Key: "suite", Informational: true, Type: schema.String, Doc: "The suite's name in this test's results."},
	{Key: "metadata", Informational: true, Type: schema.Object, Doc: "Free-form data for readers and other tools."},
	{Key: "depends_on", Unsupported: "tests do not wait for others", Type: schema.UnionOf(schema.String, stringList), Doc: "The ids of tests that must run before this one."},
	{
		Key: "on_dependency_failure", Doc: "The effect on this test if one of those fails.", OnInvalid: ignoresValue,
		Type: schema.EnumOf(
			schema.Value{Text: "skip", Doc: "it is not run"}, schema.Value{Text: "fail", Doc: "it fails too"}, schema.Value{Text: "run", Doc: "it runs anyway"},
		),
	},
}

// conversationFields returns the keys of a test with several turns. Lists is the version's key for
// assertions.
func conversationFields(lists string, assertions *schema.Type) []*schema.Field {
	turn := &schema.Type{
		Name: "turn", Doc: "One turn of a conversation with the system under test.", Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "input", Type: schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType), schema.Object), Required: true, OnInvalid: refusesFile, Doc: "The input for the target."},
			{Key: "expected_output", Type: answerType, Doc: "A good answer, for comparison."},
			{Key: lists, Type: assertions, Doc: "The graders of this turn."},
		},
		OtherValues: anyValue,
	}
	return []*schema.Field{
		{Key: "mode", Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{{Text: "conversation", Doc: "the test has `turns`"}}}, Doc: "Whether the test is a conversation."},
		{Key: "turns", Type: schema.NonEmptyListOf(turn), Doc: "The turns, in order. Only with `mode: conversation`."},
		{
			Key: "aggregation", Doc: "The rule that combines the turns' scores.", OnInvalid: ignoresValue,
			Type: schema.EnumOf(
				schema.Value{Text: "mean", Doc: "their mean"}, schema.Value{Text: "min", Doc: "the lowest"}, schema.Value{Text: "max", Doc: "the highest"},
			),
		},
		{
			Key: "on_turn_failure", Doc: "The next step after a failing turn.", OnInvalid: ignoresValue,
			Type: schema.EnumOf(schema.Value{Text: "continue", Doc: "the next turn"}, schema.Value{Text: "stop", Doc: "the test ends"}),
		},
		{Key: "window_size", Type: &schema.Type{Kind: schema.Number, Min: new(1.0)}, Doc: "The number of turns that the target and the graders see. System messages are always sent.", OnInvalid: ignoresValue},
	}
}
