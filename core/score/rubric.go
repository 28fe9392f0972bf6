package score

import (
	"cmp"
	"fmt"
	"slices"

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
	if profile.IsReference() {
		return rubricAgentV(profile, criteria, grades)
	}
	return rubricSpec(criteria, grades)
}

// HasRanged reports whether any criterion is graded 0 to 10.
func HasRanged(criteria []*rubric.Criterion) bool {
	return slices.ContainsFunc(criteria, (*rubric.Criterion).HasBands)
}

// Minimum returns the lowest score, of 10, that a criterion with bands must reach, or nil if it is
// no gate.
func Minimum(c *rubric.Criterion) *float64 {
	if c.MinScore != nil {
		return c.MinScore
	}
	if c.IsRequired() {
		return new(float64(rubric.HighestScore))
	}
	return nil
}

func findingLine(c *rubric.Criterion, g Grade, scored bool) string {
	line := c.Text
	if scored {
		line = c.DisplayName() + " - Score: " + FormatNumber(*g.Score) + "/10 (" + bandText(c, *g.Score) + ")"
	}
	if g.Reasoning != "" {
		line += ": " + g.Reasoning
	}
	return "[" + c.ID + "] " + line
}

func bandText(c *rubric.Criterion, raw float64) string {
	if i := slices.IndexFunc(c.Bands, func(b rubric.Band) bool { return b.Contains(raw) }); i >= 0 {
		return c.Bands[i].Text
	}
	return ""
}

func newDetails() *Details {
	return &Details{RawScores: map[string]float64{}, Normalization: "score / 10", Aggregation: "weighted_average"}
}

// rubricAgentV repeats the reference implementation: doubles in the order of the reply, without
// rounding.
func rubricAgentV(profile Profile, criteria []*rubric.Criterion, grades []Grade) Result {
	byID := map[string]*rubric.Criterion{} // the last criterion with an id
	for _, c := range criteria {
		byID[c.ID] = c
	}
	scored := HasRanged(criteria)
	r := Result{Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Grades: []Grade{}}
	details := newDetails()
	var shares []Share
	for _, g := range grades {
		c := byID[g.ID]
		if c == nil || g.Ungraded != "" {
			continue // see leftOut
		}
		g, ok := convertGrade(g, scored)
		if !ok {
			continue
		}
		g.Weight, g.Required = c.Weight, c.IsRequired()
		r.Grades = append(r.Grades, g)
		hit, share := false, Share{Weight: c.Weight}
		if scored {
			details.RawScores[c.ID] = *g.Score
			hit, share.Value = *g.Score >= minHitScore, *g.Score/10
		} else if *g.Satisfied {
			hit, share.Value = true, 1
		}
		shares = append(shares, share)
		if gate := criterionGate(profile, c, g, scored); gate != nil {
			r.Gates = append(r.Gates, *gate)
			hit = hit && gate.Met
		}
		line := findingLine(c, g, scored)
		if !scored && g.Reasoning == "" && profile == AgentV {
			line += ": "
		}
		r.addFinding(hit, line)
	}
	value, _ := meanAgentV(shares)
	verdict := profile.verdict(value, nil)
	if !allMet(r.Gates) {
		verdict = Fail
	}
	r.setScore(value, verdict)
	if scored {
		r.Details = details
	}
	r.Grades = append(r.Grades, leftOut(criteria, grades, r.Grades)...)
	return r
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

func (r *Result) addFinding(hit bool, line string) {
	if hit {
		r.Hits = append(r.Hits, line)
	} else {
		r.Misses = append(r.Misses, line)
	}
}
