package score

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Verdict is the judgement of a grader or a case.
type Verdict string

const (
	Pass       Verdict = "pass"
	Borderline Verdict = "borderline"
	Fail       Verdict = "fail"
	// Ungraded means that something could not be judged and that no gate failed. Such a case has no
	// score and counts in no mean.
	Ungraded Verdict = "ungraded"
)

// Grade is the judged outcome of one criterion. Exactly one of Satisfied, Score and Ungraded is
// set.
type Grade struct {
	ID        string   `json:"id"`
	Satisfied *bool    `json:"satisfied,omitempty"`
	Score     *float64 `json:"score,omitempty"` // 0–10
	Weight    float64  `json:"weight"`
	Required  bool     `json:"required"`
	Reasoning string   `json:"reasoning"`
	Ungraded  string   `json:"ungraded,omitempty"` // why there is no grade
	// Agreement is the share of samples, 0–1, with exactly this grade; nil for a single sample.
	Agreement *float64 `json:"agreement,omitempty"`
	// FlipRate is the share of pairs of samples, 0–1, that disagree. It estimates the chance that
	// another sample changes the grade. Scores in one band agree.
	FlipRate *float64  `json:"flip_rate,omitempty"`
	Opinions []Opinion `json:"opinions,omitempty"` // of all samples, in the order asked
}

// Gate is a required criterion or a minimum, and whether it was met.
type Gate struct {
	Grader  string   `json:"grader,omitempty"` // the grader it belongs to, in a case's list
	ID      string   `json:"id"`
	Minimum *float64 `json:"minimum,omitempty"` // 0–10, of a whole grader 0–1; nil for a checklist criterion
	Whole   bool     `json:"whole,omitempty"`   // a gate of the grader, not of one of its criteria
	Met     bool     `json:"met"`
	// Ungraded means that the gate could not be judged; Met is then false.
	Ungraded bool   `json:"ungraded,omitempty"`
	Reason   string `json:"reason,omitempty"` // why it is not met
}

// Failed reports whether the gate was judged and is not met.
func (g Gate) Failed() bool { return !g.Met && !g.Ungraded }

// Result is one grader's result.
type Result struct {
	Score     *float64 `json:"score"` // 0–1; nil if the verdict is Ungraded
	Verdict   Verdict  `json:"verdict"`
	Gates     []Gate   `json:"gates"`
	Hits      []string `json:"hits"`
	Misses    []string `json:"misses"`
	Grades    []Grade  `json:"grades,omitempty"`
	Reasoning string   `json:"reasoning,omitempty"`
	Details   any      `json:"details,omitempty"`
	// Ungraded says what could not be judged, and why. Verdict is then Ungraded, or Fail if a gate
	// failed. The score of a fail then covers only the judged part and is a lower bound.
	Ungraded string `json:"ungraded,omitempty"`

	// exactScore is Score before it was rounded to a double. If it is nil, the shortest decimal of
	// Score is exact. Thirds of a rubric can add up to a case's 0.8. Without a Score it is what
	// the result counts as in a case that fails by another gate.
	exactScore *big.Rat
}

// Details are the extra data of a rubric with score ranges. The keys are in alphabetical order, so
// that decoding into a map and encoding again gives the same line.
type Details struct {
	Aggregation   string             `json:"aggregation"`
	Normalization string             `json:"normalization"`
	RawScores     map[string]float64 `json:"raw_scores"` // 0–10, by criterion
}

// UngradedResult is the result of a grader that could not judge at all.
func UngradedResult(reason string) Result {
	return Result{Verdict: Ungraded, Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Ungraded: reason}
}

// PlainResult is the result of a grader without criteria: a score, clamped to 0–1, and the verdict
// on it.
func PlainResult(value float64, hits, misses []string, reasoning string) Result {
	value = Clamp(value)
	return Result{
		Score: &value, Verdict: VerdictOf(value), Gates: []Gate{},
		Hits: append([]string{}, hits...), Misses: append([]string{}, misses...), Reasoning: reasoning,
	}
}

// Opinion is one sample's grade of a criterion. Exactly one of Satisfied, Score and Ungraded is
// set.
type Opinion struct {
	Judge     string   `json:"judge,omitempty"` // of a panel; "" for a single judge
	Sample    int      `json:"sample"`          // from 0
	Satisfied *bool    `json:"satisfied,omitempty"`
	Score     *float64 `json:"score,omitempty"` // 0–10
	Reasoning string   `json:"reasoning,omitempty"`
	Ungraded  string   `json:"ungraded,omitempty"`
}

// Value returns the grade as a number from 0 to 1. It is 0 without a grade.
func (g Grade) Value() float64 {
	switch {
	case g.Score != nil:
		return *g.Score / 10
	case g.Satisfied != nil && *g.Satisfied:
		return 1
	}
	return 0
}

// IsContested reports whether samples disagree with this grade.
func (g Grade) IsContested() bool { return g.Agreement != nil && *g.Agreement < 1 }

// VoteSummary summarizes how the samples voted, and who voted how in a panel; "" for a single
// sample.
func (g Grade) VoteSummary() string {
	if g.Agreement == nil {
		return ""
	}
	n := len(g.Opinions)
	summary := FormatPercent(*g.Agreement) + " of samples agree"
	if n > 0 {
		summary = fmt.Sprintf("%.0f of %d agree", math.Round(*g.Agreement*float64(n)), n)
	}
	if !g.IsContested() {
		return summary
	}
	var each []string
	for _, o := range g.Opinions {
		if o.Judge != "" {
			each = append(each, o.Judge+" "+o.summary())
		} else if o.Ungraded != "" {
			each = append(each, "one gave no grade")
		}
	}
	if len(each) > 0 {
		summary += ": " + strings.Join(each, ", ")
	}
	return summary
}

// summary is the opinion in a word.
func (o Opinion) summary() string {
	switch {
	case o.Ungraded != "":
		return "nothing"
	case o.Score != nil:
		return FormatNumber(*o.Score)
	case o.Satisfied != nil && *o.Satisfied:
		return "yes"
	}
	return "no"
}
