package score

import "fmt"

// Terms are what a suite asks of a grader as a whole, besides its own settings.
type Terms struct {
	Negate   bool     `json:"negate,omitempty"`    // the opposite of what is found is wanted
	Required bool     `json:"required,omitempty"`  // it is a gate of its case
	MinScore *float64 `json:"min_score,omitempty"` // the score, 0–1, from which it passes; nil: Threshold
	// Threshold is the score, 0–1, from which its case passes; nil: [PassAt].
	Threshold *float64 `json:"threshold,omitempty"`
}

// Apply holds the result of the grader called name to terms. What is ungraded stays so.
//
// Under [Spec] a minimum takes the place of [PassAt] in the verdict of its
// grader, unless a gate of one of its criteria fails it, and a negated result
// has the verdict of its own score and no gates: that a criterion which must not
// hold is required means nothing. In the reference's versions a minimum is for
// the gate alone, and negation swaps pass and fail whatever the score.
func (t Terms) Apply(profile Profile, name string, r Result) Result {
	if profile == AgentV {
		t.Threshold = nil
	}
	if profile.Reference() {
		r = t.held(profile, r)
	}
	if t.Negate && r.Ungraded == "" {
		r = negated(profile, r)
	}
	if !profile.Reference() {
		r = t.held(profile, r)
	}
	if profile.Newer() && r.Verdict == Borderline {
		r.Verdict = Fail
	}
	least := leastOf(t.Threshold)
	if t.MinScore != nil {
		least = *t.MinScore
	}
	reached := r.reaches(profile, least)
	if t.MinScore != nil && !profile.Reference() && r.Ungraded == "" && met(r.Gates) {
		if r.Verdict = Fail; reached {
			r.Verdict = Pass
		}
	}
	if !t.Required {
		return r
	}
	gate := Gate{ID: name, Whole: true, Minimum: &least, Met: reached && r.Ungraded == ""}
	switch {
	case r.Ungraded != "":
		gate.Reason = "ungraded: " + r.Ungraded
	case !reached:
		gate.Reason = fmt.Sprintf("its score %s is below the required %s", below(r.Score, least), number(least))
	}
	r.Gates = append(r.Gates[:len(r.Gates):len(r.Gates)], gate)
	if !gate.Met && !profile.Reference() {
		r.Verdict = Fail
	}
	return r
}

// held is the result of a rubric whose case passes from another score on: so does
// the rubric, unless a gate fails it.
func (t Terms) held(profile Profile, r Result) Result {
	switch {
	case t.Threshold == nil || len(r.Grades) == 0 || r.Ungraded != "" || !met(r.Gates):
	case profile.Reference():
		r.Verdict = profile.verdictFrom(r.Score, t.Threshold)
	default:
		r.Verdict = exactVerdict(r.worth(), t.Threshold)
	}
	return r
}

// negated turns a result into its opposite.
func negated(profile Profile, r Result) Result {
	opposite := Plain(1-r.Score, r.Misses, r.Hits, r.Reasoning)
	opposite.Details, opposite.Grades = r.Details, r.Grades
	if !profile.Reference() {
		opposite.exact = whole(1).minus(r.worth())
		opposite.Score, opposite.Verdict = opposite.exact.double(), verdictOf(opposite.exact)
		return opposite
	}
	if opposite.Verdict = Pass; r.Verdict == Pass {
		opposite.Verdict = Fail
	}
	return opposite
}

// reaches reports whether the score is at least the minimum: by the rules as
// the decimals they are, else as doubles.
func (r Result) reaches(profile Profile, least float64) bool {
	if wanted, ok := decimal(least); ok && !profile.Reference() {
		return r.worth().compare(wanted) >= 0
	}
	return r.Score >= least
}

// own reports whether the gate is that of the very grader it is listed under.
func (g Gate) own() bool { return g.Whole && g.ID == g.Grader }

// Why says whose gate is not met, and why.
func (g Gate) Why() string {
	if g.own() {
		return fmt.Sprintf("`%s`: %s", g.ID, g.Reason)
	}
	return fmt.Sprintf("`%s` of `%s`: %s", g.ID, g.Grader, g.Reason)
}
