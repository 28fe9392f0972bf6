package seed

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// EvalFile is the table of an eval file.
var EvalFile = &schema.Type{
	Name: "eval-file", Doc: "A suite of cases. Each case has an input for the system under test, the expected outcome and the graders.", Kind: schema.Map,
	Fields: []*schema.Field{
		agentv.SchemaKey("agentv-eval-v2"),
		{Key: "description", Informational: true, Type: schema.String, Example: "Support answers for the web shop", Doc: "A description of the suite, for readers."},
		datasetField,
		suiteExecutionField,
		{Key: "target", Type: schema.NonEmptyString, Example: "default", Doc: "The target's name in `targets.yaml`. The newer `execution.target` takes precedence."},
		fallbackField("llm_judge"),
		{Key: "evalcases", Type: schema.ListOf(CaseType), Required: true, AddedIn: "2025-11-15", Doc: "The cases, in report order.", OnInvalid: "refuses the file"},
		{Key: "testcases", Type: schema.AnyValue, RemovedIn: "2025-11-15", ReplacedBy: "evalcases", Doc: "The older name of `evalcases`."},
		{Key: "grader", Type: schema.AnyValue, RemovedIn: "2025-11-22", ReplacedBy: "evaluator", Doc: "The older name of `evaluator`."},
	},
}

// SidecarFile is the table of the YAML file next to a JSONL file of the same name.
var SidecarFile = &schema.Type{
	Name: "sidecar", Doc: "Settings for all cases of the JSONL file with the same name.", Kind: schema.Map,
	Fields: []*schema.Field{EvalFile.Field("description"), datasetField, suiteExecutionField, fallbackField("llm_judge")},
}

// fallbackField returns the field for the grading of cases without graders.
func fallbackField(byDefault string) *schema.Field {
	return &schema.Field{
		Key: "evaluator", Type: schema.EnumOf(evaluatorKinds...), Default: byDefault,
		Doc:       "The type of grader for cases without a rubric and evaluators.",
		OnInvalid: "uses `llm_judge`",
	}
}

var datasetField = &schema.Field{
	Key: "dataset", Informational: true, Type: schema.NonEmptyString, Default: "the file's name without its extension", Example: "support",
	Doc: "The suite's name in results.",
}

var suiteExecutionField = &schema.Field{
	Key: "execution", Doc: "Settings for running the suite.",
	Type: &schema.Type{
		Name: "suite-execution", Doc: "Settings for running all cases.", Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "target", Type: schema.NonEmptyString, Default: "`default`", Example: "default", Doc: "The target's name in `targets.yaml`."},
			{
				Key: "evaluators", Type: schema.ListOf(EvaluatorType),
				Doc:       "Evaluators for cases without their own. A case's list replaces this one.",
				OnInvalid: "ignores the list",
			},
		},
	},
}

// CaseType is the table of one case, in YAML or as a line of JSONL.
var CaseType = &schema.Type{
	Name: "case", Doc: "One test: the input, the expected outcome and the graders.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Informational: true, Type: schema.NonEmptyString, Required: true, Example: "refund-window", OnInvalid: "skips the case", Doc: "The case's name in results; unique in the file."},
		{
			Key: "expected_outcome", Aliases: []string{"outcome"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "skips the case",
			Example: "Explains the refund policy and the next step",
			Doc:     "The expected outcome: what the answer should do, in words. A judge without a rubric grades by it, and drafts of rubrics start from it.",
		},
		{
			Key: "input_messages", Aliases: []string{"input"}, Required: true, OnInvalid: "skips the case",
			Type: inputMessagesType, AliasType: ShortInputType,
			Example: "Can I send the lamp back?",
			Doc:     "The input for the target: messages. Under the name `input`, a text stands for one user message.",
		},
		{
			Key: "expected_messages", Aliases: []string{"expected_output"}, AddedIn: "2026-01-21 for the short name",
			Type: expectedMessagesType, AliasType: ShortExpectedType,
			Example: "The refund window is 30 days.",
			Doc: "A good answer, for comparison: messages. Under the name `expected_output`, a text or data stands for one " +
				"assistant message. The last message is the reference answer.",
		},
		{
			Key: "rubrics", Type: schema.ListOf(rubricItemType), AddedIn: "2025-12-16", OnInvalid: "ignores the rubric",
			Doc: "The rubric: a list of criteria for a judge. It is graded before all evaluators, by an evaluator " +
				"named `rubric` with weight 1.",
		},
		{Key: "execution", Type: caseExecutionType, Doc: "Settings for running this case."},
		{Key: "evaluators", Type: schema.ListOf(EvaluatorType), OnInvalid: "ignores the list", Doc: "Evaluators of this case. `execution.evaluators` takes precedence."},
		fallbackField("the suite's"),
		{Key: "conversation_id", Informational: true, Type: schema.String, Doc: "Groups the cases of one conversation in results."},
		{Key: "description", Informational: true, Type: schema.String, Doc: "A description of the case, for readers."},
		{Key: "note", Informational: true, Type: schema.AnyValue, Doc: "Free-form notes for readers."},
		{Key: "sidecar", Informational: true, Type: schema.AnyValue, Doc: "Free-form data for readers and other tools."},
		{Key: "reference_answer", Informational: true, Type: schema.String, Doc: "Used only by rubric generation. Runs use the last of `expected_messages`."},
	},
}

var caseExecutionType = &schema.Type{
	Name: "case-execution", Doc: "Settings for running one case.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "evaluators", Type: schema.ListOf(EvaluatorType), OnInvalid: "ignores the list", Doc: "Evaluators of this case. They replace the suite's."},
		{Key: "target", Type: schema.NonEmptyString, Example: "default", Doc: "The target that answers this case, by its name in `targets.yaml`. AgentV itself asks the suite's target."},
	},
}

// Types of messages in full.
var (
	inputMessagesType    = schema.NonEmptyListOf(MessageType)
	expectedMessagesType = schema.ListOf(MessageType)
)

// Short forms of messages: a string or data that stands for one message.
var (
	ShortInputType    = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(MessageType))
	ShortExpectedType = ShortAnswer(MessageType)
)

// ShortAnswer is the type of a text or data that stands for one message, or of messages: mappings with a role are.
func ShortAnswer(message *schema.Type) *schema.Type {
	entry := &schema.Type{Name: "answer", Doc: "A message, or data, which stands for one.", Kind: schema.Map, OtherValues: schema.AnyValue, Choices: []*schema.Type{message}}
	list := schema.ListOf(schema.UnionOf(entry, schema.String, schema.AnyNumber, schema.Boolean, schema.ListOf(schema.AnyValue)))
	list.NullItems = true // of data
	return schema.UnionOf(schema.String, list, entry)
}

// MessageType is the table of one turn of a conversation.
var MessageType = &schema.Type{
	Name: "message", Doc: "One turn of a conversation.", Kind: schema.Map, MarkerKey: "role",
	Fields: []*schema.Field{
		{
			Key: "role", Required: true, OnInvalid: "does not read the message", Doc: "The speaker's role.",
			Type: schema.EnumOf(
				schema.Value{Text: "system", Doc: "instructions to the target"},
				schema.Value{Text: "user", Doc: "the person who asks", Synonyms: []string{"customer", "human", "client"}},
				schema.Value{Text: "assistant", Doc: "the target", Synonyms: []string{"agent", "ai", "bot", "model"}},
				schema.Value{Text: "tool", Doc: "a tool's result"},
			),
		},
		{
			Key: "content", OnInvalid: "drops the message", Example: "Where is my order?",
			Type: schema.UnionOf(schema.String, schema.ListOf(partType), schema.Object),
			Doc:  "The content: a text, parts of text and files, or data.",
		},
		{Key: "name", Informational: true, Type: schema.String, Doc: "The speaker's name."},
		{Key: "tool_calls", Type: schema.ListOf(toolCallType), Doc: "The assistant's tool calls, with or without content."},
	},
	RequireAny:   []string{"content", "tool_calls"},
	OnMissingAll: "drops the message",
}

var partType = &schema.Type{
	Name: "content-part", Doc: "A part of a message.", Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "type", Required: true, Doc: "The kind of part.",
			Type: schema.EnumOf(
				schema.Value{Text: "text", Doc: "`value` is the text itself"},
				schema.Value{Text: "file", Doc: "`value` is the path of a file"},
			),
		},
		{Key: "value", Type: schema.String, Required: true, Doc: "The text, or the file's path: in the eval file's folder, a parent folder up to the repository's root, or the working folder."},
	},
}

var toolCallType = &schema.Type{
	Name: "tool-call", Doc: "One call of a tool.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "tool", Type: schema.NonEmptyString, Required: true, Doc: "The tool's name.", Example: "find_order"},
		{Key: "input", Type: schema.AnyValue, Doc: "The tool's input."},
		{Key: "output", Type: schema.AnyValue, Doc: "The tool's output."},
	},
	OtherValues: schema.AnyValue,
}
