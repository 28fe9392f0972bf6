package score

// Verdict is the judgement of a grader or a case.
type Verdict string

const (
	Pass       Verdict = "pass"
	Borderline Verdict = "borderline"
	Fail       Verdict = "fail"
	// Ungraded means that something could not be judged and that no gate failed.
	// It is no judgement: such a case has no score and counts in no mean.
	Ungraded Verdict = "ungraded"
)

// Grade is the judged outcome of one criterion. Exactly one of Satisfied, Score
// and Ungraded is set.
type Grade struct {
	ID        string   `json:"id"`
	Satisfied *bool    `json:"satisfied,omitempty"`
	Score     *float64 `json:"score,omitempty"` // 0–10
	Weight    float64  `json:"weight"`
	Required  bool     `json:"required"`
	Reasoning string   `json:"reasoning"`
	Ungraded  string   `json:"ungraded,omitempty"` // why there is no grade
	// Agreement is the share of samples, 0–1, that gave this very grade; nil
	// when the judge was asked once.
	Agreement *float64 `json:"agreement,omitempty"`
	// FlipRate is the share of the pairs of samples, 0–1, that say otherwise: the
	// chance that asking once more turns the grade. Scores of one band say the same.
	FlipRate *float64  `json:"flip_rate,omitempty"`
	Opinions []Opinion `json:"opinions,omitempty"` // of all samples, in the order asked
}

// Gate is a required criterion or a minimum, and whether it held.
type Gate struct {
	Grader  string   `json:"grader,omitempty"` // whose gate it is, in a case's list
	ID      string   `json:"id"`
	Minimum *float64 `json:"minimum,omitempty"` // 0–10, of a whole grader 0–1; nil for a checklist criterion
	Whole   bool     `json:"whole,omitempty"`   // the grader's own gate, not one of its criteria's
	Met     bool     `json:"met"`
	// Ungraded means that the gate could not be judged; Met is then false.
	Ungraded bool   `json:"ungraded,omitempty"`
	Reason   string `json:"reason,omitempty"` // why it is not met
}

// Failed reports whether the gate was judged and is not met.
func (g Gate) Failed() bool { return !g.Met && !g.Ungraded }

// Result is one grader's outcome.
type Result struct {
	Score     float64  `json:"score"` // 0–1
	Verdict   Verdict  `json:"verdict"`
	Gates     []Gate   `json:"gates"`
	Hits      []string `json:"hits"`
	Misses    []string `json:"misses"`
	Grades    []Grade  `json:"grades,omitempty"`
	Reasoning string   `json:"reasoning,omitempty"`
	Details   any      `json:"details,omitempty"`
	// Ungraded says what could not be judged, and why. Verdict is then Ungraded,
	// or Fail if a gate failed. Score is what the judged part is worth on its own,
	// a lower bound: 0 when nothing was judged.
	Ungraded string `json:"ungraded,omitempty"`

	// exactScore is Score before it was rounded to a double; none means that Score's
	// shortest decimal is exact. Thirds of a rubric can add up to a case's 0.8.
	exactScore rational
}

// Details is what a rubric with score ranges tells besides its score. Its keys
// stand in alphabetical order: read back as a map and written again they are the
// same line.
type Details struct {
	Aggregation   string             `json:"aggregation"`
	Normalization string             `json:"normalization"`
	RawScores     map[string]float64 `json:"raw_scores"` // 0–10, by criterion
}

// Value is the score, or nil if the verdict is [Ungraded].
func (r Result) Value() *float64 {
	if r.Verdict == Ungraded {
		return nil
	}
	return &r.Score
}

// UngradedResult is the result of a grader that could not judge at all.
func UngradedResult(reason string) Result {
	return Result{Verdict: Ungraded, Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Ungraded: reason}
}

// PlainResult is the result of a grader without criteria: a score, moved into 0–1,
// and the verdict that follows from it.
func PlainResult(value float64, hits, misses []string, reasoning string) Result {
	value = Clamp(value)
	return Result{
		Score: value, Verdict: VerdictOf(value), Gates: []Gate{},
		Hits: append([]string{}, hits...), Misses: append([]string{}, misses...), Reasoning: reasoning,
	}
}
