package agentv

import "github.com/rubric-ls/rubric/core/schema"

// EvalFile is the table of an eval file.
var EvalFile = &schema.Type{
	Name: "eval-file",
	Doc:  "A suite of cases: what each asks of the system under test, what a good answer does, and how that is graded.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		schemaKey("agentv-eval-v2"),
		{
			Key: "description", Type: schema.String, Example: "Support answers for the web shop",
			Doc: "What the suite is about, for readers.",
		},
		datasetField,
		suiteExecutionField,
		{
			Key: "target", Type: schema.NonEmptyString, Example: "default",
			Doc: "The target's name, as in `targets.yaml`. Older than `execution.target`, which wins.",
		},
		fallbackField("llm_judge"),
		{
			Key: "evalcases", Type: schema.ListOf(CaseType), Required: true, AddedIn: "2025-11-15",
			Doc: "The cases, in the order in which they are reported.", OnInvalid: "refuses the file",
		},
		{Key: "testcases", Type: schema.AnyValue, RemovedIn: "2025-11-15", ReplacedBy: "evalcases", Doc: "The older name of `evalcases`."},
		{Key: "grader", Type: schema.AnyValue, RemovedIn: "2025-11-22", ReplacedBy: "evaluator", Doc: "The older name of `evaluator`."},
	},
}

// SidecarFile is the table of the YAML file next to a JSONL file of the same name.
var SidecarFile = &schema.Type{
	Name:   "sidecar",
	Doc:    "What holds for all cases of the JSONL file of the same name beside it.",
	Kind:   schema.Map,
	Fields: []*schema.Field{EvalFile.Field("description"), datasetField, suiteExecutionField, fallbackField("llm_judge")},
}

// schemaKey returns the `$schema` field, which identifies a kind of file.
func schemaKey(name string) *schema.Field {
	return &schema.Field{
		Key: "$schema", Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{{Text: name}}}, Example: name,
		Doc: "What kind of file this is: `" + name + "`. Needed only where the path does not tell.",
	}
}

// fallbackField returns the field for the grading of cases without graders.
func fallbackField(byDefault string) *schema.Field {
	return &schema.Field{
		Key: "evaluator", Type: schema.EnumOf(evaluatorKinds...), Default: byDefault,
		Doc:       "How a case is graded that has neither a rubric nor evaluators.",
		OnInvalid: "uses `llm_judge`",
	}
}

var datasetField = &schema.Field{
	Key: "dataset", Type: schema.NonEmptyString, Default: "the file's name without its extension", Example: "support",
	Doc: "The suite's name in results.",
}

var suiteExecutionField = &schema.Field{
	Key: "execution", Doc: "How the suite is run.",
	Type: &schema.Type{
		Name: "suite-execution",
		Doc:  "How all cases are run.",
		Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "target", Type: schema.NonEmptyString, Default: "`default`", Example: "default", Doc: "The target's name, as in `targets.yaml`."},
			{
				Key: "evaluators", Type: schema.ListOf(EvaluatorType),
				Doc:       "How cases are graded that bring no evaluators of their own. A case's own list replaces this one.",
				OnInvalid: "ignores the list",
			},
		},
	},
}

// CaseType is the table of one case, in YAML or as a line of JSONL.
var CaseType = &schema.Type{
	Name: "case",
	Doc:  "One test: what is asked, what a good answer does, and who grades it.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "id", Type: schema.NonEmptyString, Required: true, Example: "refund-window", OnInvalid: "skips the case",
			Doc: "The case's name in results; one of a kind in the file.",
		},
		{
			Key: "expected_outcome", Aliases: []string{"outcome"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "skips the case",
			Example: "Explains the refund policy and the next step",
			Doc:     "What a good answer does, in words. A judge without a rubric grades this; rubrics are drafted from it.",
		},
		{
			Key: "input_messages", Aliases: []string{"input"}, Required: true, OnInvalid: "skips the case",
			Type: inputMessagesType, AliasType: ShortInputType,
			Example: "Can I send the lamp back?",
			Doc:     "What the target is asked: messages, or, under the name `input`, a text that is one user message.",
		},
		{
			Key: "expected_messages", Aliases: []string{"expected_output"}, AddedIn: "2026-01-21 for the short name",
			Type: expectedMessagesType, AliasType: ShortExpectedType,
			Example: "The refund window is 30 days.",
			Doc: "A good answer, to compare with: messages, or, under the name `expected_output`, a text or data that is one " +
				"assistant message. The last message is the reference answer.",
		},
		{
			Key: "rubrics", Type: schema.ListOf(rubricItemType), AddedIn: "2025-12-16", OnInvalid: "ignores the rubric",
			Doc: "The rubric: what a judge looks for, each criterion on its own. It is graded before all evaluators, by one " +
				"named `rubric` with weight 1.",
		},
		{Key: "execution", Type: caseExecutionType, Doc: "How this case is run."},
		{
			Key: "evaluators", Type: schema.ListOf(EvaluatorType), OnInvalid: "ignores the list",
			Doc: "Ways of grading this case. `execution.evaluators` wins.",
		},
		fallbackField("the suite's"),
		{Key: "conversation_id", Type: schema.String, Doc: "Ties cases of one conversation together in results."},
		{Key: "description", Type: schema.String, Doc: "What the case is about, for readers."},
		{Key: "note", Type: schema.AnyValue, Doc: "Anything, for readers."},
		{Key: "sidecar", Type: schema.AnyValue, Doc: "Anything, for readers and other tools."},
		{
			Key: "reference_answer", Type: schema.String,
			Doc: "Read by rubric generation only. Runs take the last of `expected_messages`.",
		},
	},
}

var caseExecutionType = &schema.Type{
	Name: "case-execution",
	Doc:  "How one case is run.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "evaluators", Type: schema.ListOf(EvaluatorType), OnInvalid: "ignores the list",
			Doc: "Ways of grading this case. They replace the suite's.",
		},
		{Key: "target", Type: schema.NonEmptyString, Doc: "For readers: the runner asks the suite's target."},
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
	ShortExpectedType = schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object)
)

// MessageType is the table of one turn of a conversation.
var MessageType = &schema.Type{
	Name: "message",
	Doc:  "One turn of a conversation.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "role", Required: true, OnInvalid: "drops the message", Doc: "Who speaks.",
			Type: schema.EnumOf(
				schema.Value{Text: "system", Doc: "instructions to the target"},
				schema.Value{Text: "user", Doc: "who asks"},
				schema.Value{Text: "assistant", Doc: "the target"},
				schema.Value{Text: "tool", Doc: "a tool's result"},
			),
		},
		{
			Key: "content", OnInvalid: "drops the message", Example: "Where is my order?",
			Type: schema.UnionOf(schema.String, schema.ListOf(partType), schema.Object),
			Doc:  "What is said: a text, parts of text and files, or data.",
		},
		{Key: "name", Type: schema.String, Doc: "The speaker's name."},
		{
			Key: "tool_calls", Type: schema.ListOf(toolCallType),
			Doc: "Tools that the assistant calls; instead of content, or with it.",
		},
	},
	RequireAny:   []string{"content", "tool_calls"},
	OnMissingAll: "drops the message",
}

var partType = &schema.Type{
	Name: "content-part",
	Doc:  "A piece of a message.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "type", Required: true, Doc: "What the piece is.",
			Type: schema.EnumOf(
				schema.Value{Text: "text", Doc: "`value` is the text itself"},
				schema.Value{Text: "file", Doc: "`value` is the path of a file"},
			),
		},
		{
			Key: "value", Type: schema.String, Required: true,
			Doc: "The text, or the file's path: beside the eval file, in a folder above it up to the repository's root, or in the working folder.",
		},
	},
}

var toolCallType = &schema.Type{
	Name: "tool-call",
	Doc:  "One call of a tool.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "tool", Type: schema.NonEmptyString, Required: true, Doc: "The tool's name.", Example: "find_order"},
		{Key: "input", Type: schema.AnyValue, Doc: "What it is given."},
		{Key: "output", Type: schema.AnyValue, Doc: "What it gives back."},
	},
	OtherValues: schema.AnyValue,
}

// ConfigFile is the table of .agentv/config.yaml.
var ConfigFile = &schema.Type{
	Name: "config-file",
	Doc:  "Settings for all eval files below a folder.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		schemaKey("agentv-config-v2"),
		{
			Key: "guideline_patterns", Type: schema.NonEmptyListOf(schema.String), Example: []string{"**/*.instructions.md"},
			Doc: "Which referenced files are guidelines rather than attachments, as glob patterns.",
		},
	},
}
