package v4

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/schema"
)

// EvalFile is the table of an eval file of 4.42.4.
var EvalFile = &schema.Type{
	Name: "eval-file", Doc: "A suite of tests. Each test has an input for the system under test, the expected outcome and the graders.", Kind: schema.Map,
	Fields: append(SuiteFields(), []*schema.Field{
		{
			Key: "tests", Aliases: []string{"eval_cases", "cases"}, DeprecatedNames: []string{"eval_cases", "cases"}, Required: true, OnInvalid: RefusesFile,
			Type: schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, TestType))),
			Doc:  "The tests, in report order. `file://` and a path, or a path alone for all of them, stands for the tests of that file.",
		},
		{Key: "input", Type: inputType, Doc: "Messages before each test's own input."},
		newAssertionsField("suite"),
		evaluatorsField,
		{Key: "execution", Doc: "Settings for running the suite.", Type: newExecutionType("suite-execution", "Settings for running all tests.", entryTable.ListType, schema.UnionOf(schema.NonEmptyString, targetReferenceType), "The targets to run all tests with, by their names in `targets.yaml`.")},
		{Key: "target", Type: anyValue, Doc: "The target's name in `targets.yaml`. `execution.target` takes precedence."},
		workspaceField, newPreprocessorsField(RefusesFile), EvaluatorField,
	}...),
}

// TestType is the table of a test of 4.42.4, in YAML or as a line of JSONL.
var TestType = &schema.Type{
	Name: "test", Doc: "One test: the input, the expected outcome and the graders.", Kind: schema.Map,
	Fields: append([]*schema.Field{
		AsRequired(seed.CaseType.Field("id"), SkipsTest),
		GoalField,
		{Key: "vars", Type: schema.Object, Doc: "Variables for the test's texts."},
		{Key: "input", Type: inputType, Required: true, OnInvalid: SkipsTest, Example: "Can I send the lamp back?", Doc: "The input for the target: a text, or messages."},
		InputFilesField,
		{Key: "expected_output", Type: AnswerType, Example: "The refund window is 30 days.", Doc: "A good answer, for comparison: a text, data, or messages. The last message is the reference answer."},
		newAssertionsField("test"),
		evaluatorsField,
		{
			Key: "rubrics", Type: schema.ListOf(schema.UnionOf(schema.NonEmptyString, inlineCriterionType)), DeprecatedNames: []string{"rubrics"}, OnInvalid: "ignores the rubric",
			Doc: "A rubric. `assertions` with plain texts have replaced it.",
		},
		{Key: "execution", Type: newExecutionType("test-execution", "Settings for running one test.", entryTable.ListType, schema.NonEmptyString, "Those of the file's several targets that run this test."), Doc: "Settings for running this test."},
		workspaceField, EvaluatorField,
		{Key: "note", Informational: true, Type: anyValue, Doc: "Free-form notes for readers."},
	}, append(TestIdentityFields, ConversationFields("assertions", entryTable.ListType)...)...),
}

// listedTestType is a test in a file that suites include. The suite may set its input.
var listedTestType = TestType.WithFields(TestType.Name, TestType.Field("input").With(func(f *schema.Field) { f.Required = false }))

// inlineCriterionType is a criterion of a test's own rubric. Its text has only one key.
var inlineCriterionType = func() *schema.Type {
	t := criterionType.WithFields("inline-criterion", asOutcome(seed.CriterionType.Field("expected_outcome")))
	t.RequireAny = []string{"outcome", "score_ranges"}
	return t
}()

var GoalField = &schema.Field{
	Key: "criteria", Aliases: []string{"expected_outcome"}, DeprecatedNames: []string{"expected_outcome"}, Type: schema.NonEmptyString, OnInvalid: RefusesFile,
	Example: "Explains the refund policy and the next step",
	Doc:     "The expected outcome: what the answer should do, in words.",
}

// newAssertionsField returns the field for the graders of a suite or a test.
func newAssertionsField(whose string) *schema.Field {
	doc := "Graders of all tests, after each test's own."
	if whose == "test" {
		doc = "Graders of this test. Plain texts are criteria of one rubric; each counts as much as an assertion."
	}
	return &schema.Field{
		Key: "assertions", Aliases: []string{"assert"}, DeprecatedNames: []string{"assert"}, Type: entryTable.ListType,
		Example: []string{"States that the refund window is 30 days"}, OnInvalid: "ignores the list", Doc: doc,
	}
}

var (
	evaluatorsField = &schema.Field{Key: "evaluators", Type: entryTable.ListType, DeprecatedNames: []string{"evaluators"}, OnInvalid: "ignores the list", Doc: "The older name of `assertions`."}
	workspaceField  = &schema.Field{Key: "workspace", Unsupported: "no workspace is set up", LeavesUngraded: true, Type: anyValue, Doc: "The target's workspace: a recipe, or the path of one."}
)

// newPreprocessorsField returns the field of an eval file or of a judge. OnInvalid is what an invalid one costs.
func newPreprocessorsField(onInvalid string) *schema.Field {
	return &schema.Field{
		Key: "preprocessors", OnInvalid: onInvalid, Example: []map[string]any{{"type": "pdf", "command": []string{"python", "pdf_to_text.py"}}},
		Doc: "Programs that turn files in the target's answer into text, before a judge sees it. They need `--allow-exec`.",
		Type: schema.ListOf(&schema.Type{Name: "preprocessor", Kind: schema.Map, OtherValues: anyValue, Doc: "A program for files of one type.", Fields: []*schema.Field{
			{Key: "type", Type: schema.NonEmptyString, Required: true, OnInvalid: onInvalid, Example: "pdf", Doc: "The media type, such as `application/pdf`, or its short name."},
			{
				Key: "command", Type: schema.NonEmptyListOf(schema.NonEmptyString), Required: true, OnInvalid: onInvalid, Example: []string{"python", "pdf_to_text.py"},
				Doc: "The program and its arguments; in AgentV the last is a file. It reads `path`, `original_path` and `media_type` as JSON, and prints the text.",
			},
		}}),
	}
}

// criterionType is the table of a criterion in V4.
var criterionType = NewCriterionType(dropsCriterion, gateField, olderMinimumField)

// entryTable is the table of V4's assertions. All types may be written with underscores.
var entryTable = func() *EntryTable {
	preprocessors := newPreprocessorsField(SkipsTest)
	e := NewEntryTable(agentv.V4, &schema.Field{Key: "name", Informational: true, Type: schema.NonEmptyString, Default: "made of the type and the value", Example: "accuracy", Doc: "The assertion's name in results."})
	required := *e.common[2]
	required.Type = schema.UnionOf(schema.Boolean, schema.PositiveUpTo(1))
	required.Doc += " A number is the older way to write `min_score`."
	e.common[2] = &required
	criteria := schema.NonEmptyListOf(schema.UnionOf(schema.NonEmptyString, criterionType))
	e.AddType("rubrics", "A model grades by the criteria.", &schema.Field{Key: "criteria", Type: criteria, Required: true, OnInvalid: SkipsAssertion, Doc: "The criteria."}, seed.SamplesField, preprocessors)
	e.AddType("llm-grader", "A model grades: by `rubrics` if present, else free-form by the test's `criteria`.", append([]*schema.Field{
		{Key: "rubrics", Type: schema.ListOf(criterionType), Doc: "The criteria. They must be mappings."},
		preprocessors,
	}, JudgeFields(schema.UnionOf(schema.String, promptType))...)...)
	e.AddType("rubric", "The older name of `rubrics`.", &schema.Field{
		Key: "rubrics", Type: schema.NonEmptyListOf(criterionType), Required: true, OnInvalid: SkipsAssertion, Doc: "The criteria. They must be mappings.",
	})
	script := e.AddType("code-grader", ProgramDoc, append(ProgramFields(), &schema.Field{
		Key: "script", Type: seed.ScriptType, DeprecatedNames: []string{"script"}, Doc: "The older name of `command`.",
	})...)
	script.OtherValues, script.RequireAny, script.OnMissingAll = anyValue, []string{"command", "script"}, SkipsAssertion
	e.AddDeterministic()
	e.addComposite()
	e.addTrajectory()
	e.AddType("skill-trigger", "Whether a skill was used.", &schema.Field{Key: "skill", Type: schema.NonEmptyString, Required: true, OnInvalid: SkipsAssertion, Doc: "The skill."}).OtherValues = anyValue
	e.AddType("inline-assert", "A function in the suite's own program.").OtherValues = anyValue
	for _, t := range e.AnyType.Choices {
		if len(t.TagValues) > 0 && strings.Contains(t.TagValues[0], "-") {
			t.TagValues = append(t.TagValues, strings.ReplaceAll(t.TagValues[0], "-", "_"))
		}
	}
	return e
}()

// addTrajectory adds tool-trajectory with release 4's additions to Seed's settings: two modes and
// the comparison of arguments.
func (e *EntryTable) addTrajectory() {
	calls := e.addSeedType("tool-trajectory", "The target's tool calls, compared with the expected ones. The score is the share of met expectations.")
	calls.OtherValues = anyValue
	match := &schema.Field{
		Key: "args_match", Aliases: []string{"argsMatch"}, Default: "`exact`", Example: "superset",
		Doc: "The rule that compares a call's arguments with the expected `args`. A list names the arguments that must be equal, by paths such as `a.b`.",
		Type: schema.UnionOf(schema.EnumOf(
			schema.Value{Text: "exact", Doc: "they are equal"}, schema.Value{Text: "superset", Doc: "the call has the arguments of `args` and may have others"},
			schema.Value{Text: "subset", Doc: "the call has no arguments except those of `args`"}, schema.Value{Text: "ignore", Doc: "any arguments"},
		), schema.NonEmptyListOf(schema.NonEmptyString)),
	}
	mode, expected := *calls.Field("mode"), *calls.Field("expected")
	mode.Type = schema.EnumOf(append(append([]schema.Value{}, mode.Type.Values...),
		schema.Value{Text: "subset", Doc: "no calls except those of `expected`"}, schema.Value{Text: "superset", Doc: "all calls of `expected`, in any order"})...)
	older := expected.Type.Items
	args, own, most := *older.Field("args"), *match, *older.Field("max_duration_ms")
	args.Doc = "Expected arguments, compared according to `args_match`."
	own.Default = "the evaluator's"
	most.Aliases = []string{"maxDurationMs"}
	expected.Type = schema.ListOf(older.WithFields(older.Name, &args, &most, &own))
	expected.Doc = "The expected calls. Required by all modes except `any_order`."
	*calls = *calls.WithFields(calls.Name, &mode, match, &expected)
}

var promptType = &schema.Type{
	Name: "prompt-command", Doc: "A program that writes the judge's prompt.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "command", Aliases: []string{"script"}, DeprecatedNames: []string{"script"}, Type: seed.ScriptType, Required: true, OnInvalid: RefusesTest, Doc: "The program."},
		{Key: "config", Type: schema.Object, Doc: "Passed to the program."},
	},
}

func (e *EntryTable) addComposite() {
	tag := &schema.Field{Key: "type", Required: true, OnInvalid: SkipsAssertion, Doc: "The method."}
	aggregator := func(kind, doc string, fields ...*schema.Field) *schema.Type {
		return &schema.Type{Name: "aggregator-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind}, Fields: append([]*schema.Field{tag}, fields...)}
	}
	old := seed.EvaluatorType.VariantByTag("composite").Field("aggregator").Type
	program := aggregator("code-grader", "A program that receives the members' results.", old.VariantByTag("code_judge").Fields[1:]...)
	model := aggregator("llm-grader", "A model that reads the members' results.", old.VariantByTag("llm_judge").Fields[1:]...)
	program.TagValues, model.TagValues = append(program.TagValues, "code_grader"), append(model.TagValues, "llm_grader")
	tag.Type = schema.EnumOf(
		schema.Value{Text: "weighted_average", Doc: "the mean weighted by `weights`"}, schema.Value{Text: "threshold", Doc: "the share of passing members"},
		schema.Value{Text: "code-grader", Doc: "a program", Synonyms: []string{"code_judge", "code-judge"}}, schema.Value{Text: "code_grader", Doc: "the same"},
		schema.Value{Text: "llm-grader", Doc: "a model", Synonyms: []string{"llm_judge", "llm-judge"}}, schema.Value{Text: "llm_grader", Doc: "the same"},
	)
	aggregatorType := &schema.Type{
		Name: "aggregator", Doc: "The rule that combines the scores of a composite's members.", Kind: schema.Map, Tag: "type", Fields: []*schema.Field{tag},
		Choices: []*schema.Type{
			aggregator("weighted_average", "The mean of the members' scores.", old.VariantByTag("weighted_average").Fields[1:]...),
			aggregator("threshold", "The share of passing members, among those not skipped.", &schema.Field{
				Key: "threshold", Type: ShareType, Required: true, OnInvalid: SkipsAssertion, Doc: "The share that must pass, 0 to 1.",
			}),
			program, model,
		},
	}
	e.AddType("composite", "Several assertions, combined into one score.",
		&schema.Field{
			Key: "assertions", Aliases: []string{"assert", "evaluators"}, DeprecatedNames: []string{"assert", "evaluators"},
			Type: schema.NonEmptyListOf(e.AnyType), Required: true, OnInvalid: SkipsAssertion, Doc: "The members. Each needs a `name`.",
		},
		&schema.Field{Key: "aggregator", Type: aggregatorType, Required: true, OnInvalid: SkipsAssertion, Doc: "The rule that combines the members' scores."})
}

var trialsType = &schema.Type{
	Name: "trials", Doc: "Several runs of each test.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "count", Type: schema.IntegerFrom(1), Required: true, OnInvalid: IgnoresValue, Doc: "The number of runs."},
		{
			Key: "strategy", Default: "`pass_at_k`", OnInvalid: IgnoresValue, Doc: "The rule that combines the scores.",
			Type: schema.EnumOf(
				schema.Value{Text: "pass_at_k", Doc: "the highest; the first pass ends the trials"}, schema.Value{Text: "mean", Doc: "their mean"},
				schema.Value{Text: "confidence_interval", Doc: "the lower end of their confidence interval"},
			),
		},
		{Key: "cost_limit_usd", Aliases: []string{"costLimitUsd"}, Type: schema.PositiveNumber, OnInvalid: IgnoresValue, Doc: "The costs in US dollars that end the trials."},
	},
}

// newExecutionType returns the table of V4's settings for running a suite or a test.
func newExecutionType(name, doc string, assertions, target *schema.Type, targetsDoc string) *schema.Type {
	return &schema.Type{
		Name: name, Doc: doc, Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "target", Type: anyValue, Doc: "The target's name in `targets.yaml`."},
			{Key: "targets", Type: schema.ListOf(target), OnInvalid: IgnoresValue, Doc: targetsDoc},
			{Key: "assertions", Type: assertions, Doc: "Graders. A list outside of `execution` takes precedence."},
			{Key: "evaluators", Type: assertions, DeprecatedNames: []string{"evaluators"}, Doc: olderVersionDoc},
			{Key: "skip_defaults", Type: schema.Boolean, Default: "`false`", Doc: "Whether to leave out the suite's assertions."},
			{Key: "trials", Type: trialsType, OnInvalid: IgnoresValue, Doc: "How often each test is run."},
			LenientThresholdField,
		},
		OtherValues: anyValue,
	}
}

// targetReferenceType is a target of a suite with settings of its own.
var targetReferenceType = &schema.Type{
	Name: "suite-target", Doc: "A target of the suite.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "name", Type: schema.NonEmptyString, Required: true, OnInvalid: IgnoresValue, Doc: "The target's name in `targets.yaml`."},
		{Key: "use_target", Type: schema.NonEmptyString, Unsupported: "write it in `targets.yaml`", Doc: "The target that it stands for."},
		{Key: "hooks", Type: schema.Object, Unsupported: "no hooks run", Doc: "Commands that run before and after."},
	},
}

// ThresholdField is the lowest passing score of a test or a suite.
var ThresholdField = &schema.Field{
	Key: "threshold", Type: ShareType, Default: "0.8", Example: 0.7, OnInvalid: RefusesFile,
	Doc: "The lowest passing score, 0 to 1. A test's value takes precedence over the suite's.",
}

// LenientThresholdField is a threshold that is ignored if it is invalid.
var LenientThresholdField = ThresholdField.With(func(f *schema.Field) { f.OnInvalid = IgnoresValue })
