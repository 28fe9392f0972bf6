package agentv

import "github.com/rubric-ls/rubric/core/schema"

func trajectoryFields() []*schema.Field {
	return []*schema.Field{
		{
			Key: "mode", Required: true, OnInvalid: "skips the evaluator", Doc: "How calls are compared.",
			Type: schema.EnumOf(
				schema.Value{Text: "any_order", Doc: "each tool of `minimums` often enough"},
				schema.Value{Text: "in_order", Doc: "the calls of `expected` in their order, others in between"},
				schema.Value{Text: "exact", Doc: "the calls of `expected`, one by one"},
			),
		},
		{
			Key: "minimums", Type: schema.MapOf(schema.IntegerFrom(0)), Example: map[string]any{"search": 1},
			Doc: "How often each tool has to be called at least. Needed by `any_order`.",
		},
		{
			Key: "expected", Type: schema.ListOf(stepType), Doc: "The calls. Needed by `in_order` and `exact`.",
		},
	}
}

var stepType = &schema.Type{
	Name: "tool-step",
	Doc:  "One expected call.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "tool", Type: schema.NonEmptyString, Required: true, OnInvalid: "drops the step", Doc: "The tool's name."},
		{
			Key: "args", Type: schema.UnionOf(schema.EnumOf(schema.Value{Text: "any", Doc: "whatever they are"}), schema.Object), Default: "`any`",
			Doc: "Arguments that the call has to have, among others.",
		},
		{Key: "max_duration_ms", Type: schema.NonNegative, AddedIn: "2026-02-13", Doc: "The most milliseconds that the call may take."},
	},
	OtherValues: schema.AnyValue,
}

func fieldAccuracyFields() []*schema.Field {
	return []*schema.Field{
		{Key: "fields", Type: schema.NonEmptyListOf(fieldType), Required: true, OnInvalid: "skips the evaluator", Doc: "What is compared."},
		{
			Key: "aggregation", Default: "`weighted_average`", Doc: "How fields become a score.",
			Type: schema.EnumOf(
				schema.Value{Text: "weighted_average", Doc: "the share of the weights that match"},
				schema.Value{Text: "all_or_nothing", Doc: "1 if all match, else 0"},
			),
		},
	}
}

var fieldType = &schema.Type{
	Name: "field",
	Doc:  "One value of the answer to compare with the reference answer's.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "path", Type: schema.NonEmptyString, Required: true, OnInvalid: "skips the field", Example: "lines[0].amount", Doc: "Where the value is."},
		{
			Key: "match", Required: true, OnInvalid: "skips the field", Doc: "When two values are equal.",
			Type: schema.EnumOf(
				schema.Value{Text: "exact", Doc: "the same value and type"},
				schema.Value{Text: "numeric_tolerance", Doc: "numbers no more than `tolerance` apart"},
				schema.Value{Text: "date", Doc: "the same day, however written"},
			),
		},
		{Key: "required", Type: schema.Boolean, Default: "`true`", Doc: "Whether a missing value counts against the answer."},
		{Key: "weight", Type: schema.NonNegative, Default: "1", Doc: "Its share in the score."},
		{Key: "tolerance", Type: schema.NonNegative, Default: "0", Doc: "How far apart numbers may be."},
		{Key: "relative", Type: schema.Boolean, Default: "`false`", Doc: "Whether `tolerance` is a share of the expected number."},
		{Key: "formats", Type: schema.ListOf(schema.String), Example: []string{"YYYY-MM-DD"}, Doc: "How dates are written."},
	},
}

// limitField returns a field for a non-negative upper bound.
func limitField(key, unit string, example any, required bool) *schema.Field {
	f := &schema.Field{
		Key: key, Type: schema.NonNegative, Required: required, Example: example, OnInvalid: "ignores the limit",
		Doc: "The most that is allowed. " + unit,
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

func tokenFields() []*schema.Field {
	return []*schema.Field{
		withAlias(limitField("max_total", "Tokens in all.", 4000, false), "maxTotal"),
		withAlias(limitField("max_input", "Tokens read.", 3000, false), "maxInput"),
		withAlias(limitField("max_output", "Tokens written.", 1000, false), "maxOutput"),
	}
}

// executionLimitCount is the number of leading executionMetricFields that are limits; at least
// one of these is required.
const executionLimitCount = 6

func executionMetricFields() []*schema.Field {
	return []*schema.Field{
		limitField("max_tool_calls", "Calls.", 10, false),
		limitField("max_llm_calls", "Calls.", 5, false),
		limitField("max_tokens", "Tokens in all.", 4000, false),
		limitField("max_cost_usd", "US dollars.", 0.05, false),
		limitField("max_duration_ms", "Milliseconds.", 3000, false),
		{
			Key: "target_exploration_ratio", Type: schema.NonNegative, Example: 0.6,
			Doc: "The share of tool calls that should explore, 0 to 1.",
		},
		{
			Key: "exploration_tolerance", Type: schema.NonNegative, Default: "0.2",
			Doc: "How far from it the share may be.",
		},
	}
}
