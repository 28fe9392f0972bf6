package agentv

import "github.com/rubric-ls/rubric/core/schema"

// limitField is an upper bound, not negative.
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

// executionLimitCount is how many of metricFields are limits, of which there has to be one.
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
