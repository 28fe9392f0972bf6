package metric

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
)

// Status is how a measurement compares with its threshold.
type Status string

const (
	Passed       Status = "PASSED"
	Failed       Status = "FAILED"
	NotEvaluated Status = "NOT_EVALUATED"
)

// StatusOf compares a score with a threshold, at which it passes. No threshold is so low that a
// missing score passes.
func StatusOf(score *float64, threshold float64) Status {
	switch {
	case score == nil:
		return NotEvaluated
	case *score >= threshold:
		return Passed
	}
	return Failed
}

// CaseStatus returns the status of a case from those of its metrics: one failed metric fails it,
// and metrics without an evaluation do not count.
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

// Result is the result of a metric for a conversation.
type Result struct {
	Metric    string   `json:"metric_name"`
	Judge     string   `json:"-"` // its own judge, which the file names; otherwise ""
	Threshold float64  `json:"threshold"`
	Score     *float64 `json:"score"` // 0–1; nil if there is none
	Status    Status   `json:"eval_status"`
	Reason    string   `json:"reason,omitempty"` // why it was not evaluated

	Rubrics []RubricScore `json:"rubric_scores,omitempty"` // each over all turns
	// TurnMean is the mean of the turns' scores, as which ADK's documentation describes Score.
	// Score is the mean over all rubrics of all turns.
	TurnMean *float64 `json:"mean_of_invocations,omitempty"`

	Invocations []InvocationResult `json:"invocations"`
	Notice      string             `json:"notice,omitempty"`  // the judge, if it was not a model
	Replies     []judge.Reply      `json:"replies,omitempty"` // paid replies for turns without a result
	Err         error              `json:"-"`                 // why Score lacks a turn, a verdict or a run, the first time
}

// InvocationResult is the result of a metric for one turn.
type InvocationResult struct {
	Score    *float64      `json:"score"`
	Status   Status        `json:"eval_status"`
	Reason   string        `json:"reason,omitempty"` // why it was not evaluated, or what lowered its score
	Rubrics  []RubricScore `json:"rubric_scores,omitempty"`
	Steps    []Step        `json:"steps,omitempty"` // texts checked for hallucinations
	Replies  []judge.Reply `json:"replies,omitempty"`
	Problems []string      `json:"problems,omitempty"` // faults that the score does not show
	Err      error         `json:"-"`                  // why a judge gave no answer, or not all verdicts
}

// RubricScore is the verdict on a property: 1 for yes, 0 for no, nil for neither.
type RubricScore struct {
	ID        string   `json:"rubric_id"`
	Text      string   `json:"text,omitempty"` // the property of a rubric, in the result of a turn
	Score     *float64 `json:"score"`
	Rationale string   `json:"rationale,omitempty"`
}

// WithoutCached returns the result with no reply marked as cached.
func (r Result) WithoutCached() *Result {
	r.Replies, r.Invocations = judge.WithoutCached(r.Replies), slices.Clone(r.Invocations)
	for i := range r.Invocations {
		r.Invocations[i].Replies = judge.WithoutCached(r.Invocations[i].Replies)
	}
	return &r
}

// Mean returns the exact mean of the scores that are not nil, rounded once; nil if there are none.
// Three times 0.7 is 0.7, which a sum of doubles misses.
func Mean(scores []*float64) *float64 {
	sum, n := new(big.Rat), int64(0)
	for _, s := range scores {
		if s == nil {
			continue
		}
		value := new(big.Rat).SetFloat64(*s)
		if value == nil {
			return s // the mean is not finite either
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

// MeanEvaluated returns the mean of the turns with a score and a status other than [NotEvaluated],
// as a sum of doubles; nil if there are none.
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
	return new(sum / float64(n))
}

// Vote returns the verdict of several samples on each property, in the order of first appearance:
// yes by a majority, else no, with the first rationale for it. Samples without a verdict have no
// vote. Any score other than 1 is a no.
func Vote(samples [][]RubricScore) []RubricScore {
	order, byID := groupByID(samples)
	voted := make([]RubricScore, 0, len(order))
	for _, id := range order {
		var yes, no []RubricScore
		for _, s := range byID[id] {
			switch {
			case s.Score == nil:
			case *s.Score == 1:
				yes = append(yes, s)
			default:
				no = append(no, s)
			}
		}
		switch {
		case len(yes) > len(no):
			voted = append(voted, yes[0])
		case len(no) > 0:
			voted = append(voted, no[0])
		default:
			voted = append(voted, byID[id][0])
		}
	}
	return voted
}

// groupByID returns the scores of each property over all lists, and the ids in order of first
// appearance.
func groupByID(lists [][]RubricScore) (order []string, byID map[string][]RubricScore) {
	byID = map[string][]RubricScore{}
	for _, s := range slices.Concat(lists...) {
		if byID[s.ID] == nil {
			order = append(order, s.ID)
		}
		byID[s.ID] = append(byID[s.ID], s)
	}
	return order, byID
}

// MeanScore returns the mean of the properties that were judged yes or no.
func MeanScore(rubrics []RubricScore) *float64 {
	return Mean(generic.Map(rubrics, func(r RubricScore) *float64 { return r.Score }))
}

// Pool returns the score of several turns, the mean over all their properties, and the score of
// each property over the turns.
func Pool(turns [][]RubricScore) (score *float64, each []RubricScore) {
	order, byID := groupByID(turns)
	for _, id := range order {
		judged := slices.DeleteFunc(byID[id], func(s RubricScore) bool { return s.Score == nil })
		each = append(each, RubricScore{ID: id, Score: MeanScore(judged), Rationale: fmt.Sprintf("the mean over %d of the turns", len(judged))})
	}
	return MeanScore(slices.Concat(turns...)), each
}

func sumRubrics(r *Result) {
	r.Score, r.Rubrics = Pool(generic.Map(r.Invocations, func(t InvocationResult) []RubricScore { return t.Rubrics }))
	r.TurnMean = Mean(turnScores(r.Invocations))
}
