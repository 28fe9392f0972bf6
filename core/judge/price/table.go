// Package price knows what models charge, and limits spending.
//
// A [Table] has rates by provider and model. The built-in table is dated; callers can supply
// another. A model in no table has an unknown price, which is never treated as free. A [Budget]
// adds up the cost of answers and refuses questions that might exceed its limit.
package price

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
)

// Table holds rates by PROVIDER:MODEL. The model `*` stands for all others of its provider.
type Table map[string]Rate

// releaseSuffix matches the end of a model's name that only names its release: -latest, -20260105
// or -2026-01-05.
var releaseSuffix = pattern.New(`-(latest|\d{8}|\d{4}-\d{2}-\d{2})$`)

// WithoutRelease returns a model's name without an ending that only names its release.
func WithoutRelease(model string) string { return releaseSuffix().ReplaceAllString(model, "") }

// Lookup returns the rate of a model: under its name, under its name without a date, or for all
// models of its provider.
func (t Table) Lookup(provider, model string) (rate Rate, known bool) {
	for _, name := range []string{model, WithoutRelease(model), "*"} {
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

// Source is the name of the public list from which `make prices` writes the built-in table.
const Source = "genai-prices"

//go:embed prices.csv
var builtInText string

// builtIn is the built-in table, and the day on which its list was current.
var builtIn = sync.OnceValue(func() (list struct {
	date  string
	rates Table
}) {
	rows := strings.Fields(builtInText)
	list.date, list.rates = rows[0], Table{"openai:omni-moderation-latest": {0, 0}} // free of charge
	for _, row := range rows[1:] {
		name, rates, _ := strings.Cut(row, ",")
		input, output, _ := strings.Cut(rates, ",")
		var rate Rate
		rate.Input, _ = strconv.ParseFloat(input, 64)
		rate.Output, _ = strconv.ParseFloat(output, 64)
		list.rates[name] = rate
		if model, ok := strings.CutPrefix(name, "openai:"); ok {
			list.rates["openai-responses:"+model] = rate
		}
	}
	return list
})

// BuiltInDate returns the day on which the prices of [BuiltIn] were current, as YYYY-MM-DD.
func BuiltInDate() string { return builtIn().date }

// BuiltIn returns list prices at the providers' own addresses as of [BuiltInDate], for prompts of
// ordinary length and without cache discounts. Callers must not change the table.
func BuiltIn() Table { return builtIn().rates }
