package assertion

import (
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
)

// measured grades a measure of the target that must be known, and at most the threshold.
func (c *call) measured(name string, of func(grade.Trace) *float64) (result, error) {
	if c.Threshold == nil {
		return result{}, refused("it has no `threshold`")
	}
	most, err := c.threshold(0)
	if err != nil {
		return result{}, err
	}
	var trace grade.Trace
	if c.sub.Trace != nil {
		trace = *c.sub.Trace
	}
	value := of(trace)
	if value == nil {
		return result{}, refused("the target does not report the %s", name)
	}
	return verdict(*value <= most != c.Inverse, "the %s is %v, the threshold is %v", name, *value, most)
}

func (c *call) cost() (result, error) {
	return c.measured("cost", func(t grade.Trace) *float64 { return t.CostUSD })
}

func (c *call) latency() (result, error) {
	return c.measured("latency", func(t grade.Trace) *float64 {
		if t.DurationMS != nil && *t.DurationMS == 0 && !c.spec {
			return nil // promptfoo takes 0 for a cached reply
		}
		return t.DurationMS
	})
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
	mean := sum / float64(len(c.response.LogProbs))
	limit, err := c.threshold(0)
	if err != nil {
		return result{}, err
	}
	if c.Type == "perplexity" {
		value := math.Exp(-mean)
		return verdict(c.Threshold == nil || value <= limit != c.Inverse, "the perplexity is %v, the threshold is %v", value, limit)
	}
	r, err := c.graded(1/(1+math.Exp(-mean)), limit, "the score of the perplexity")
	r.pass = r.pass || c.Threshold == nil
	return r, err
}

func (c *call) finishReason() (result, error) {
	want, isText := c.Value.(string)
	if !isText {
		return result{}, refused("its `value` is not a text")
	}
	got := c.response.FinishReason
	if got == "" {
		if c.spec {
			return result{}, refused("the target does not report why it finished")
		}
		return verdict(c.Inverse, "the target does not report why it finished")
	}
	return verdict(strings.EqualFold(want, got) != c.Inverse, "the target finished because of `%s`", got)
}

func (c *call) guardrails() (result, error) {
	if c.response.Guardrails == nil && c.spec {
		return result{}, refused("the target does not report its guardrails")
	}
	flagged := nunjucks.IsTrue(c.response.Guardrails["flagged"])
	return verdict(flagged == c.Inverse, "the guardrails flagged this: %v", flagged)
}
