package seed

import "github.com/rubric-ls/rubric/core/schema"

var trajectoryFields = []*schema.Field{
	{
		Key: "mode", Required: true, OnInvalid: "skips the evaluator", Doc: "The rule that compares the calls.",
		Type: schema.EnumOf(
			schema.Value{Text: "any_order", Doc: "each tool of `minimums` is called often enough"},
			schema.Value{Text: "in_order", Doc: "the calls of `expected`, in order; others may come in between"},
			schema.Value{Text: "exact", Doc: "exactly the calls of `expected`, in order"},
		),
	},
	{Key: "minimums", Type: schema.MapOf(schema.IntegerFrom(0)), Example: map[string]any{"search": 1}, Doc: "The minimum number of calls of each tool. Required by `any_order`."},
	{
		Key: "expected", Type: schema.ListOf(stepType), Doc: "The expected calls. Required by `in_order` and `exact`.",
	},
}

var stepType = &schema.Type{
	Name: "tool-step", Doc: "One expected call.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "tool", Type: schema.NonEmptyString, Required: true, OnInvalid: "drops the step", Doc: "The tool's name."},
		{Key: "args", Type: schema.UnionOf(schema.EnumOf(schema.Value{Text: "any", Doc: "any arguments"}), schema.Object), Default: "`any`", Doc: "Arguments that the call must have; it may have others."},
		{Key: "max_duration_ms", Type: schema.NonNegative, AddedIn: "2026-02-13", Doc: "The maximum duration of the call in milliseconds."},
	},
	OtherValues: schema.AnyValue,
}

var fieldAccuracyFields = []*schema.Field{
	{Key: "fields", Type: schema.NonEmptyListOf(fieldType), Required: true, OnInvalid: "skips the evaluator", Doc: "The fields to compare."},
	{
		Key: "aggregation", Default: "`weighted_average`", Doc: "The rule that combines the fields into a score.",
		Type: schema.EnumOf(
			schema.Value{Text: "weighted_average", Doc: "the share of the weights that match"},
			schema.Value{Text: "all_or_nothing", Doc: "1 if all match, else 0"},
		),
	},
}

var fieldType = &schema.Type{
	Name: "field", Doc: "One value to compare between the answer and the reference answer.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "path", Type: schema.NonEmptyString, Required: true, OnInvalid: "skips the field", Example: "lines[0].amount", Doc: "The path of the value."},
		{
			Key: "match", Required: true, OnInvalid: "skips the field", Doc: "The rule for equal values.",
			Type: schema.EnumOf(
				schema.Value{Text: "exact", Doc: "the same value and type"},
				schema.Value{Text: "numeric_tolerance", Doc: "numbers that differ by at most `tolerance`"},
				schema.Value{Text: "date", Doc: "the same day in any format"},
			),
		},
		{Key: "required", Type: schema.Boolean, Default: "`true`", Doc: "Whether a missing value counts against the answer."},
		{Key: "weight", Type: schema.NonNegative, Default: "1", Doc: "Its share of the score."},
		{Key: "tolerance", Type: schema.NonNegative, Default: "0", Doc: "The allowed difference between numbers."},
		{Key: "relative", Type: schema.Boolean, Default: "`false`", Doc: "Whether `tolerance` is relative to the expected number."},
		{Key: "formats", Type: schema.ListOf(schema.String), Example: []string{"YYYY-MM-DD"}, Doc: "The formats of dates."},
	},
}

// limitField returns a field for a non-negative upper bound.
func limitField(key, unit string, example any, required bool) *schema.Field {
	f := &schema.Field{
		Key: key, Type: schema.NonNegative, Required: required, Example: example, OnInvalid: "ignores the limit",
		Doc: "The upper limit. " + unit,
	}
	if required {
		f.OnInvalid = "skips the evaluator"
	}
	return f
}

func withAlias(f *schema.Field, alias string) *schema.Field {
	f.Aliases = []string{alias}
	return f
}

var tokenFields = []*schema.Field{
	withAlias(limitField("max_total", "Tokens in total.", 4000, false), "maxTotal"),
	withAlias(limitField("max_input", "Input tokens.", 3000, false), "maxInput"),
	withAlias(limitField("max_output", "Output tokens.", 1000, false), "maxOutput"),
}

// executionLimitCount is the number of leading executionMetricFields that are limits; at least
// one of these is required.
const executionLimitCount = 6

func executionMetricFields() []*schema.Field {
	fields := []*schema.Field{
		limitField("max_tool_calls", "Calls.", 10, false),
		limitField("max_llm_calls", "Calls.", 5, false),
		limitField("max_tokens", "Tokens in total.", 4000, false),
		limitField("max_cost_usd", "US dollars.", 0.05, false),
		limitField("max_duration_ms", "Milliseconds.", 3000, false),
		{Key: "target_exploration_ratio", Type: schema.NonNegative, Example: 0.6, Doc: "The target share of exploring tool calls, 0 to 1."},
		{Key: "exploration_tolerance", Type: schema.NonNegative, Default: "0.2", Doc: "The allowed distance from that share."},
	}
	for _, f := range fields {
		f.OnInvalid = "skips the evaluator"
	}
	return fields
}
