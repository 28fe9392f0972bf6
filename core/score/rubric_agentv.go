package score

import "github.com/rubric-ls/rubric/core/rubric"

// rubricAgentV repeats the reference implementation, sums and all: doubles in
// the order of the reply, no rounding.
func rubricAgentV(profile Profile, criteria []*rubric.Criterion, grades []Grade) Result {
	byID := map[string]*rubric.Criterion{} // of a repeated id the last
	for _, c := range criteria {
		byID[c.ID] = c
	}
	scored := HasRanged(criteria)
	r := Result{Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Grades: []Grade{}}
	details := newDetails()
	sum, total := 0.0, 0.0
	for _, g := range grades {
		c := byID[g.ID]
		if c == nil || g.Ungraded != "" {
			continue
		}
		g, ok := convertGrade(g, scored)
		if !ok {
			continue
		}
		g.Weight, g.Required = c.Weight, c.IsRequired()
		r.Grades = append(r.Grades, g)
		total += c.Weight
		hit := false
		if scored {
			details.RawScores[c.ID] = *g.Score
			sum += (*g.Score / 10) * c.Weight
			hit = *g.Score >= minHitScore
		} else if *g.Satisfied {
			sum += c.Weight
			hit = true
		}
		if gate := gateAgentV(profile, c, g, scored); gate != nil {
			r.Gates = append(r.Gates, *gate)
			hit = hit && gate.Met
		}
		line := findingLine(c, g, scored)
		if !scored && g.Reasoning == "" && profile == AgentV {
			line += ": "
		}
		if hit {
			r.Hits = append(r.Hits, line)
		} else {
			r.Misses = append(r.Misses, line)
		}
	}
	if total > 0 {
		r.Score = Clamp(sum / total)
	}
	r.Verdict = profile.verdictAt(r.Score)
	if !allMet(r.Gates) {
		r.Verdict = Fail
	}
	if scored {
		r.Details = details
	}
	return r
}

// convertGrade gives the grade in the mode of its rubric; false if it has no grade.
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

// gateAgentV differs from gateOf in mixed rubrics, where a checklist criterion
// is a 0–10 one that is required by default.
func gateAgentV(profile Profile, c *rubric.Criterion, g Grade, scored bool) *Gate {
	gate := &Gate{ID: c.ID}
	if scored {
		if gate.Minimum = Minimum(c); profile == AgentVHead {
			gate.Minimum = c.MinScore
		}
		if gate.Minimum == nil {
			return nil
		}
		if gate.Met = *g.Score >= *gate.Minimum; !gate.Met {
			gate.Reason = formatNumber(*g.Score) + " of 10 is below the required " + formatNumber(*gate.Minimum)
		}
		return gate
	}
	if !c.IsRequired() {
		return nil
	}
	if gate.Met = *g.Satisfied; !gate.Met {
		gate.Reason = "required and not satisfied"
	}
	return gate
}
