package price

// BuiltInDate is the day on which the prices of [Known] were looked up.
const BuiltInDate = "2026-07-11"

// BuiltIn are the list prices of models at their providers' own addresses, for
// prompts of ordinary length and without the discounts for what a provider has
// cached. They change: see [Date].
func BuiltIn() Table {
	table := Table{
		"anthropic:claude-haiku-4-5":  {1, 5},
		"anthropic:claude-opus-4-1":   {15, 75},
		"anthropic:claude-opus-4-5":   {5, 25},
		"anthropic:claude-opus-4-6":   {5, 25},
		"anthropic:claude-opus-4-7":   {5, 25},
		"anthropic:claude-opus-4-8":   {5, 25},
		"anthropic:claude-sonnet-4":   {3, 15},
		"anthropic:claude-sonnet-4-5": {3, 15},
		"anthropic:claude-sonnet-4-6": {3, 15},
		"gemini:gemini-2.5-flash":     {0.3, 2.5},

		"openai:omni-moderation-latest": {0, 0}, // which is free
	}
	for model, rate := range map[string]Rate{
		"gpt-4.1": {2, 8}, "gpt-4.1-mini": {0.4, 1.6}, "gpt-4.1-nano": {0.1, 0.4},
		"gpt-4o": {2.5, 10}, "gpt-4o-mini": {0.15, 0.6},
		"gpt-5-mini": {0.25, 2}, "gpt-5.2": {1.75, 14},
		"gpt-5.4": {2.5, 15}, "gpt-5.4-mini": {0.75, 4.5}, "gpt-5.4-nano": {0.2, 1.25}, "gpt-5.5": {5, 30},
		"o4-mini": {1.1, 4.4},
	} {
		table["openai:"+model], table["openai-responses:"+model] = rate, rate
	}
	return table
}
