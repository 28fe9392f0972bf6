package price

import (
	"github.com/rubric-ls/rubric/core/judge"
)

// Rate is what a model charges, in US dollars for a million tokens.
type Rate struct {
	Input  float64 // read
	Output float64 // written
}

const million = 1e6

// Cost is what tokens cost.
func (r Rate) Cost(input, output int) float64 {
	return (float64(input)*r.Input + float64(output)*r.Output) / million
}

// A token is about this many bytes of a prompt, at most and at least, and a judge
// writes about this many tokens on each thing it judges and once more on the whole.
const (
	maxBytesPerToken, minBytesPerToken = 5.0, 2.5
	minTokensPerItem, maxTokensPerItem = 15, 120
)

// Estimate is a range of tokens for a question and its answer, before it is asked.
type Estimate struct {
	Input, Output [2]int // the least and the most
}

// EstimateTokens estimates a question.
func EstimateTokens(q judge.Question) Estimate {
	size, items := float64(len(q.System)+len(q.User)+len(q.Schema)), len(q.Brief.Items)+1
	return Estimate{
		Input:  [2]int{int(size / maxBytesPerToken), int(size / minBytesPerToken)},
		Output: [2]int{minTokensPerItem * items, maxTokensPerItem * items},
	}
}

// CostRange is the range of what an estimate costs.
func (r Rate) CostRange(e Estimate) (least, most float64) {
	return r.Cost(e.Input[0], e.Output[0]), r.Cost(e.Input[1], e.Output[1])
}
