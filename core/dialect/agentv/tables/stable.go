package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// StableEval is an eval file of 4.42.4.
var StableEval = &schema.Type{
	Name: "eval-file",
	Doc:  "A suite of tests: what each asks of the system under test, what a good answer does, and how that is graded.",
	Kind: schema.Map,
	Fields: append(suiteFields("suite"), []*schema.Field{
		{
			Key: "tests", Aliases: []string{"eval_cases", "cases"}, DeprecatedNames: []string{"eval_cases", "cases"}, Required: true, OnInvalid: lostFile,
			Type: schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, StableTest))),
			Doc:  "The tests, in the order in which they are reported. `file://` and a path, or a path alone for all of them, stands for a file of tests.",
		},
		{Key: "input", Type: inputType, Doc: "What is said before each test's own input."},
		newStableAssertionsField("suite"),
		evaluatorsField,
		{
			Key: "execution", Doc: "How the suite is run.",
			Type: newStableExecutionType("suite-execution", "How all tests are run.", stableEntryTable.listType),
		},
		{Key: "target", Type: anyValue, Doc: "The target's name, as in `targets.yaml`. `execution.target` wins."},
		workspaceField, preprocessorsField, evaluatorField,
	}...),
}

// StableTest is one test of 4.42.4, in YAML and as a line of JSONL.
var StableTest = &schema.Type{
	Name: "test",
	Doc:  "One test: what is asked, what a good answer does, and who grades it.",
	Kind: schema.Map,
	Fields: append([]*schema.Field{
		asRequired(agentv.CaseType.Field("id"), lostTestSkipped),
		goalField,
		{Key: "vars", Type: schema.Object, Doc: "Variables that the test's texts are filled with."},
		{Key: "input", Type: inputType, Required: true, OnInvalid: lostTestSkipped, Example: "Can I send the lamp back?", Doc: "What the target is asked: a text, or messages."},
		inputFilesField,
		{
			Key: "expected_output", Type: answerType, Example: "The refund window is 30 days.",
			Doc: "A good answer, to compare with: a text, data, or messages. The last message is the reference answer.",
		},
		newStableAssertionsField("test"),
		evaluatorsField,
		{
			Key: "rubrics", Type: schema.ListOf(schema.UnionOf(schema.NonEmptyString, inlineCriterionType)), DeprecatedNames: []string{"rubrics"}, OnInvalid: "ignores the rubric",
			Doc: "A rubric. `assertions` with plain texts have taken its place.",
		},
		{Key: "execution", Type: newStableExecutionType("test-execution", "How one test is run.", stableEntryTable.listType), Doc: "How this test is run."},
		workspaceField, evaluatorField,
		{Key: "note", Type: anyValue, Doc: "Anything, for readers."},
	}, append(testIdentityFields, conversationFields("assertions", stableEntryTable.listType)...)...),
}

// stableListedTestType is a test of a file that suites take: what is asked may be theirs.
var stableListedTestType = func() *schema.Type {
	input := *StableTest.Field("input")
	input.Required = false
	return copyType(StableTest, StableTest.Name, &input)
}()

// inlineCriterionType is a criterion of a test's own rubric, whose text has one name.
var inlineCriterionType = func() *schema.Type {
	t := copyType(stableCriterionType, "inline-criterion", asOutcome(agentv.CriterionType.Field("expected_outcome")))
	t.RequireAny = []string{"outcome", "score_ranges"}
	return t
}()

var goalField = &schema.Field{
	Key: "criteria", Aliases: []string{"expected_outcome"}, DeprecatedNames: []string{"expected_outcome"}, Type: schema.NonEmptyString, OnInvalid: lostFile,
	Example: "Explains the refund policy and the next step",
	Doc:     "What a good answer does, in words.",
}

// newStableAssertionsField are the graders of a suite or a test.
func newStableAssertionsField(whose string) *schema.Field {
	doc := "Ways of grading all tests, after each test's own."
	if whose == "test" {
		doc = "Ways of grading this test. Plain texts are criteria of one rubric; each counts as much as an assertion."
	}
	return &schema.Field{
		Key: "assertions", Aliases: []string{"assert"}, DeprecatedNames: []string{"assert"}, Type: stableEntryTable.listType,
		Example: []string{"States that the refund window is 30 days"}, OnInvalid: "ignores the list", Doc: doc,
	}
}

var (
	evaluatorsField    = &schema.Field{Key: "evaluators", Type: stableEntryTable.listType, DeprecatedNames: []string{"evaluators"}, OnInvalid: "ignores the list", Doc: "The older name of `assertions`."}
	preprocessorsField = &schema.Field{Key: "preprocessors", Type: anyValue, Doc: "What is made of files before they are shown."}
	workspaceField     = &schema.Field{Key: "workspace", Type: anyValue, Doc: "The folder that answers are made in: a recipe, or the path of one."}
)
