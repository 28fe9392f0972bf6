package score

import "github.com/rubric-ls/rubric/core/rubric"

// minHitScore is the raw score, of 10, from which a graded criterion is worth naming
// among the hits.
const minHitScore = 7

// Rubric turns the grades of criteria into a score, gates and a verdict.
//
// Under [Spec], grades are looked up by id, so their order does not matter; of
// criteria that share an id the first takes the first grade. A criterion with
// bands that is `required: true` without a minimum needs 10, as the reference
// implementation has it: there is no other reading of "required" for a score.
// A minimum on a criterion without bands gates nothing: it has no score that
// could be too low.
//
// Under [AgentV], grades count in the order given and as often as given, any
// criterion with bands makes every criterion a 0–10 one (satisfied then counts
// as 10), and a criterion without a grade drops out. [AgentV4] and [AgentVHead] do
// the same without a borderline; under the latter `required` does not gate a
// criterion with bands.
func Rubric(profile Profile, criteria []*rubric.Criterion, grades []Grade) Result {
	if profile.IsReference() {
		return rubricAgentV(profile, criteria, grades)
	}
	return rubricSpec(criteria, grades)
}

// HasRanged reports whether any criterion is graded 0 to 10.
func HasRanged(criteria []*rubric.Criterion) bool {
	for _, c := range criteria {
		if c.HasBands() {
			return true
		}
	}
	return false
}

// Minimum is the lowest score, of 10, that a criterion with bands must reach,
// or nil when it is no gate.
func Minimum(c *rubric.Criterion) *float64 {
	if c.MinScore != nil {
		return c.MinScore
	}
	if c.IsRequired() {
		full := 10.0
		return &full
	}
	return nil
}

// findingLine is the line that a hit or miss shows.
func findingLine(c *rubric.Criterion, g Grade, scored bool) string {
	line := c.Text
	if scored {
		line = c.DisplayName() + " - Score: " + formatNumber(*g.Score) + "/10 (" + bandText(c, *g.Score) + ")"
	}
	if g.Reasoning != "" {
		line += ": " + g.Reasoning
	}
	return "[" + c.ID + "] " + line
}

func bandText(c *rubric.Criterion, raw float64) string {
	for _, b := range c.Bands {
		if b.Contains(raw) {
			return b.Text
		}
	}
	return ""
}

func newDetails() *Details {
	return &Details{RawScores: map[string]float64{}, Normalization: "score / 10", Aggregation: "weighted_average"}
}
