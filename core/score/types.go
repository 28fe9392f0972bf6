package score

// Profile chooses whose arithmetic is used.
type Profile string

const (
	Spec   Profile = "spec"
	AgentV Profile = "agentv"
)

// Verdict is the judgement of a grader or a case.
type Verdict string

const (
	Pass       Verdict = "pass"
	Borderline Verdict = "borderline"
	Fail       Verdict = "fail"
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
}

// Gate is a required criterion or a minimum, and whether it held.
type Gate struct {
	ID      string   `json:"id"`
	Minimum *float64 `json:"minimum,omitempty"` // 0–10; nil for a checklist criterion
	Met     bool     `json:"met"`
	Reason  string   `json:"reason,omitempty"`
}

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
	// Ungraded says why there is no score; Score is then 0 and Verdict fail,
	// and neither counts as a judgement.
	Ungraded string `json:"ungraded,omitempty"`
}
