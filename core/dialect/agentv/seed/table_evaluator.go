package seed

import (
	"math"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// evaluatorKinds are the types of evaluators.
var evaluatorKinds = []schema.Value{
	{Text: "llm_judge", Doc: "a model, with a rubric or free-form", Synonyms: []string{"llm", "judge", "llm-grader", "llm-rubric", "rubrics", "model"}},
	{Text: "code_judge", Doc: "a program", Synonyms: []string{"code", "script", "code-grader", "command", "python", "javascript"}},
	{Text: "rubric", Doc: "the older name of an `llm_judge` with a rubric"},
	{Text: "composite", Doc: "several evaluators as one"},
	{Text: "tool_trajectory", Doc: "the tool calls of the target"},
	{Text: "field_accuracy", Doc: "data, compared field by field"},
	{Text: "latency", Doc: "the duration of the answer"},
	{Text: "cost", Doc: "the cost of the answer"},
	{Text: "token_usage", Doc: "the tokens used"},
	{Text: "execution_metrics", Doc: "several limits"},
}

// EvaluatorType is the table of an evaluator; its `type` selects the variant. The variants are
// added in init, because a composite contains evaluators.
var EvaluatorType = &schema.Type{
	Name: "evaluator", Doc: "One grader. Its `type` decides which keys it has.", Kind: schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{nameField, typeField, weightField},
}

var (
	nameField = &schema.Field{
		Key: "name", Informational: true, Type: schema.NonEmptyString, Required: true, Example: "accuracy", OnInvalid: "skips the evaluator",
		Doc: "The evaluator's name in results.",
	}
	typeField = &schema.Field{
		Key: "type", Type: schema.EnumOf(evaluatorKinds...), Required: true, OnInvalid: "skips the evaluator", Doc: "The type of grader.",
	}
	weightField = &schema.Field{
		Key: "weight", Type: schema.NonNegative, Default: "1", OnInvalid: "skips the case",
		Doc: "Its share of the case's score. With 0 its result is reported and not counted.",
	}
)

func init() {
	EvaluatorType.Choices = []*schema.Type{
		newEvaluatorVariant("llm_judge", "A model grades: by `rubrics` if present, else free-form by `expected_outcome`.", judgeFields(false)...),
		newEvaluatorVariant("code_judge", "A program grades. It receives the case and the answer as JSON and prints `{score, hits, misses, reasoning}`. "+
			"It receives all keys not listed here as `config`.", codeJudgeFields...),
		newEvaluatorVariant("rubric", "The older name of an `llm_judge` with a rubric.", judgeFields(true)...),
		newEvaluatorVariant("composite", "Several evaluators, combined into one score.", compositeFields...),
		newEvaluatorVariant("tool_trajectory", "The target's tool calls, compared with the expected ones. "+
			"The score is the share of met expectations.", trajectoryFields...),
		newEvaluatorVariant("field_accuracy", "The answer, parsed as JSON, is compared with the reference answer field by field.", fieldAccuracyFields...),
		newEvaluatorVariant("latency", "1 if the answer took at most `threshold`, else 0.",
			limitField("threshold", "Milliseconds.", 3000, true)),
		newEvaluatorVariant("cost", "1 if the answer cost at most `budget`, else 0.",
			limitField("budget", "US dollars.", 0.05, true)),
		newEvaluatorVariant("token_usage", "1 if no limit is exceeded, else 0.", tokenFields...),
		newEvaluatorVariant("execution_metrics", "The share of the given limits that are met.", executionMetricFields()...),
	}
	EvaluatorType.VariantByTag("code_judge").OtherValues = schema.AnyValue
	tokens, metrics := EvaluatorType.VariantByTag("token_usage"), EvaluatorType.VariantByTag("execution_metrics")
	tokens.RequireAny, tokens.OnMissingAll = fieldNames(tokenFields), "skips the evaluator"
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

// judgeFields returns the keys of an LLM judge. The legacy type must have criteria.
func judgeFields(legacy bool) []*schema.Field {
	rubrics := &schema.Field{
		Key: "rubrics", Type: schema.ListOf(strictCriterionType), AddedIn: "2026-01-22",
		Doc: "The criteria. Unlike those of a case, they must be mappings and are checked before the run.",
	}
	if legacy {
		rubrics.Required, rubrics.OnInvalid, rubrics.Type = true, "skips the evaluator", schema.NonEmptyListOf(strictCriterionType)
	}
	return []*schema.Field{
		rubrics,
		{
			Key: "prompt", Type: schema.UnionOf(schema.String, promptScriptType), Example: "prompts/judge.md",
			Doc: "The judge's own prompt: the text, the path of a file, or a program that writes it. `{{ candidate_answer }}`, " +
				"`{{ question }}`, `{{ expected_outcome }}`, `{{ reference_answer }}`, `{{ input_messages }}`, " +
				"`{{ expected_messages }}` and `{{ output_messages }}` are replaced. Ignored if there are `rubrics`.",
		},
		{Key: "model", Informational: true, Type: schema.String, Doc: "For information only: the judge is the target's `judge_target`."},
		{Key: "config", Type: schema.Object, Doc: "Passed to the prompt's program."},
		SamplesField,
	}
}

// SamplesField is our own key; AgentV does not read it.
var SamplesField = &schema.Field{
	Key: "samples", Type: schema.IntegerBetween(1, maxSamples), Default: "what the run says",
	Doc: "The number of votes of the judge in `rubric`; a run's `--samples` may be higher. AgentV asks once.",
}

const maxSamples = 1000

// ReadSamples returns the number of samples that a grader sets, or 0.
func ReadSamples(n *yaml.Node) int {
	if f, ok := n.Get("samples").Number(); ok && f == math.Trunc(f) && f >= 1 && f <= maxSamples {
		return int(f)
	}
	return 0
}

var promptScriptType = &schema.Type{
	Name: "prompt-script", Doc: "A program that writes the judge's prompt.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "script", Type: ScriptType, Required: true, Doc: "The program."},
		{Key: "config", Type: schema.Object, Doc: "Passed to the program."},
	},
}

// strictCriterionType is the table of an evaluator's criterion. There the loader refuses the case
// for faults that it accepts in a case's own rubric.
var strictCriterionType = CriterionType.WithFields("evaluator-criterion", skipsCase("required_min_score"), skipsCase("score_ranges"))

func skipsCase(key string) *schema.Field {
	return CriterionType.Field(key).With(func(f *schema.Field) { f.OnInvalid = "skips the case" })
}

// ScriptType is a program: its arguments, or a line for the shell.
var ScriptType = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(schema.String))

var codeJudgeFields = []*schema.Field{
	{Key: "script", Type: ScriptType, Required: true, OnInvalid: "skips the evaluator", Example: []string{"python", "judge.py"}, Doc: "The program: its arguments, or a line for the shell."},
	{Key: "cwd", Type: schema.NonEmptyString, Default: "the eval file's folder", Doc: "The working folder."},
	{Key: "target", Type: schema.UnionOf(schema.Boolean, ProxyType), Doc: "Lets the program call the judge's model through a local proxy."},
}

// ProxyType is the table of a program's access to the judge's model.
var ProxyType = &schema.Type{
	Name: "proxy", Doc: "Limits for a program's use of the judge's model.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "max_calls", Type: schema.IntegerFrom(0), Default: "50", Doc: "The maximum number of calls."},
	},
}

var compositeFields = []*schema.Field{
	{Key: "evaluators", Type: schema.NonEmptyListOf(EvaluatorType), Required: true, OnInvalid: "skips the evaluator", Doc: "The members. AgentV ignores the rubric and the prompt of a member `llm_judge`."},
	{Key: "aggregator", Type: aggregatorType, Required: true, OnInvalid: "skips the evaluator", Doc: "The rule that combines the members' scores."},
}

var aggregatorTypeField = &schema.Field{
	Key: "type", Required: true, OnInvalid: "skips the evaluator", Doc: "The method.",
	Type: schema.EnumOf(
		schema.Value{Text: "weighted_average", Doc: "the mean weighted by `weights`"},
		schema.Value{Text: "code_judge", Doc: "a program that receives the members' results"},
		schema.Value{Text: "llm_judge", Doc: "a model that reads the members' results"},
	),
}

var aggregatorType = &schema.Type{
	Name: "aggregator", Doc: "The rule that combines the scores of a composite's members.", Kind: schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{aggregatorTypeField},
	Choices: []*schema.Type{
		newAggregatorVariant("weighted_average", "The mean of the members' scores.", &schema.Field{
			Key: "weights", Type: schema.MapOf(schema.NonNegative), Default: "1 each", Example: map[string]any{"safety": 0.7, "style": 0.3},
			Doc: "Each member's share, by its name.",
		}),
		newAggregatorVariant("code_judge", "A program that receives the members' results.",
			&schema.Field{Key: "path", Type: schema.NonEmptyString, Required: true, OnInvalid: "skips the evaluator", Doc: "The program."},
			&schema.Field{Key: "cwd", Type: schema.NonEmptyString, Doc: "The working folder."}),
		newAggregatorVariant("llm_judge", "A model that reads the members' results.",
			&schema.Field{Key: "prompt", Type: schema.String, Doc: "The prompt. `{{ EVALUATOR_RESULTS_JSON }}` is replaced by the members' results."},
			&schema.Field{Key: "model", Informational: true, Type: schema.String, Doc: "For information only: the judge is the target's `judge_target`."}),
	},
}

func newAggregatorVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{
		Name: "aggregator-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append([]*schema.Field{aggregatorTypeField}, fields...),
	}
}
