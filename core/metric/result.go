package metric

import (
	"math/big"
	"slices"

	"github.com/rubric-ls/rubric/core/judge"
)

// Status is how a measurement compares with its threshold.
type Status string

const (
	Passed       Status = "PASSED"
	Failed       Status = "FAILED"
	NotEvaluated Status = "NOT_EVALUATED"
)

// StatusOf compares a score with a threshold, which itself passes. There is no
// threshold so low that no score passes it.
func StatusOf(score *float64, threshold float64) Status {
	switch {
	case score == nil:
		return NotEvaluated
	case *score >= threshold:
		return Passed
	}
	return Failed
}

// CaseStatus is that of a case with metrics of these: one that failed fails it,
// one that was not evaluated has no say.
func CaseStatus(metrics []Status) Status {
	status := NotEvaluated
	for _, s := range metrics {
		switch {
		case s == Failed:
			return Failed
		case s == Passed:
			status = Passed
		}
	}
	return status
}

// Result is what a metric says of a conversation.
type Result struct {
	Metric    string   `json:"metric_name"`
	Threshold float64  `json:"threshold"`
	Score     *float64 `json:"score"` // 0–1; nil if there is none
	Status    Status   `json:"eval_status"`
	Reason    string   `json:"reason,omitempty"` // why it was not evaluated

	Rubrics []RubricScore `json:"rubric_scores,omitempty"` // each over all turns
	// TurnMean is the mean of the turns' scores, which ADK's documentation takes
	// for Score; Score is the mean over all rubrics of all turns.
	TurnMean *float64 `json:"mean_of_invocations,omitempty"`

	Invocations []InvocationResult `json:"invocations"`
	Notice      string             `json:"notice,omitempty"`  // who judged, if it was no model
	Replies     []Reply            `json:"replies,omitempty"` // that were paid for, of turns which no result is made of
	Err         error              `json:"-"`                 // why a judge gave no answer, the first time
}

// InvocationResult is what a metric says of one turn.
type InvocationResult struct {
	Score    *float64      `json:"score"`
	Status   Status        `json:"eval_status"`
	Reason   string        `json:"reason,omitempty"` // why it was not evaluated, or what lowered its score
	Rubrics  []RubricScore `json:"rubric_scores,omitempty"`
	Steps    []Step        `json:"steps,omitempty"` // texts looked through for hallucinations
	Replies  []Reply       `json:"replies,omitempty"`
	Problems []string      `json:"problems,omitempty"` // what the score does not show
	Err      error         `json:"-"`                  // why a judge gave no answer
}

// RubricScore is how a property was judged: 1 for yes, 0 for no, nil for
// neither.
type RubricScore struct {
	ID        string   `json:"rubric_id"`
	Score     *float64 `json:"score"`
	Rationale string   `json:"rationale,omitempty"`
}

// Reply is one answer of a judge.
type Reply struct {
	Question judge.Question `json:"-"`
	Text     string         `json:"text"`
	Model    string         `json:"model,omitempty"`
	Usage    judge.Usage    `json:"usage,omitzero"`
	Cached   bool           `json:"kept,omitempty"`     // it was there before, and nothing was paid for it
	Problems []string       `json:"problems,omitempty"` // what of it could not be used
}

// WithoutCached is the result without which replies had been there before.
func (r Result) WithoutCached() *Result {
	r.Replies, r.Invocations = withoutCached(r.Replies), slices.Clone(r.Invocations)
	for i := range r.Invocations {
		r.Invocations[i].Replies = withoutCached(r.Invocations[i].Replies)
	}
	return &r
}

func withoutCached(replies []Reply) []Reply {
	replies = slices.Clone(replies)
	for i := range replies {
		replies[i].Cached = false
	}
	return replies
}

// Mean is the exact mean of the scores that there are, rounded once; nil if
// there are none. Three times 0.7 is 0.7, which adding doubles misses.
func Mean(scores []*float64) *float64 {
	sum, n := new(big.Rat), int64(0)
	for _, s := range scores {
		if s == nil {
			continue
		}
		value := new(big.Rat).SetFloat64(*s)
		if value == nil {
			return s // not a finite number: nor is the mean
		}
		sum.Add(sum, value)
		n++
	}
	if n == 0 {
		return nil
	}
	mean, _ := sum.Quo(sum, big.NewRat(n, 1)).Float64()
	return &mean
}

// MeanEvaluated is the mean of the turns that have a score and a status other
// than [NotEvaluated], added up as doubles; nil if there are none.
func MeanEvaluated(turns []InvocationResult) *float64 {
	sum, n := 0.0, 0
	for _, t := range turns {
		if t.Score != nil && t.Status != NotEvaluated {
			sum += *t.Score
			n++
		}
	}
	if n == 0 {
		return nil
	}
	mean := sum / float64(n)
	return &mean
}

func number(value float64) *float64 { return &value }
