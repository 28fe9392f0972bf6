package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// minHitScore is the lowest score, of 10, of a criterion that is listed as a hit.
const minHitScore = 7

// Rubric computes a score, gates and a verdict from the grades of criteria.
//
// Under [Spec] grades are looked up by id, so their order does not matter. Of criteria that share
// an id, the first takes the first grade. A criterion with bands that is `required: true` without a
// minimum needs 10, as in the reference implementation: "required" has no other meaning for a
// score. A minimum on a criterion without bands is no gate: it has no score to compare.
//
// Under [AgentV] grades count in the order given and as often as given. Any criterion with bands
// makes every criterion a 0–10 one (satisfied then counts as 10). A criterion without a grade drops
// out. [AgentV4] and [AgentVHead] do the same without a borderline; under the latter `required` is
// no gate on a criterion with bands.
func Rubric(profile Profile, criteria []*rubric.Criterion, grades []Grade) Result {
	t := &tally{profile: profile, details: &Details{RawScores: map[string]float64{}, Normalization: "score / 10", Aggregation: "weighted_average"}}
	t.result = Result{Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Grades: make([]Grade, 0, len(criteria))}
	if HasRanged(criteria) {
		t.result.Details = t.details
	}
	if profile.IsReference() {
		return t.reference(criteria, grades)
	}
	byID := map[string][]Grade{}
	for _, g := range grades {
		byID[g.ID] = append(byID[g.ID], g)
	}
	for _, c := range criteria {
		g := Grade{ID: c.ID, Ungraded: "the judge did not grade it"}
		if given := byID[c.ID]; len(given) > 0 {
			g, byID[c.ID] = given[0], given[1:]
		}
		t.add(c, normalizeGrade(c, g), c.HasBands())
	}
	return t.finish(len(criteria))
}

// A tally adds up the criteria of a rubric.
type tally struct {
	profile       Profile
	result        Result
	details       *Details
	shares        []Share // of 10 points
	ungraded      []Grade
	weightProblem string // a weight that is not a number; only under [Spec]
}

// add counts a criterion with its grade, which is a score or a check.
func (t *tally) add(c *rubric.Criterion, g Grade, scored bool) {
	g.Weight, g.Required = c.Weight, c.IsRequired()
	t.result.Grades = append(t.result.Grades, g)
	if !t.profile.IsReference() && (math.IsInf(c.Weight, 0) || math.IsNaN(c.Weight)) {
		t.weightProblem = fmt.Sprintf("the weight %s of `%s` cannot be added", FormatNumber(c.Weight), c.ID)
		return
	}
	hit, share := false, Share{Weight: c.Weight}
	switch {
	case g.Ungraded != "":
		t.ungraded = append(t.ungraded, g)
	case scored:
		t.details.RawScores[c.ID] = *g.Score
		hit, share.Value = *g.Score >= minHitScore, *g.Score
	case *g.Satisfied:
		hit, share.Value = true, rubric.HighestScore
	}
	t.shares = append(t.shares, share)
	if gate := criterionGate(t.profile, c, g, scored); gate != nil {
		t.result.Gates = append(t.result.Gates, *gate)
		hit = hit && gate.Met
	}
	if g.Ungraded != "" {
		return
	}
	line := findingLine(c, g, scored)
	if !scored && g.Reasoning == "" && t.profile == AgentV {
		line += ": "
	}
	if hit {
		t.result.Hits = append(t.result.Hits, line)
	} else {
		t.result.Misses = append(t.result.Misses, line)
	}
}

// finish returns the result by the rules as written, of n criteria.
func (t *tally) finish(n int) Result {
	r, verdict := t.result, Fail
	points, all, _ := weightedSum(t.shares)
	switch {
	case n == 0:
		r.Ungraded = "the rubric has no criteria"
	case t.weightProblem != "":
		r.Ungraded = t.weightProblem
	case all.Sign() <= 0:
		r.Ungraded = fmt.Sprintf("the weights of the criteria add up to %s, so there is no score", all.RatString())
	default:
		r.exactScore = clampedRatio(points, all.Mul(all, full))
		verdict = exactVerdict(r.exactScore, nil)
		if len(t.ungraded) > 0 {
			r.Ungraded = fmt.Sprintf("%d of %d criteria ungraded: %s", len(t.ungraded), n, ungradedSummary(t.ungraded))
		}
	}
	r.setScore(nearest(r.exactValue()), settled(verdict, r.Ungraded != "", r.Gates))
	return r
}

// reference repeats the reference implementation: doubles in the order of the reply, without
// rounding.
func (t *tally) reference(criteria []*rubric.Criterion, grades []Grade) Result {
	byID := map[string]*rubric.Criterion{} // the last criterion with an id
	for _, c := range criteria {
		byID[c.ID] = c
	}
	scored := HasRanged(criteria)
	for _, g := range grades {
		if c := byID[g.ID]; c != nil && g.Ungraded == "" { // see leftOut for others
			if g, ok := convertGrade(g, scored); ok {
				t.add(c, g, scored)
			}
		}
	}
	for i := range t.shares {
		t.shares[i].Value /= rubric.HighestScore
	}
	r := t.result
	value, _ := meanAgentV(t.shares)
	verdict := t.profile.verdict(value, nil)
	if !allMet(r.Gates) {
		verdict = Fail
	}
	r.setScore(value, verdict)
	r.Grades = append(r.Grades, leftOut(criteria, grades, r.Grades)...)
	return r
}

// HasRanged reports whether any criterion is graded 0 to 10.
func HasRanged(criteria []*rubric.Criterion) bool {
	return slices.ContainsFunc(criteria, (*rubric.Criterion).HasBands)
}

// Minimum returns the lowest score, of 10, that a criterion with bands must reach, or nil if it is
// no gate.
func Minimum(c *rubric.Criterion) *float64 {
	if c.MinScore == nil && c.IsRequired() {
		return new(float64(rubric.HighestScore))
	}
	return c.MinScore
}

// normalizeGrade leaves exactly one of the grade that its criterion asks for and the reason why it
// is ungraded.
func normalizeGrade(c *rubric.Criterion, g Grade) Grade {
	if g.Ungraded == "" {
		switch {
		case c.HasBands() && g.Score == nil:
			g.Ungraded = "it needs a score of 0 to 10 and has none"
		case c.HasBands() && !(*g.Score >= 0 && *g.Score <= 10):
			g.Ungraded = fmt.Sprintf("its score %s is not within 0 to 10", FormatNumber(*g.Score))
		case !c.HasBands() && g.Satisfied == nil:
			g.Ungraded = "it needs `satisfied` and has none"
		}
	}
	switch {
	case g.Ungraded != "":
		g.Satisfied, g.Score = nil, nil
	case c.HasBands():
		g.Satisfied = nil
	default:
		g.Score = nil
	}
	return g
}

// leftOut returns the criteria that have no grade, with the reason. The reference scores as if the
// rubric did not have them.
func leftOut(criteria []*rubric.Criterion, replied, graded []Grade) (all []Grade) {
	for _, c := range criteria {
		hasID := func(g Grade) bool { return g.ID == c.ID }
		if slices.ContainsFunc(graded, hasID) || slices.ContainsFunc(all, hasID) {
			continue
		}
		reason := "the judge did not grade it"
		if i := slices.IndexFunc(replied, hasID); i >= 0 {
			reason = cmp.Or(replied[i].Ungraded, reason)
		}
		all = append(all, Grade{ID: c.ID, Ungraded: reason, Weight: c.Weight, Required: c.IsRequired()})
	}
	return all
}

// convertGrade converts a grade to the mode of its rubric. It is false if nothing is graded.
func convertGrade(g Grade, scored bool) (Grade, bool) {
	if !scored {
		return g, g.Satisfied != nil
	}
	if g.Score == nil && g.Satisfied != nil {
		raw := 0.0
		if *g.Satisfied {
			raw = 10
		}
		g.Score, g.Satisfied = &raw, nil
	}
	return g, g.Score != nil
}

// criterionGate returns the gate of a criterion, nil if it is none: a minimum if the grade is a
// score, or that it is satisfied.
func criterionGate(profile Profile, c *rubric.Criterion, g Grade, scored bool) *Gate {
	gate := &Gate{ID: c.ID}
	switch {
	case scored && profile == AgentVHead:
		gate.Minimum = c.MinScore
	case scored:
		gate.Minimum = Minimum(c)
	}
	switch {
	case scored && gate.Minimum == nil, !scored && !c.IsRequired():
		return nil
	case g.Ungraded != "":
		gate.Ungraded, gate.Reason = true, "ungraded: "+g.Ungraded
	case scored && *g.Score < *gate.Minimum:
		gate.Reason = fmt.Sprintf("%s of 10 is below the required %s", FormatNumber(*g.Score), FormatNumber(*gate.Minimum))
	case !scored && !*g.Satisfied:
		gate.Reason = "required and not satisfied"
	default:
		gate.Met = true
	}
	return gate
}

func findingLine(c *rubric.Criterion, g Grade, scored bool) string {
	line := c.Text
	if scored {
		band := ""
		if i := slices.IndexFunc(c.Bands, func(b rubric.Band) bool { return b.Contains(*g.Score) }); i >= 0 {
			band = c.Bands[i].Text
		}
		line = c.DisplayName() + " - Score: " + FormatNumber(*g.Score) + "/10 (" + band + ")"
	}
	if g.Reasoning != "" {
		line += ": " + g.Reasoning
	}
	return "[" + c.ID + "] " + line
}

// ungradedSummary returns why each grade is ungraded, or the reason once if all are equal.
func ungradedSummary(open []Grade) string {
	same := true
	each := make([]string, len(open))
	for i, g := range open {
		same = same && g.Ungraded == open[0].Ungraded
		each[i] = fmt.Sprintf("`%s` (%s)", g.ID, g.Ungraded)
	}
	if same && len(open) > 1 {
		return open[0].Ungraded
	}
	return strings.Join(each, ", ")
}

func allMet(gates []Gate) bool {
	return !slices.ContainsFunc(gates, func(g Gate) bool { return !g.Met })
}
