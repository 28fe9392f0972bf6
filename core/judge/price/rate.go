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

// Of is what tokens cost.
func (r Rate) Of(input, output int) float64 {
	return (float64(input)*r.Input + float64(output)*r.Output) / million
}

// A token is about this many bytes of a prompt, at most and at least, and a judge
// writes about this many tokens on each thing it judges and once more on the whole.
const (
	mostBytes, leastBytes     = 5.0, 2.5
	leastWritten, mostWritten = 15, 120
)

// Estimate is a range of tokens for a question and its answer, before it is asked.
type Estimate struct {
	Input, Output [2]int // the least and the most
}

// Expect estimates a question.
func Expect(q judge.Question) Estimate {
	size, parts := float64(len(q.System)+len(q.User)+len(q.Schema)), len(q.Brief.Items)+1
	return Estimate{
		Input:  [2]int{int(size / mostBytes), int(size / leastBytes)},
		Output: [2]int{leastWritten * parts, mostWritten * parts},
	}
}

// Cost is the range of what an estimate costs.
func (r Rate) Cost(e Estimate) (least, most float64) {
	return r.Of(e.Input[0], e.Output[0]), r.Of(e.Input[1], e.Output[1])
}
