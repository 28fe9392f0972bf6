package score

// applyAgentV sets score and verdict as the versions of the reference do.
func (c *CaseResult) applyAgentV(profile Profile, parts []WeightedResult) {
	value, _ := weightedMean(profile, parts)
	c.Score, c.Verdict = &value, profile.verdictWithThreshold(value, c.threshold)
	if !profile.IsV4OrLater() {
		return
	}
	if len(parts) == 0 && profile == AgentVHead {
		value, c.Verdict = 1, Pass
	}
	for _, g := range c.Gates {
		if g.Whole && g.Failed() {
			c.Reasons = append(c.Reasons, g.FailureMessage())
		}
	}
	c.Reasons = append(c.Reasons, ungradedReasons(parts)...)
	if len(c.Reasons) > 0 {
		value, c.Verdict = 0, Fail
	}
}

// weightedMean is the weighted mean of parts, and what the profile makes of it.
func weightedMean(profile Profile, parts []WeightedResult) (float64, Verdict) {
	shares := make([]Share, len(parts))
	for i, p := range parts {
		shares[i] = Share{p.Result.Score, p.Weight}
	}
	value, _ := meanAgentV(shares)
	return value, profile.verdictAt(value)
}

// gradedParts leaves out the parts that are ungraded.
func gradedParts(parts []WeightedResult) []WeightedResult {
	var graded []WeightedResult
	for _, p := range parts {
		if p.Result.Ungraded == "" {
			graded = append(graded, p)
		}
	}
	return graded
}
