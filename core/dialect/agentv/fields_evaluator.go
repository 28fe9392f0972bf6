package agentv

import "github.com/rubric-ls/rubric/core/schema"

// evaluatorKinds are the types of evaluators.
var evaluatorKinds = []schema.Value{
	{Text: "llm_judge", Doc: "a model, with a rubric or free-form", Synonyms: []string{"llm", "judge", "llm-grader", "llm-rubric", "rubrics", "model"}},
	{Text: "code_judge", Doc: "a program", Synonyms: []string{"code", "script", "code-grader", "command", "python", "javascript"}},
	{Text: "rubric", Doc: "the older name of an `llm_judge` with a rubric"},
	{Text: "composite", Doc: "several evaluators as one"},
	{Text: "tool_trajectory", Doc: "the tools that were called"},
	{Text: "field_accuracy", Doc: "data, field by field"},
	{Text: "latency", Doc: "how long it took"},
	{Text: "cost", Doc: "what it cost"},
	{Text: "token_usage", Doc: "the tokens it took"},
	{Text: "execution_metrics", Doc: "several such limits"},
}

// EvaluatorType is any evaluator; its `type` chooses the keys. The variants are
// put in at start, since a composite holds evaluators again.
var EvaluatorType = &schema.Type{
	Name:   "evaluator",
	Doc:    "One way of grading; its `type` decides which keys it takes.",
	Kind:   schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{nameField, typeField, weightField},
}

var (
	nameField = &schema.Field{
		Key: "name", Type: schema.NonEmptyString, Required: true, Example: "accuracy", OnInvalid: "skips the evaluator",
		Doc: "The evaluator's name in results.",
	}
	typeField = &schema.Field{
		Key: "type", Type: schema.EnumOf(evaluatorKinds...), Required: true, OnInvalid: "skips the evaluator", Doc: "The way of grading.",
	}
	weightField = &schema.Field{
		Key: "weight", Type: schema.NonNegative, Default: "1", OnInvalid: "skips the case",
		Doc: "Its share in the case's score; with 0 its findings are reported and not counted.",
	}
)

func init() {
	EvaluatorType.Choices = []*schema.Type{
		newEvaluatorVariant("llm_judge", "A model grades: by `rubrics` if there are some, else free-form by `expected_outcome`.", judgeFields(false)...),
		newEvaluatorVariant("code_judge", "A program grades: it gets the case and the answer as JSON and prints `{score, hits, misses, reasoning}`. "+
			"All keys that are not listed here are handed to it as `config`.", codeJudgeFields()...),
		newEvaluatorVariant("rubric", "The older name of an `llm_judge` with a rubric.", judgeFields(true)...),
		newEvaluatorVariant("composite", "Several evaluators, combined into one score.", compositeFields()...),
		newEvaluatorVariant("tool_trajectory", "The tools that were called, compared with those expected. "+
			"The score is the share of expectations that are met.", trajectoryFields()...),
		newEvaluatorVariant("field_accuracy", "The answer, read as JSON, is compared with the reference answer field by field.", fieldAccuracyFields()...),
		newEvaluatorVariant("latency", "1 if the answer took at most `threshold`, else 0.",
			limitField("threshold", "Milliseconds.", 3000, true)),
		newEvaluatorVariant("cost", "1 if the answer cost at most `budget`, else 0.",
			limitField("budget", "US dollars.", 0.05, true)),
		newEvaluatorVariant("token_usage", "1 if no limit is passed, else 0.", tokenFields()...),
		newEvaluatorVariant("execution_metrics", "The share of the limits given that are kept.", executionMetricFields()...),
	}
	EvaluatorType.VariantByTag("code_judge").OtherValues = schema.AnyValue
	tokens, metrics := EvaluatorType.VariantByTag("token_usage"), EvaluatorType.VariantByTag("execution_metrics")
	tokens.RequireAny, tokens.OnMissingAll = fieldNames(tokenFields()), "skips the evaluator"
	metrics.RequireAny, metrics.OnMissingAll = fieldNames(executionMetricFields()[:executionLimitCount]), "skips the evaluator"
}

func newEvaluatorVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{
		Name: "evaluator-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append([]*schema.Field{nameField, typeField, weightField}, fields...),
	}
}

func fieldNames(fields []*schema.Field) (all []string) {
	for _, f := range fields {
		all = append(all, f.Names()...)
	}
	return all
}
