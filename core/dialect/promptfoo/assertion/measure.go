package assertion

import (
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
)

// measured grades a measure of the target that must be known, and at most the threshold.
func measured(name string, of func(grade.Trace) *float64) func(*call) (result, error) {
	return func(c *call) (result, error) {
		if c.Threshold == nil {
			return result{}, refused("it has no `threshold`")
		}
		var value *float64
		if c.sub.Trace != nil {
			value = of(*c.sub.Trace)
		}
		if value == nil || *value == 0 && name == "latency" && !c.spec { // promptfoo takes 0 for a cached reply
			return result{}, refused("the target does not report the %s", name)
		}
		return c.holds(*value <= c.limit, "the %s is %v, the threshold is %v", name, *value, c.limit)
	}
}

// perplexity grades how unlikely the target found its own words. A score of it is 0–1, and higher is
// better.
func (c *call) perplexity() (result, error) {
	if len(c.response.LogProbs) == 0 {
		return result{}, refused("the target does not report the probabilities of its words")
	}
	sum := 0.0
	for _, p := range c.response.LogProbs {
		sum += p
	}
	value := math.Exp(-sum / float64(len(c.response.LogProbs)))
	if c.Type == "perplexity" {
		return verdict(c.Threshold == nil || value <= c.limit != c.Inverse, "the perplexity is %v, the threshold is %v", value, c.limit)
	}
	r, err := c.graded(1/(1+value), "the score of the perplexity")
	r.pass = r.pass || c.Threshold == nil
	return r, err
}

func (c *call) finishReason(want string) (result, error) {
	got := c.response.FinishReason
	if got == "" && c.spec {
		return result{}, refused("the target does not report why it finished")
	}
	return c.holds(got != "" && strings.EqualFold(want, got), "the target finished because of `%s`", got)
}

func (c *call) guardrails() (result, error) {
	if c.response.Guardrails == nil && c.spec {
		return result{}, refused("the target does not report its guardrails")
	}
	flagged := nunjucks.IsTrue(c.response.Guardrails["flagged"])
	return c.holds(!flagged, "the guardrails flagged this: %v", flagged)
}
