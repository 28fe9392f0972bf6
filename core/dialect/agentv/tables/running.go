package tables

import "github.com/rubric-ls/rubric/core/schema"

var thresholdField = &schema.Field{
	Key: "threshold", Type: shareType, Default: "0.8", Example: 0.7, OnInvalid: lostFile,
	Doc: "The score, 0 to 1, from which it passes. A test's counts before the suite's.",
}

var repeatType = &schema.Type{
	Name:         "repeat",
	Doc:          "How often a test is run, and what its samples amount to.",
	Kind:         schema.Map,
	OnUnknownKey: lostInValidate,
	Fields: []*schema.Field{
		{Key: "count", Type: schema.IntegerFrom(1), Required: true, OnInvalid: lostFile, Doc: "How often."},
		{
			Key: "strategy", Doc: "What the samples amount to.", OnInvalid: lostFile,
			Type: schema.EnumOf(
				schema.Value{Text: "pass_any", Doc: "one that passes is enough"}, schema.Value{Text: "pass_all", Doc: "all have to pass"},
				schema.Value{Text: "mean", Doc: "their mean score counts"},
				schema.Value{Text: "confidence_interval", Doc: "their mean, with its confidence interval of 95 %"},
			),
		},
		{Key: "early_exit", Type: schema.Boolean, OnInvalid: lostFile, Doc: "Whether to stop once the outcome is certain."},
		{Key: "cost_limit_usd", Type: schema.NonNegative, OnInvalid: lostFile, Doc: "The most US dollars for all samples."},
	},
}

var repeatField = &schema.Field{
	Key: "repeat", Type: schema.UnionOf(schema.IntegerFrom(1), repeatType), Example: 3, OnInvalid: lostFile,
	Doc: "How often each test is run: a number, or in full.",
}

var budgetField = &schema.Field{Key: "budget_usd", Type: schema.PositiveNumber, OnInvalid: lostFile, Doc: "The most US dollars to spend."}

// evaluateOptionsType is how Head runs a suite.
var evaluateOptionsType = &schema.Type{
	Name: "evaluate-options",
	Doc:  "How the suite is run.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		budgetField,
		{Key: "max_concurrency", Type: schema.IntegerBetween(1, 50), OnInvalid: lostFile, Doc: "Tests at a time."},
		{Key: "cache", Type: anyValue, Doc: "Whether answers are kept for the next run."},
		{Key: "delay", Type: schema.NonNegative, OnInvalid: lostFile, Doc: "Milliseconds to wait between requests."},
		{Key: "generate_suggestions", Type: anyValue, Doc: "Whether to propose better prompts."},
		repeatField,
		{Key: "timeout_ms", Type: schema.PositiveNumber, OnInvalid: lostFile, Doc: "The most milliseconds for one test."},
		{Key: "max_eval_time_ms", Type: schema.PositiveNumber, OnInvalid: lostFile, Doc: "The most milliseconds for the whole run."},
		{
			Key: "filter_range", OnInvalid: lostFile, Example: "0:10", Doc: "Which tests are run, by their places: a text, or two numbers.",
			Type: schema.UnionOf(schema.String, &schema.Type{Kind: schema.List, Items: schema.AnyNumber, MinLength: 2, MaxLength: 2}),
		},
	},
}

// runType is how Head runs one test.
var runType = &schema.Type{
	Name:         "run",
	Doc:          "How one test is run.",
	Kind:         schema.Map,
	OnUnknownKey: lostInValidate,
	Fields: []*schema.Field{
		thresholdField,
		{Key: "repeat", Type: repeatType, OnInvalid: lostFile, Doc: "How often the test is run."},
		{Key: "timeout_seconds", Type: schema.PositiveNumber, OnInvalid: lostFile, Doc: "The most seconds for an answer."},
		budgetField,
	},
}

// optionsType is what Head hands on to what asks and what grades.
var optionsType = &schema.Type{
	Name: "options",
	Doc:  "What is handed on to what asks and what grades.",
	Kind: schema.Map,
	Fields: append([]*schema.Field{
		repeatField,
		{Key: "provider", Type: anyValue, Doc: "The model that grades."},
		{Key: "rubric_prompt", Type: anyValue, Doc: "In `default_test`: the judge's prompt for rubrics that have none of their own."},
	}, newRemovedFields("Changed answers before they were graded.", lostFile, "postprocess")...),
	OtherValues: anyValue,
}

// newStableExecutionType is how Stable runs a suite or a test.
func newStableExecutionType(name, doc string, assertions *schema.Type) *schema.Type {
	return &schema.Type{
		Name: name, Doc: doc, Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "target", Type: anyValue, Doc: "The target's name, as in `targets.yaml`."},
			{Key: "assertions", Type: assertions, Doc: "Ways of grading. A list outside of `execution` counts before this one."},
			{Key: "evaluators", Type: assertions, DeprecatedNames: []string{"evaluators"}, Doc: olderVersionDoc},
			{Key: "skip_defaults", Type: schema.Boolean, Default: "`false`", Doc: "Whether the suite's assertions are left out."},
			lenientThresholdField,
		},
		OtherValues: anyValue,
	}
}

// lenientThresholdField is a threshold that is passed over where it is none.
var lenientThresholdField = func() *schema.Field {
	f := *thresholdField
	f.OnInvalid = lostValue
	return &f
}()
