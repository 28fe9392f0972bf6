package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
)

// methodScore asks what grades that somebody types are worth; the command of the
// same name is for clients that know no methods of ours.
const methodScore = "rubric/score"

// scoreParams are the grades of a case, as a judge would give them.
type scoreParams struct {
	URI    uri.URI      `json:"uri"`
	Case   string       `json:"case"`
	Grades []typedGrade `json:"grades"`
}

// typedGrade is a grade of a criterion, or, without one, of a whole grader.
type typedGrade struct {
	Grader    string   `json:"grader"` // "" for any that has the criterion
	ID        string   `json:"id"`     // of the criterion
	Satisfied *bool    `json:"satisfied"`
	Score     *float64 `json:"score"` // of a criterion 0–10, of a grader 0–1
}

// scoreResult is what the grades come to.
type scoreResult struct {
	Score    float64        `json:"score"` // 0–1
	Verdict  score.Verdict  `json:"verdict"`
	Gates    []score.Gate   `json:"gates"`
	Hits     []string       `json:"hits"`
	Misses   []string       `json:"misses"`
	Ungraded int            `json:"ungraded"`
	Reasons  []string       `json:"reasons"`
	Graders  []scoredGrader `json:"graders"`
	Range    protocol.Range `json:"range"` // of the case, as it is shown
}

// scoredGrader is what the grades of one grader come to.
type scoredGrader struct {
	Name    string        `json:"name"`
	Score   float64       `json:"score"`
	Verdict score.Verdict `json:"verdict"`
}

// scoreTyped reckons what typed grades are worth. No judge is asked.
func scoreTyped(_ context.Context, at *Snapshot, p *scoreParams) (*scoreResult, error) {
	d, err := at.file(p.URI)
	if err != nil {
		return nil, err
	}
	cases, err := d.chosen(p.Case, true)
	if err != nil {
		return nil, err
	}
	c := cases[0]
	if err := p.known(c); err != nil {
		return nil, refuse(err)
	}
	result := &scoreResult{Range: at.client.toRange(d.Analysis, c.Head), Graders: []scoredGrader{}}
	var parts []score.Weighted
	for _, g := range grade.Graders(c) {
		part := score.Weighted{Name: g.Name, Weight: g.Weight, Result: p.result(c, g)}
		parts = append(parts, part)
		result.Graders = append(result.Graders, scoredGrader{g.Name, part.Result.Score, part.Result.Verdict})
	}
	whole := score.CaseFrom(score.Spec, c.Threshold, parts)
	result.Score, result.Verdict, result.Gates, result.Hits, result.Misses = whole.Score, whole.Verdict, whole.Gates, whole.Hits, whole.Misses
	result.Ungraded, result.Reasons = whole.Ungraded, whole.Reasons
	return result, nil
}

// result is what the typed grades of a grader come to. What none was typed for is
// ungraded.
func (p *scoreParams) result(c *rubric.Case, g *rubric.Grader) score.Result {
	terms := score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: c.Threshold}
	if len(g.Criteria) == 0 {
		for _, t := range p.Grades {
			if t.Grader == g.Name && t.ID == "" && t.Score != nil {
				return terms.Apply(score.Spec, g.Name, score.Plain(*t.Score, nil, nil, ""))
			}
		}
		return terms.Apply(score.Spec, g.Name, score.UngradedResult("no score was given"))
	}
	var grades []score.Grade
	for _, criterion := range g.Criteria {
		given := score.Grade{ID: criterion.ID, Ungraded: "no grade was given"}
		for _, t := range p.Grades {
			if t.ID == criterion.ID && (t.Grader == "" || t.Grader == g.Name) && (t.Satisfied != nil || t.Score != nil) {
				given = score.Grade{ID: criterion.ID, Satisfied: t.Satisfied, Score: t.Score}
			}
		}
		grades = append(grades, given)
	}
	return terms.Apply(score.Spec, g.Name, score.Rubric(score.Spec, g.Criteria, grades))
}

// known finds fault with a grade of what the case does not have.
func (p *scoreParams) known(c *rubric.Case) error {
	names, ids := []string{}, []string{}
	has := map[[2]string]bool{}
	for _, g := range grade.Graders(c) {
		names = append(names, g.Name)
		has[[2]string{g.Name, ""}] = true
		for _, criterion := range g.Criteria {
			ids = append(ids, criterion.ID)
			has[[2]string{g.Name, criterion.ID}], has[[2]string{"", criterion.ID}] = true, true
		}
	}
	for _, t := range p.Grades {
		switch {
		case has[[2]string{t.Grader, t.ID}]:
		case t.ID != "":
			return fmt.Errorf("the case `%s` has no criterion `%s`%s", c.ID, t.ID, spell.DidYouMean(t.ID, ids))
		default:
			return fmt.Errorf("the case `%s` has no grader `%s`%s", c.ID, t.Grader, spell.DidYouMean(t.Grader, names))
		}
	}
	return nil
}
