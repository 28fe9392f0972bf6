package assist

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// caseFacts are what a case is graded by, and what it came to.
func caseFacts(c *rubric.Case, results Results) string {
	var lines []string
	if len(c.Graders) == 0 {
		lines = append(lines, fmt.Sprintf("graded by a `%s` that is told the expected outcome alone", c.Fallback))
	}
	for _, g := range c.Graders {
		line := fmt.Sprintf("%s (%s): **%s** of the score", inlineCode(g.Name), g.Kind, formatPercent(graderShare(c, g)))
		if n := len(g.Criteria); n > 0 {
			line += fmt.Sprintf(", %d %s", n, plural(n, "criterion", "criteria"))
		}
		lines = append(lines, line)
	}
	if o, ran := results[c.ID]; ran {
		lines = append(lines, "last run: "+o.summary())
		for _, reason := range o.Reasons {
			lines = append(lines, escapeMarkdown(reason))
		}
		for _, g := range c.Graders {
			lines = append(lines, flippingGrades(c, g, o))
		}
	}
	return bulletList(lines)
}

// graderFacts are what a grader is worth in its case.
func graderFacts(c *rubric.Case, g *rubric.Grader, isMember bool, results Results) string {
	var lines []string
	switch {
	case isMember:
		lines = append(lines, fmt.Sprintf("weight %s among the members", formatNumber(g.Weight)))
	case g.Weight == 0:
		lines = append(lines, "weight 0: its findings are reported and not counted")
	default:
		lines = append(lines, fmt.Sprintf("weight %s: **%s** of the case's score", formatNumber(g.Weight), formatPercent(graderShare(c, g))))
	}
	if g.Negate {
		lines = append(lines, "negated: it passes when it otherwise would not")
	}
	if g.Required {
		least := score.PassAt
		for _, minimum := range []*float64{c.Threshold, g.MinScore} {
			if minimum != nil {
				least = *minimum
			}
		}
		lines = append(lines, fmt.Sprintf("gate: at least **%s**, else the verdict is fail", formatNumber(least)))
	}
	if len(g.Criteria) > 0 {
		lines = append(lines, rubricFacts(c, g)...)
	}
	if o, ran := results[c.ID]; ran {
		lines = append(lines, "last run: "+o.summary())
	}
	return bulletList(lines)
}

// rubricFacts are what a rubric as a whole can come to.
func rubricFacts(c *rubric.Case, g *rubric.Grader) []string {
	n := len(g.Criteria)
	var gates []string
	for _, criterion := range g.Criteria {
		if isGate(criterion) {
			gates = append(gates, inlineCode(criterion.ID))
		}
	}
	line := fmt.Sprintf("%d %s, ", n, plural(n, "criterion", "criteria"))
	switch {
	case g.Negate:
		line += "no gate, since the rubric is negated"
	case len(gates) == 0:
		line += "no gate"
	case n == 1:
		line += "a gate"
	case len(gates) == n:
		line += "each of them a gate"
	default:
		line += "of which gates: " + strings.Join(gates, ", ")
	}
	lines := []string{line}
	reach := explore(c, g)
	if !reach.Known {
		return lines
	}
	for _, v := range []score.Verdict{score.Pass, score.Borderline, score.Fail} {
		if witness := reach.Witnesses[v]; witness == nil {
			lines = append(lines, fmt.Sprintf("no grades give **%s**", v))
		} else if v != score.Fail {
			r := score.Rubric(score.Spec, g.Criteria, witness)
			lines = append(lines, fmt.Sprintf("the least for **%s**: %s (score %s)", v, describeGrades(witness), formatScore(r.Score)))
		}
	}
	var idle []string
	for _, i := range reach.NeverDecisive {
		idle = append(idle, inlineCode(g.Criteria[i].ID))
	}
	if idle != nil {
		lines = append(lines, "never of consequence: "+strings.Join(idle, ", "))
	}
	return lines
}

// isGate reports whether the verdict is fail unless a criterion holds.
func isGate(c *rubric.Criterion) bool {
	if c.HasBands() {
		return score.Minimum(c) != nil
	}
	return c.IsRequired()
}

// summary is the outcome in a few words.
func (o Outcome) summary() string {
	line := fmt.Sprintf("%s, score %s", o.Verdict, formatScore(o.Score))
	if o.Ungraded > 0 {
		line += fmt.Sprintf(", %d ungraded", o.Ungraded)
	}
	if o.Stale {
		line += " (stale)"
	}
	return line
}

func plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}
