package v4

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/schema"
)

// Files are the kinds of files of release 4, the eval file first.
var Files = []agentv.File{
	{Version: agentv.V4, Role: agentv.EvalV4, Name: "agentv-stable", Title: "AgentV 4.42.4 eval file", Type: EvalFile},
	{Version: agentv.V4, Role: agentv.Cases, Name: "agentv-stable-test", Title: "AgentV 4.42.4 test, a line of a JSONL file", Type: listedTestType},
	{Version: agentv.V4, Role: agentv.TestList, Name: "agentv-stable-tests", Title: "AgentV 4.42.4 list of tests", Type: schema.ListOf(listedTestType)},
}

// Effects of an invalid value in the later versions, as messages word them.
const (
	RefusesFile             = "refuses the file"
	RefusesTest             = "refuses the test"
	SkipsTest               = "skips the test"
	SkipsAssertion          = "skips the assertion"
	dropsCriterion          = "drops the criterion"
	IgnoresValue            = "ignores it"
	IgnoresButValidateFails = "ignores it, and its `validate` refuses the file"
	RemovedAtLatest         = "July 2026 at the latest"
	olderVersionDoc         = "From an older version; read only for older files."
)

var (
	StringList = schema.ListOf(schema.String)
	ShareType  = schema.NumberBetween(0, 1)
	anyValue   = schema.AnyValue
)

// AsRequired returns a copy of a field that is required.
func AsRequired(f *schema.Field, onInvalid string) *schema.Field {
	return f.With(func(f *schema.Field) { f.Required, f.OnInvalid = true, onInvalid })
}

// NewRemovedFields returns keys that the newest version removed without a replacement. onInvalid is
// the effect of using one.
func NewRemovedFields(doc, onInvalid string, keys ...string) (fields []*schema.Field) {
	for _, key := range keys {
		fields = append(fields, &schema.Field{Key: key, Type: anyValue, RemovedIn: RemovedAtLatest, Doc: doc, OnInvalid: onInvalid})
	}
	return fields
}

// EvaluatorField is a former key for the default way of grading.
var EvaluatorField = &schema.Field{Key: "evaluator", Type: anyValue, DeprecatedNames: []string{"evaluator"}, Doc: olderVersionDoc}

// MessageType is the table of a turn in a conversation. Its parts may have other types too.
var MessageType = seed.MessageType.WithFields("message", &schema.Field{
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
	inputType  = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(MessageType))
	AnswerType = seed.ShortAnswer(MessageType)
)

// SuiteFields returns a suite's descriptive keys, which both later versions have.
func SuiteFields() []*schema.Field {
	return []*schema.Field{
		{Key: "$schema", Informational: true, Type: schema.String, Doc: "The JSON Schema for editors."},
		{Key: "name", Informational: true, Type: schema.NonEmptyString, Default: "the file's name without its extension", Example: "support", Doc: "The suite's name in results: lowercase letters, digits and hyphens."},
		{Key: "description", Informational: true, Type: schema.String, Example: "Support answers for the web shop", Doc: "A description of the suite, for readers."},
		{Key: "category", Informational: true, Type: schema.String, Doc: "The suite's category in reports."},
		{Key: "version", Informational: true, Type: schema.UnionOf(schema.String, schema.AnyNumber), Doc: "The suite's own version."},
		{Key: "author", Informational: true, Type: schema.String, Doc: "The author."},
		{Key: "tags", Informational: true, Type: anyValue, Example: []string{"nightly"}, Doc: "Tags to select suites for a run."},
		{Key: "license", Informational: true, Type: schema.String, Doc: "The suite's licence."},
		{Key: "requires", Informational: true, Type: anyValue, Doc: "The suite's requirements."},
		{Key: "metadata", Informational: true, Type: schema.Object, Doc: "Free-form data for readers, code graders and other tools."},
		{Key: "governance", Informational: true, Type: anyValue, Doc: "The risks and controls that the suite covers."},
		InputFilesField,
	}
}

var InputFilesField = &schema.Field{
	Key: "input_files", Type: schema.UnionOf(schema.String, StringList), Example: []string{"docs/policy.md"},
	Doc: "Files that belong to the input.",
}

// TestIdentityFields are a test's descriptive keys, which both later versions have.
var TestIdentityFields = []*schema.Field{
	{Key: "conversation_id", Informational: true, Type: schema.String, Doc: "Groups the tests of one conversation in results."},
	{Key: "suite", Informational: true, Type: schema.String, Doc: "The suite's name in this test's results."},
	{Key: "metadata", Informational: true, Type: schema.Object, Doc: "Free-form data for readers, code graders and other tools."},
	{Key: "depends_on", Informational: true, Type: schema.UnionOf(schema.String, StringList), Doc: "The ids of tests that must run before this one."},
	{
		Key: "on_dependency_failure", Doc: "The effect on this test if one of those fails.", OnInvalid: IgnoresValue,
		Type: schema.EnumOf(
			schema.Value{Text: "skip", Doc: "it is not run"}, schema.Value{Text: "fail", Doc: "it is not run either"}, schema.Value{Text: "run", Doc: "it runs anyway"},
		),
	},
}

// ConversationFields returns the keys of a test with several turns. Lists is the version's key for
// assertions.
func ConversationFields(lists string, assertions *schema.Type) []*schema.Field {
	turn := &schema.Type{
		Name: "turn", Doc: "One turn of a conversation with the system under test.", Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "input", Type: schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(MessageType), schema.Object), Required: true, OnInvalid: RefusesFile, Doc: "The input for the target."},
			{Key: "expected_output", Type: AnswerType, Doc: "A good answer, for comparison."},
			{Key: lists, Type: assertions, Doc: "The graders of this turn."},
		},
		OtherValues: anyValue,
	}
	return []*schema.Field{
		{Key: "mode", Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{{Text: "conversation", Doc: "the test has `turns`"}}}, Doc: "Whether the test is a conversation."},
		{Key: "turns", Type: schema.NonEmptyListOf(turn), Doc: "The turns, in order. Only with `mode: conversation`."},
		{
			Key: "aggregation", Doc: "The rule that combines the turns' scores.", OnInvalid: IgnoresValue,
			Type: schema.EnumOf(
				schema.Value{Text: "mean", Doc: "their mean"}, schema.Value{Text: "min", Doc: "the lowest"}, schema.Value{Text: "max", Doc: "the highest"},
			),
		},
		{
			Key: "on_turn_failure", Doc: "The next step after a failing turn.", OnInvalid: IgnoresValue,
			Type: schema.EnumOf(schema.Value{Text: "continue", Doc: "the next turn"}, schema.Value{Text: "stop", Doc: "the test ends"}),
		},
		{Key: "window_size", Type: &schema.Type{Kind: schema.Number, Min: new(1.0)}, Doc: "The number of turns that the target and the graders see. System messages are always sent.", OnInvalid: IgnoresValue},
	}
}
