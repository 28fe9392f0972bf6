package hover

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// caseFacts describes the graders of a case and its last run.
func caseFacts(c *rubric.Case, results ide.Results) string {
	var lines []string
	switch {
	case len(c.Graders) > 0:
	case c.Fallback == rubric.NoGrader:
		lines = append(lines, "nothing grades it")
	default:
		lines = append(lines, fmt.Sprintf("graded by a `%s` that sees only the expected outcome", c.Fallback))
	}
	for _, g := range c.Graders {
		line := fmt.Sprintf("%s (%s): **%s** of the score", facts.InlineCode(g.Name), g.Kind, facts.FormatPercent(facts.GraderShare(c, g)))
		if n := len(g.Criteria); n > 0 {
			line += fmt.Sprintf(", %d %s", n, diag.Plural(n, "criterion", "criteria"))
		}
		lines = append(lines, line)
	}
	if o, ran := results[c.ID]; ran {
		lines = append(lines, "last run: "+facts.Summarise(o))
		lines = append(lines, generic.Map(o.Reasons, facts.EscapeMarkdown)...)
		for _, g := range c.Graders {
			lines = append(lines, FlippingGrades(c, g, o))
		}
	}
	return facts.BulletList(lines)
}

// graderFacts describes what a grader is worth in its case. The parent is the grader that it is a
// member of, or nil.
func graderFacts(c *rubric.Case, g, parent *rubric.Grader, results ide.Results) string {
	var lines []string
	switch {
	case parent != nil:
		lines = append(lines, fmt.Sprintf("weight %s among the members", score.FormatNumber(parent.MemberWeight(g))))
	case g.Weight == 0:
		lines = append(lines, "weight 0: reported but not counted")
	default:
		lines = append(lines, fmt.Sprintf("weight %s: **%s** of the case's score", score.FormatNumber(g.Weight), facts.FormatPercent(facts.GraderShare(c, g))))
	}
	if g.Negate {
		lines = append(lines, "negated: it passes when the check fails")
	}
	if g.Required {
		least := score.PassAt
		for _, minimum := range []*float64{c.PassAt(false), g.MinScore} {
			if minimum != nil {
				least = *minimum
			}
		}
		lines = append(lines, fmt.Sprintf("gate: at least **%s**, else the verdict is fail", score.FormatNumber(least)))
	}
	if len(g.Criteria) > 0 {
		lines = append(lines, rubricFacts(c, g)...)
	}
	if o, ran := results[c.ID]; ran {
		lines = append(lines, "last run: "+facts.Summarise(o))
	}
	return facts.BulletList(lines)
}

// rubricFacts describes the gates of a rubric and the grades that each verdict needs.
func rubricFacts(c *rubric.Case, g *rubric.Grader) []string {
	n := len(g.Criteria)
	var gates []string
	for _, criterion := range g.Criteria {
		if score.IsGate(criterion) {
			gates = append(gates, facts.InlineCode(criterion.ID))
		}
	}
	line := fmt.Sprintf("%d %s, ", n, diag.Plural(n, "criterion", "criteria"))
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
		line += "gates: " + strings.Join(gates, ", ")
	}
	lines := []string{line}
	attainable := facts.Explore(c, g)
	if !attainable.Known {
		return lines
	}
	for _, v := range []score.Verdict{score.Pass, score.Borderline, score.Fail} {
		if witness := attainable.Witnesses[v]; witness == nil {
			lines = append(lines, fmt.Sprintf("no combination of grades gives **%s**", v))
		} else if v != score.Fail {
			r := score.Rubric(score.Spec, g.Criteria, witness)
			lines = append(lines, fmt.Sprintf("minimum for **%s**: %s (score %s)", v, describeGrades(witness), report.FormatScore(*r.Score)))
		}
	}
	idle := generic.Map(attainable.NeverDecisive, func(i int) string { return facts.InlineCode(g.Criteria[i].ID) })
	if idle != nil {
		lines = append(lines, "never affects the verdict: "+strings.Join(idle, ", "))
	}
	return lines
}
