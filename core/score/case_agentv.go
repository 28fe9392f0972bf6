package score

// average sets score and verdict as the versions of the reference do.
func (c *CaseResult) average(profile Profile, parts []Weighted) {
	c.Score, _ = mean(profile, parts)
	c.Verdict = profile.verdictFrom(c.Score, c.least)
	if !profile.Newer() {
		return
	}
	if len(parts) == 0 && profile == AgentVHead {
		c.Score, c.Verdict = 1, Pass
	}
	for _, g := range c.Gates {
		if g.Whole && !g.Met {
			c.Reasons = append(c.Reasons, g.Why())
		}
	}
	c.Reasons = append(c.Reasons, ungradedReasons(parts)...)
	if len(c.Reasons) > 0 {
		c.Score, c.Verdict = 0, Fail
	}
}

// mean is the weighted mean of parts, and what the profile makes of it.
func mean(profile Profile, parts []Weighted) (float64, Verdict) {
	shares := make([]Share, len(parts))
	for i, p := range parts {
		shares[i] = Share{p.Result.Score, p.Weight}
	}
	value, _ := meanAgentV(shares)
	return value, profile.verdict(value)
}

// gradedOf leaves out the parts that are ungraded.
func gradedOf(parts []Weighted) []Weighted {
	var graded []Weighted
	for _, p := range parts {
		if p.Result.Ungraded == "" {
			graded = append(graded, p)
		}
	}
	return graded
}
