package agentv

import "github.com/rubric-ls/rubric/core/schema"

func compositeFields() []*schema.Field {
	return []*schema.Field{
		{
			Key: "evaluators", Type: schema.NonEmptyListOf(EvaluatorType), Required: true, OnInvalid: "skips the evaluator",
			Doc: "The members. AgentV strips a member `llm_judge` of its rubric and its prompt.",
		},
		{Key: "aggregator", Type: aggregatorType, Required: true, OnInvalid: "skips the evaluator", Doc: "How the members' scores become one."},
	}
}

var aggregatorKinds = []schema.Value{
	{Text: "weighted_average", Doc: "the mean by `weights`"},
	{Text: "code_judge", Doc: "a program that is given the members' results"},
	{Text: "llm_judge", Doc: "a model that is shown the members' results"},
}

var aggregatorTypeField = &schema.Field{
	Key: "type", Type: schema.EnumOf(aggregatorKinds...), Required: true, OnInvalid: "skips the evaluator", Doc: "The way of combining.",
}

var aggregatorType = &schema.Type{
	Name:   "aggregator",
	Doc:    "How a composite's members become one score.",
	Kind:   schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{aggregatorTypeField},
	Choices: []*schema.Type{
		newAggregatorVariant("weighted_average", "The mean of the members' scores.", &schema.Field{
			Key: "weights", Type: schema.MapOf(schema.NonNegative), Default: "1 each", Example: map[string]any{"safety": 0.7, "style": 0.3},
			Doc: "Each member's share, by its name.",
		}),
		newAggregatorVariant("code_judge", "A program that is given the members' results.",
			&schema.Field{Key: "path", Type: schema.NonEmptyString, Required: true, OnInvalid: "skips the evaluator", Doc: "The program."},
			&schema.Field{Key: "cwd", Type: schema.NonEmptyString, Doc: "The folder to run it in."}),
		newAggregatorVariant("llm_judge", "A model that is shown the members' results.",
			&schema.Field{Key: "prompt", Type: schema.String, Doc: "Its prompt; `{{ EVALUATOR_RESULTS_JSON }}` is filled in."},
			&schema.Field{Key: "model", Type: schema.String, Doc: "For readers: the judge is the target's `judge_target`."}),
	},
}

func newAggregatorVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{
		Name: "aggregator-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append([]*schema.Field{aggregatorTypeField}, fields...),
	}
}
