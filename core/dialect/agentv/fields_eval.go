package agentv

import "github.com/rubric-ls/rubric/core/schema"

// EvalFile is an eval file, the whole of it.
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

// SidecarFile is the YAML file beside a JSONL file of the same name.
var SidecarFile = &schema.Type{
	Name:   "sidecar",
	Doc:    "What holds for all cases of the JSONL file of the same name beside it.",
	Kind:   schema.Map,
	Fields: []*schema.Field{EvalFile.Field("description"), datasetField, suiteExecutionField, fallbackField("llm_judge")},
}

// schemaKey is the key by which a file says what it is.
func schemaKey(name string) *schema.Field {
	return &schema.Field{
		Key: "$schema", Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{{Text: name}}}, Example: name,
		Doc: "What kind of file this is: `" + name + "`. Needed only where the path does not tell.",
	}
}

// fallbackField is how a case is graded that says nothing about it.
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

// CaseType is one case, in YAML and as a line of JSONL.
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
