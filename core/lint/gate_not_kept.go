package lint

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = register(Rule{
	ID:       "gate-not-kept",
	Summary:  "A required criterion fails the case by the rules, and AgentV passes it",
	Severity: diag.Info,
	Why: `
By the rules a required criterion that is not satisfied, or a score below its minimum, fails the rubric and the case with
it. AgentV fails the rubric and goes by the case's score alone: where the others make up for it, the case passes there.
Give the criterion enough weight to pull the score below 0.6, or, if it may fail, write ~required: false~.
`,
	Bad: `
evalcases:
  - id: ⟦refund⟧
    expected_outcome: Explains the refund
    input: Can I send it back?
    rubrics:
      - { id: window, expected_outcome: States that the window is 30 days, weight: 2 }
      - { id: tone, expected_outcome: Thanks the customer, weight: 7 }
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund
    input: Can I send it back?
    rubrics:
      - { id: window, expected_outcome: States that the window is 30 days, weight: 1 }
      - { id: tone, expected_outcome: Thanks the customer, weight: 1 }
`,
	Run: func(p *Pass) {
		if p.Role == "newer" {
			return // whose gates are others
		}
		for _, c := range p.Suite.Cases {
			p.reportEscapedGate(c)
		}
	},
})

func (p *Pass) reportEscapedGate(c *rubric.Case) {
	for i, g := range c.Graders {
		if len(g.Criteria) == 0 {
			continue
		}
		e := p.cache().escapes.get(escapeKey(c, i), func() escape { return findEscape(c, g) })
		if e.grades == nil {
			continue
		}
		failed := g.Criteria[e.failed]
		d := p.Report(c.SelectionSpan, "where only `%s` fails, this case fails by the rules and is `%s` to AgentV, which goes by the score alone", abbreviate(failed.ID), e.verdict)
		d.Notes = []diag.Note{{Span: criterionSpan(failed), Message: fmt.Sprintf("%s: score %s", describeGrades(e.grades), formatNumber(e.score))}}
		return
	}
}

// escape is how a case can fail by the rules and not by AgentV.
type escape struct {
	failed  int           // among the rubric's criteria
	grades  []score.Grade // of the rubric; nil if there is no way
	score   float64
	verdict score.Verdict // AgentV's
}

func findEscape(c *rubric.Case, g *rubric.Grader) (e escape) {
	failed, grades := cheapestFailure(g.Criteria)
	if failed < 0 {
		return e
	}
	rules, agentv := caseOutcome(score.Spec, c, g, grades), caseOutcome(score.AgentV, c, g, grades)
	if rules.Verdict == agentv.Verdict {
		return e
	}
	return escape{failed, grades, rules.Score, agentv.Verdict}
}

// escapeKey is all that arithmetic looks at where one of a case's rubrics is graded
// and the other graders pass.
func escapeKey(c *rubric.Case, graded int) string {
	parts := criteriaKey(c.Graders[graded].Criteria)
	for i, g := range c.Graders {
		parts += fmt.Sprint(" ", g.Weight, i == graded)
	}
	return parts
}

// cheapestFailure is the gated criterion whose failure costs the score least, and
// the best grades with which it fails; -1 if there is none.
func cheapestFailure(criteria []*rubric.Criterion) (at int, grades []score.Grade) {
	at = -1
	least, value := 0.0, 0.0
	for i, c := range criteria {
		lost, highest := c.Weight, 0.0
		switch minimum := score.Minimum(c); {
		case c.HasBands() && minimum != nil:
			for v := range rubric.HighestScore {
				if float64(v) < *minimum && isCovered(c.Bands, float64(v)) {
					highest = float64(v)
				}
			}
			lost = c.Weight * (rubric.HighestScore - highest) / rubric.HighestScore
		case c.HasBands() || !c.IsRequired():
			continue
		}
		if at < 0 || lost < least {
			at, least, value = i, lost, highest
		}
	}
	if at < 0 {
		return at, nil
	}
	grades = withExtremeGrade(criteria, bestGrades(criteria), at, false)
	if grades[at].Score != nil {
		grades[at].Score = &value
	}
	return at, grades
}

func isCovered(bands []rubric.Band, value float64) bool {
	for _, b := range bands {
		if b.Lo <= value && value <= b.Hi {
			return true
		}
	}
	return false
}

// caseOutcome is what a case comes to where one rubric has grades and all else passes.
func caseOutcome(profile score.Profile, c *rubric.Case, graded *rubric.Grader, grades []score.Grade) score.CaseResult {
	var parts []score.WeightedResult
	for _, g := range c.Graders {
		part := score.WeightedResult{Name: g.Name, Weight: g.Weight, Result: score.Result{Score: 1, Verdict: score.Pass}}
		if g == graded {
			part.Result = score.Rubric(profile, g.Criteria, grades)
		}
		parts = append(parts, part)
	}
	return score.Case(profile, parts)
}
