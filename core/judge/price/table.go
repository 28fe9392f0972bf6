// Package price knows what models charge, and limits spending.
//
// A [Table] has rates by provider and model. The built-in table is dated; callers can supply
// another. A model in no table has an unknown price, which is never treated as free. A [Budget]
// adds up the cost of answers and refuses questions that might exceed its limit.
package price

import (
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
)

// Table holds rates by PROVIDER:MODEL. The model `*` stands for all others of its provider.
type Table map[string]Rate

// releaseSuffix matches the end of a model's name that only names its release: -latest, -20260105
// or -2026-01-05.
var releaseSuffix = pattern.New(`-(latest|\d{8}|\d{4}-\d{2}-\d{2})$`)

// Lookup returns the rate of a model: under its name, under its name without a date, or for all
// models of its provider.
func (t Table) Lookup(provider, model string) (rate Rate, known bool) {
	for _, name := range []string{model, releaseSuffix().ReplaceAllString(model, ""), "*"} {
		if rate, known = t[provider+":"+name]; known {
			return rate, true
		}
	}
	return rate, false
}

// Rate is the price of a model, in US dollars per million tokens.
type Rate struct {
	Input  float64 // read
	Output float64 // written
}

const million = 1e6

// Cost returns the cost of tokens in US dollars.
func (r Rate) Cost(input, output int) float64 {
	return (float64(input)*r.Input + float64(output)*r.Output) / million
}

// A token has between minBytesPerToken and maxBytesPerToken bytes of prompt. A judge writes about
// so many tokens on each item, and as many again on the whole.
const (
	maxBytesPerToken, minBytesPerToken = 5.0, 2.5
	minTokensPerItem, maxTokensPerItem = 15, 120
)

// Estimate is a range of tokens for a question and its answer.
type Estimate struct {
	Input, Output [2]int //
}

// EstimateTokens estimates the tokens of a question and its answer.
func EstimateTokens(q judge.Question) Estimate {
	size, items := float64(len(q.System)+len(q.User)+len(q.Schema)), len(q.Brief.Items)+1
	return Estimate{
		Input:  [2]int{int(size / maxBytesPerToken), int(size / minBytesPerToken)},
		Output: [2]int{minTokensPerItem * items, maxTokensPerItem * items},
	}
}

// CostRange returns the range of costs of an estimate, in US dollars.
func (r Rate) CostRange(e Estimate) (least, most float64) {
	return r.Cost(e.Input[0], e.Output[0]), r.Cost(e.Input[1], e.Output[1])
}

// BuiltInDate is the day on which the prices of [BuiltIn] were looked up.
const BuiltInDate = "2026-07-11"

// BuiltIn returns list prices at the providers' own addresses as of [BuiltInDate], for prompts of
// ordinary length and without cache discounts.
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

		"openai:omni-moderation-latest": {0, 0}, // free of charge
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
