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
	Fields: append(about("suite"), []*schema.Field{
		{
			Key: "tests", Aliases: []string{"eval_cases", "cases"}, DeprecatedNames: []string{"eval_cases", "cases"}, Required: true, OnInvalid: refusesFile,
			Type: schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, StableTest))),
			Doc:  "The tests, in the order in which they are reported. `file://` and a path, or a path alone for all of them, stands for a file of tests.",
		},
		{Key: "input", Type: asked, Doc: "What is said before each test's own input."},
		stableAssertions("suite"),
		evaluatorsField,
		{
			Key: "execution", Doc: "How the suite is run.",
			Type: stableExecution("suite-execution", "How all tests are run.", stableEntries.list),
		},
		{Key: "target", Type: freely, Doc: "The target's name, as in `targets.yaml`. `execution.target` wins."},
		workspaceField, preprocessorsField, evaluatorField,
	}...),
}

// StableTest is one test of 4.42.4, in YAML and as a line of JSONL.
var StableTest = &schema.Type{
	Name: "test",
	Doc:  "One test: what is asked, what a good answer does, and who grades it.",
	Kind: schema.Map,
	Fields: append([]*schema.Field{
		required(agentv.CaseType.Field("id"), skipsTest),
		goalField,
		{Key: "vars", Type: schema.Object, Doc: "Variables that the test's texts are filled with."},
		{Key: "input", Type: asked, Required: true, OnInvalid: skipsTest, Example: "Can I send the lamp back?", Doc: "What the target is asked: a text, or messages."},
		inputFiles,
		{
			Key: "expected_output", Type: answered, Example: "The refund window is 30 days.",
			Doc: "A good answer, to compare with: a text, data, or messages. The last message is the reference answer.",
		},
		stableAssertions("test"),
		evaluatorsField,
		{
			Key: "rubrics", Type: schema.ListOf(schema.UnionOf(schema.NonEmptyString, inlineCriterion)), DeprecatedNames: []string{"rubrics"}, OnInvalid: "ignores the rubric",
			Doc: "A rubric. `assertions` with plain texts have taken its place.",
		},
		{Key: "execution", Type: stableExecution("test-execution", "How one test is run.", stableEntries.list), Doc: "How this test is run."},
		workspaceField, evaluatorField,
		{Key: "note", Type: freely, Doc: "Anything, for readers."},
	}, append(identity, conversation("assertions", stableEntries.list)...)...),
}

// stableListed is a test of a file that suites take: what is asked may be theirs.
var stableListed = func() *schema.Type {
	input := *StableTest.Field("input")
	input.Required = false
	return but(StableTest, StableTest.Name, &input)
}()

// inlineCriterion is a criterion of a test's own rubric, whose text has one name.
var inlineCriterion = func() *schema.Type {
	t := but(stableCriterion, "inline-criterion", outcome(agentv.CriterionType.Field("expected_outcome")))
	t.RequireAny = []string{"outcome", "score_ranges"}
	return t
}()

var goalField = &schema.Field{
	Key: "criteria", Aliases: []string{"expected_outcome"}, DeprecatedNames: []string{"expected_outcome"}, Type: schema.NonEmptyString, OnInvalid: refusesFile,
	Example: "Explains the refund policy and the next step",
	Doc:     "What a good answer does, in words.",
}

// stableAssertions are the graders of a suite or a test.
func stableAssertions(whose string) *schema.Field {
	doc := "Ways of grading all tests, after each test's own."
	if whose == "test" {
		doc = "Ways of grading this test. Plain texts are criteria of one rubric; each counts as much as an assertion."
	}
	return &schema.Field{
		Key: "assertions", Aliases: []string{"assert"}, DeprecatedNames: []string{"assert"}, Type: stableEntries.list,
		Example: []string{"States that the refund window is 30 days"}, OnInvalid: "ignores the list", Doc: doc,
	}
}

var (
	evaluatorsField    = &schema.Field{Key: "evaluators", Type: stableEntries.list, DeprecatedNames: []string{"evaluators"}, OnInvalid: "ignores the list", Doc: "The older name of `assertions`."}
	preprocessorsField = &schema.Field{Key: "preprocessors", Type: freely, Doc: "What is made of files before they are shown."}
	workspaceField     = &schema.Field{Key: "workspace", Type: freely, Doc: "The folder that answers are made in: a recipe, or the path of one."}
)
