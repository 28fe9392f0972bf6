package score

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Terms are conditions that a suite sets for a grader as a whole.
type Terms struct {
	Negate   bool     `json:"negate,omitempty"`    // the opposite of the result counts
	Required bool     `json:"required,omitempty"`  // the grader is a gate of its case
	MinScore *float64 `json:"min_score,omitempty"` // score, 0–1, from which the grader passes; nil means Threshold
	// Threshold is the score, 0–1, from which its case passes; nil means [PassAt].
	Threshold *float64 `json:"threshold,omitempty"`
	// ByVerdict means that the grader itself decides whether it passes, whatever its score.
	ByVerdict bool `json:"by_verdict,omitempty"`
}

// Apply applies the terms to the result of the grader called name. An ungraded result stays
// ungraded, but [AgentV4] and [AgentVHead] invert its score of 0 too.
//
// Under [Spec] a minimum replaces [PassAt] in the verdict of its grader, unless a gate of one of
// its criteria fails it. A negated result has the verdict of its own score and no gates: a required
// criterion that must not hold is meaningless. In the reference's versions a minimum affects the
// gate alone, and negation swaps pass and fail whatever the score.
func (t Terms) Apply(profile Profile, name string, r Result) Result {
	if t.ByVerdict {
		return t.applyVerdict(profile, name, r)
	}
	if profile == AgentV {
		t.Threshold = nil
	}
	if t.Negate && (r.Ungraded == "" || profile.IsV4OrLater()) {
		r = negate(profile, r)
	}
	if !profile.IsReference() {
		r = t.applyThreshold(r)
	}
	if profile.IsV4OrLater() && r.Verdict == Borderline {
		r.Verdict = Fail
	}
	least := thresholdOrDefault(cmp.Or(t.MinScore, t.Threshold))
	reached := r.reaches(profile, least)
	if t.MinScore != nil && !profile.IsReference() && r.Ungraded == "" && allMet(r.Gates) {
		if r.Verdict = Fail; reached {
			r.Verdict = Pass
		}
	}
	if !t.Required {
		return r
	}
	gate := Gate{ID: name, Whole: true, Minimum: &least, Met: reached && r.Ungraded == "", Ungraded: r.Ungraded != ""}
	switch {
	case r.Ungraded != "":
		gate.Reason = "ungraded: " + r.Ungraded
	case !reached:
		gate.Reason = fmt.Sprintf("its score %s is below the required %s", formatBelow(r.value(), least), FormatNumber(least))
	}
	r.Gates = append(r.Gates[:len(r.Gates):len(r.Gates)], gate)
	if gate.Failed() && !profile.IsReference() {
		r.Verdict = Fail
	}
	return r
}

// applyVerdict adds the gate of a grader that decides itself. It has no minimum.
func (t Terms) applyVerdict(profile Profile, name string, r Result) Result {
	if !t.Required {
		return r
	}
	gate := Gate{ID: name, Whole: true, Met: r.Ungraded == "" && r.Verdict == Pass, Ungraded: r.Ungraded != "", Reason: r.failure()}
	switch {
	case gate.Ungraded:
		gate.Reason = "ungraded: " + r.Ungraded
	case gate.Met:
		gate.Reason = ""
	case gate.Reason == "" && profile != Promptfoo: // which forgets such a failure
		gate.Reason = "it does not pass"
	}
	r.Gates = append(r.Gates[:len(r.Gates):len(r.Gates)], gate)
	return r
}

// failure returns why a result fails, or "".
func (r Result) failure() string { return cmp.Or(r.Reasoning, strings.Join(r.Misses, "; ")) }

// applyThreshold sets the verdict of a rubric whose case has another threshold, unless a gate fails
// it.
func (t Terms) applyThreshold(r Result) Result {
	graded := slices.ContainsFunc(r.Grades, func(g Grade) bool { return g.Ungraded == "" })
	if t.Threshold != nil && graded && r.Ungraded == "" && allMet(r.Gates) {
		r.Verdict = exactVerdict(r.exactValue(), t.Threshold)
	}
	return r
}

func negate(profile Profile, r Result) Result {
	opposite := PlainResult(1-r.value(), r.Misses, r.Hits, r.Reasoning)
	opposite.Details, opposite.Grades = r.Details, r.Grades
	if !profile.IsReference() {
		opposite.exactScore = new(big.Rat).Sub(big.NewRat(1, 1), r.exactValue())
		opposite.setScore(nearest(opposite.exactScore), exactVerdict(opposite.exactScore, nil))
		return opposite
	}
	switch opposite.Ungraded = r.Ungraded; {
	case r.Ungraded != "":
		opposite.exactScore = opposite.exactValue()
		opposite.setScore(*opposite.Score, r.Verdict)
	case r.Verdict == Pass:
		opposite.Verdict = Fail
	default:
		opposite.Verdict = Pass
	}
	return opposite
}

// reaches reports whether the score is at least least: by the rules as decimals, else as doubles.
func (r Result) reaches(profile Profile, least float64) bool {
	if wanted, ok := decimal(new(big.Rat), least); ok && !profile.IsReference() {
		return r.exactValue().Cmp(wanted) >= 0
	}
	return r.value() >= least
}

// isGraderGate reports whether the gate is that of the grader it is listed under.
func (g Gate) isGraderGate() bool { return g.Whole && g.ID == g.Grader }

// FailureMessage names the gate and says why it is not met.
func (g Gate) FailureMessage() string {
	if g.isGraderGate() {
		return fmt.Sprintf("`%s`: %s", g.ID, g.Reason)
	}
	return fmt.Sprintf("`%s` of `%s`: %s", g.ID, g.Grader, g.Reason)
}
