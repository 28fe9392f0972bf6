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
func factsAt(p *analysis.Part, n *yaml.Node, s slot, results Results) string {
	if p.ADK != nil {
		return kitFacts(p, n, results)
	}
	offset := n.Span.Start
	if st, ok := stakeAt(p, offset); ok {
		if b := bandAt(st.criterion(), offset); b != nil {
			return st.bandFacts(*b)
		}
		return st.facts(results)
	}
	for _, c := range casesOf(p) {
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
func graderAt(c *rubric.Case, n *yaml.Node) (found *rubric.Grader, within bool) {
	graders(c, func(g *rubric.Grader, member bool) {
		if n.Parent != nil && n.Parent.Span == g.Span || g.Head == n.Span || g.Head.Empty() && g.Span == n.Span {
			found, within = g, member
		}
	})
	return found, within
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
func (s stake) bandFacts(b rubric.Band) string {
	c := s.criterion()
	lines := []string{fmt.Sprintf("band **%s** of 10 of %s", b, code(c.ID))}
	if ofRubric, _, ok := s.share(); ok && b.Fault() == "" {
		lines = append(lines, fmt.Sprintf("gives %s to %s of the rubric's score, of the %s that the criterion is worth",
			percent(ofRubric*b.Lo/rubric.Highest), percent(ofRubric*b.Hi/rubric.Highest), percent(ofRubric)))
	}
	if minimum := score.Minimum(c); minimum != nil && b.Hi < *minimum {
		lines = append(lines, fmt.Sprintf("below the gate of %s: the verdict is fail", number(*minimum)))
	}
	if b.Fault() == "" {
		grades := best(s.grader.Criteria)
		worst, most := s.given(grades, b.Lo), s.given(grades, b.Hi)
		if worst.Verdict == most.Verdict {
			lines = append(lines, "with all else at its best: "+s.outcome(most))
		} else {
			lines = append(lines, fmt.Sprintf("with all else at its best: **%s** to **%s**", worst.Verdict, most.Verdict))
		}
	}
	lines = append(lines, coverage(c.Bands))
	return bullets(lines)
}
