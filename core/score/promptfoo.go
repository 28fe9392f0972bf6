package score

import "math"

// applyPromptfoo sets score and verdict as promptfoo does. Gates fail a case whose file sets no
// threshold; a threshold replaces them. A failure without a reason does not count.
func (c *CaseResult) applyPromptfoo(parts []WeightedResult) {
	value := 1.0
	c.Verdict = Pass
	if len(parts) > 0 {
		value = PlainMean(parts)
	}
	c.Score = &value
	gated, reason := false, ""
	var failures []string
	for _, g := range c.Gates {
		gated = gated || g.Whole
		if g.Failed() {
			failures = append(failures, g.FailureMessage())
		}
		if g.Whole && g.Failed() {
			reason = g.Reason
		}
	}
	switch {
	case gated && reason != "":
		c.Verdict, c.Reasons = Fail, failures
	case !gated && c.threshold != nil && !(value >= *c.threshold):
		c.Verdict = Fail
		c.Reasons = append(c.Reasons, "score "+FormatNumber(value)+" is below "+FormatNumber(*c.threshold))
	}
	if broken := ungradedReasons(parts); len(broken) > 0 { // promptfoo drops the row's other results
		value, c.Verdict, c.Reasons = 0, Fail, broken
	}
}

// PlainMean returns the weighted mean of parts as doubles, or 0 unless the sum of the weights is positive.
func PlainMean(parts []WeightedResult) float64 {
	sum, total := 0.0, 0.0
	for _, p := range parts {
		sum += p.Result.value() * p.Weight
		total += p.Weight
	}
	if mean := sum / total; total > 0 && !math.IsNaN(mean) && !math.IsInf(mean, 0) {
		return mean
	}
	return 0
}
