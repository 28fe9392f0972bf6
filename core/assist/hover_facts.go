package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// factsAt is what a place comes to in this very file: a band, a criterion, a
// grader or a case, whichever is the innermost that the place says something of.
func factsAt(p *analysis.Chunk, n *yaml.Node, s schemaContext, results Results) string {
	if p.ADK != nil {
		return adkFacts(p, n, results)
	}
	offset := n.Span.Start
	if cr, ok := criterionAt(p, offset); ok {
		if b := bandAt(cr.criterion(), offset); b != nil {
			return cr.bandFacts(*b)
		}
		return cr.facts(results)
	}
	for _, c := range allCases(p) {
		if !c.Span.Touches(offset) {
			continue
		}
		if g, within := graderAt(c, n); g != nil {
			return graderFacts(c, g, within, results)
		}
		if n.Parent != nil && n.Parent.Span == c.Span && s.Field != nil && (s.Field.Required || s.Field.Key == "id") {
			return caseFacts(c, results)
		}
	}
	return ""
}

// graderAt is the innermost grader that a key or a value says something of: one
// in whose own mapping it is, or whose criteria are listed under it.
func graderAt(c *rubric.Case, n *yaml.Node) (found *rubric.Grader, isMember bool) {
	visitGraders(c, func(g *rubric.Grader, member bool) {
		if n.Parent != nil && n.Parent.Span == g.Span || g.SelectionSpan == n.Span || g.SelectionSpan.Empty() && g.Span == n.Span {
			found, isMember = g, member
		}
	})
	return found, isMember
}

// bandAt is the band of a criterion that an offset is in, nil if it is in none.
func bandAt(c *rubric.Criterion, offset int) *rubric.Band {
	for i := range c.Bands {
		if c.Bands[i].Span.Touches(offset) && c.Bands[i].Span != (text.Span{}) {
			return &c.Bands[i]
		}
	}
	return nil
}

// bandFacts are what the scores of a band amount to.
func (cr criterionRef) bandFacts(b rubric.Band) string {
	c := cr.criterion()
	lines := []string{fmt.Sprintf("band **%s** of 10 of %s", b, inlineCode(c.ID))}
	if ofRubric, _, ok := cr.weightShares(); ok && b.Fault() == "" {
		lines = append(lines, fmt.Sprintf("gives %s to %s of the rubric's score, of the %s that the criterion is worth",
			formatPercent(ofRubric*b.Lo/rubric.HighestScore), formatPercent(ofRubric*b.Hi/rubric.HighestScore), formatPercent(ofRubric)))
	}
	if minimum := score.Minimum(c); minimum != nil && b.Hi < *minimum {
		lines = append(lines, fmt.Sprintf("below the gate of %s: the verdict is fail", formatNumber(*minimum)))
	}
	if b.Fault() == "" {
		grades := bestGrades(cr.grader.Criteria)
		worst, most := cr.resultAtLevel(grades, b.Lo), cr.resultAtLevel(grades, b.Hi)
		if worst.Verdict == most.Verdict {
			lines = append(lines, "with all else at its best: "+cr.outcomeText(most))
		} else {
			lines = append(lines, fmt.Sprintf("with all else at its best: **%s** to **%s**", worst.Verdict, most.Verdict))
		}
	}
	lines = append(lines, describeCoverage(c.Bands))
	return bulletList(lines)
}
