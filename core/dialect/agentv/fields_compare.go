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
