package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(lint.Rule{
	ID:       "pass-unreachable",
	Summary:  "No grades can make a rubric pass",
	Severity: diag.Error,
	Why: `
No answer can reach a minimum above every score range, and ranges that end below 8 keep the score below the 0.8 that a
pass needs. The judge is paid for nothing.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    ⟦rubrics⟧:
      - id: warm
        expected_outcome: Greets the user warmly
        required_min_score: 9
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Cold }
          - { score_range: [5, 8], expected_outcome: Warm }
`,
	AlsoReports: []string{"ranges-gap"},
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        required_min_score: 5
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Cold }
          - { score_range: [5, 10], expected_outcome: Warm }
`,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if !score.NeverPasses(g.Criteria) || allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }) {
				return // asserts-nothing reports rubrics without weights
			}
			d := p.Report(g.SelectionSpan, "no grades make this rubric pass")
			d.Notes = []diag.Note{witnessNote(g, "the best it can be given", bestGrades(g.Criteria))}
			for _, c := range g.Criteria {
				if c.MinScore != nil && c.HasBands() && *bestGrades([]*rubric.Criterion{c})[0].Score < *c.MinScore {
					d.Notes = append(d.Notes, diag.Note{Span: c.MinScoreSpan, Message: "this minimum is above every range"})
				}
			}
		})
	},
})
