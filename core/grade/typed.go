package grade

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
)

// Typed is a grade that somebody types: of a criterion, or, without one, of a
// whole grader.
type Typed struct {
	Grader    string   `json:"grader,omitempty"` // "" for any that has the criterion
	ID        string   `json:"id,omitempty"`     // of the criterion
	Satisfied *bool    `json:"satisfied,omitempty"`
	Score     *float64 `json:"score,omitempty"` // of a criterion 0–10, of a grader 0–1
}

// TypedResult is what typed grades come to.
type TypedResult struct {
	Score    float64       `json:"score"` // 0–1
	Verdict  score.Verdict `json:"verdict"`
	Gates    []score.Gate  `json:"gates"`
	Hits     []string      `json:"hits"`
	Misses   []string      `json:"misses"`
	Ungraded int           `json:"ungraded"`
	Reasons  []string      `json:"reasons"`
	Graders  []TypedGrader `json:"graders"`
}

// TypedGrader is what the typed grades of one grader come to.
type TypedGrader struct {
	Name    string        `json:"name"`
	Score   float64       `json:"score"`
	Verdict score.Verdict `json:"verdict"`
}

// FromTyped reckons what typed grades of a case are worth; what none was typed
// for is ungraded. An error names a grade of what the case does not have.
func FromTyped(c *rubric.Case, grades []Typed) (TypedResult, error) {
	graders := Graders(c)
	if err := known(c, graders, grades); err != nil {
		return TypedResult{}, err
	}
	result := TypedResult{Graders: []TypedGrader{}}
	var parts []score.Weighted
	for _, g := range graders {
		part := score.Weighted{Name: g.Name, Weight: g.Weight, Result: typedResult(c, g, grades)}
		parts = append(parts, part)
		result.Graders = append(result.Graders, TypedGrader{g.Name, part.Result.Score, part.Result.Verdict})
	}
	whole := score.CaseFrom(score.Spec, c.Threshold, parts)
	result.Score, result.Verdict, result.Gates, result.Hits, result.Misses = whole.Score, whole.Verdict, whole.Gates, whole.Hits, whole.Misses
	result.Ungraded, result.Reasons = whole.Ungraded, append([]string{}, whole.Reasons...) // a list without any, in JSON too
	return result, nil
}

// Flip is another grade of a criterion, or of a grader without criteria, by which a
// case's verdict changes.
type Flip struct {
	Grader    string        `json:"grader"`
	ID        string        `json:"id"` // of the criterion; "" for the whole grader
	Satisfied *bool         `json:"satisfied,omitempty"`
	Score     *float64      `json:"score,omitempty"` // of a criterion 0–10, of a grader 0–1
	Case      float64       `json:"case_score"`      // 0–1, with that grade
	Verdict   score.Verdict `json:"verdict"`
}

// Flips are for each typed grade the nearest other ones that change the case's
// verdict: one for each verdict that it can change to, the nearest first.
func Flips(c *rubric.Case, grades []Typed) (flips []Flip, err error) {
	now, err := FromTyped(c, grades)
	if err != nil {
		return nil, err
	}
	for i, t := range grades {
		if t.Satisfied == nil && t.Score == nil {
			continue
		}
		for _, g := range Graders(c) {
			if t.ID == "" && t.Grader == g.Name && len(g.Criteria) == 0 {
				flips = append(flips, flipsOf(c, g.Name, nil, grades, i, now.Verdict)...)
				break
			}
			at := slices.IndexFunc(g.Criteria, func(k *rubric.Criterion) bool { return k.ID == t.ID })
			if at >= 0 && (t.Grader == "" || t.Grader == g.Name) {
				flips = append(flips, flipsOf(c, g.Name, g.Criteria[at], grades, i, now.Verdict)...)
				break
			}
		}
	}
	return flips, nil
}

// wholeSteps is how many steps the score of a whole grader takes from 0 to 1.
const wholeSteps = 20

// flipsOf tries the levels of the grade at i, the nearest first: those of its criterion,
// or where that is nil the scores of a whole grader.
func flipsOf(c *rubric.Case, grader string, criterion *rubric.Criterion, grades []Typed, i int, now score.Verdict) (flips []Flip) {
	has := float64(rubric.LowestScore)
	switch t := grades[i]; {
	case t.Score != nil:
		has = *t.Score
	case *t.Satisfied:
		has = rubric.HighestScore
	}
	var levels []float64
	if criterion != nil {
		levels = score.Levels(criterion)
	} else {
		for step := range wholeSteps + 1 {
			levels = append(levels, float64(step)/wholeSteps)
		}
	}
	slices.SortStableFunc(levels, func(a, b float64) int { return cmp.Compare(math.Abs(a-has), math.Abs(b-has)) })
	tried, seen := slices.Clone(grades), map[score.Verdict]bool{now: true}
	for _, level := range levels {
		f := Flip{Grader: grader, ID: grades[i].ID}
		if criterion == nil || criterion.HasBands() {
			f.Score = &level
		} else {
			f.Satisfied = new(level > rubric.LowestScore)
		}
		tried[i].Satisfied, tried[i].Score = f.Satisfied, f.Score
		if r, err := FromTyped(c, tried); err == nil && !seen[r.Verdict] {
			seen[r.Verdict] = true
			f.Case, f.Verdict = r.Score, r.Verdict
			flips = append(flips, f)
		}
	}
	return flips
}

// typedResult is what the typed grades of a grader come to.
func typedResult(c *rubric.Case, g *rubric.Grader, grades []Typed) score.Result {
	terms := score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: c.Threshold}
	if len(g.Criteria) == 0 {
		for _, t := range grades {
			if t.Grader == g.Name && t.ID == "" && t.Score != nil {
				return terms.Apply(score.Spec, g.Name, score.Plain(*t.Score, nil, nil, ""))
			}
		}
		return terms.Apply(score.Spec, g.Name, score.UngradedResult("no score was given"))
	}
	var all []score.Grade
	for _, criterion := range g.Criteria {
		given := score.Grade{ID: criterion.ID, Ungraded: "no grade was given"}
		for _, t := range grades {
			if t.ID == criterion.ID && (t.Grader == "" || t.Grader == g.Name) && (t.Satisfied != nil || t.Score != nil) {
				given = score.Grade{ID: criterion.ID, Satisfied: t.Satisfied, Score: t.Score}
			}
		}
		all = append(all, given)
	}
	return terms.Apply(score.Spec, g.Name, score.Rubric(score.Spec, g.Criteria, all))
}

// known finds fault with a grade of what a case does not have.
func known(c *rubric.Case, graders []*rubric.Grader, grades []Typed) error {
	names, ids := []string{}, []string{}
	has := map[[2]string]bool{}
	for _, g := range graders {
		names = append(names, g.Name)
		has[[2]string{g.Name, ""}] = true
		for _, criterion := range g.Criteria {
			ids = append(ids, criterion.ID)
			has[[2]string{g.Name, criterion.ID}], has[[2]string{"", criterion.ID}] = true, true
		}
	}
	for _, t := range grades {
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
