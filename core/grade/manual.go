package grade

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
)

// ManualGrade is a grade that a person enters for a criterion or, without one, for a whole grader.
type ManualGrade struct {
	Grader    string   `json:"grader,omitempty"` // "" for any grader with the criterion
	ID        string   `json:"id,omitempty"`     // of the criterion
	Turn      int      `json:"turn,omitempty"`   // of a recorded conversation, from 1; 0 for all turns
	Satisfied *bool    `json:"satisfied,omitempty"`
	Score     *float64 `json:"score,omitempty"` // of a criterion 0–10, of a grader 0–1
}

// ManualResult is the result of a case with manual grades.
type ManualResult struct {
	Score    *float64             `json:"score"` // 0–1; nil if the verdict is ungraded
	Verdict  score.Verdict        `json:"verdict"`
	Gates    []score.Gate         `json:"gates"`
	Hits     []string             `json:"hits"`
	Misses   []string             `json:"misses"`
	Ungraded int                  `json:"ungraded"`
	Reasons  []string             `json:"reasons"`
	Graders  []ManualGraderResult `json:"graders"`
}

// ManualGraderResult is the result of one grader with manual grades.
type ManualGraderResult struct {
	Name    string        `json:"name"`
	Score   *float64      `json:"score"` // 0–1; nil if the verdict is ungraded
	Verdict score.Verdict `json:"verdict"`
}

// ScoreManually scores a case with manual grades. Criteria and graders without one are ungraded. An
// error reports a grade for an unknown criterion or grader.
func ScoreManually(c *rubric.Case, grades []ManualGrade) (ManualResult, error) {
	graders := GradersOf(c)
	if err := checkTargets(c, graders, grades); err != nil {
		return ManualResult{}, err
	}
	result := ManualResult{Graders: []ManualGraderResult{}}
	var parts []score.WeightedResult
	for _, g := range graders {
		part := score.WeightedResult{Name: g.Name, Weight: g.Weight, Result: gradeManually(c, g, grades)}
		parts = append(parts, part)
		result.Graders = append(result.Graders, ManualGraderResult{g.Name, part.Result.Score, part.Result.Verdict})
	}
	whole := score.Case(score.Spec, c.PassAt(false), parts)
	result.Score, result.Verdict, result.Gates, result.Hits, result.Misses = whole.Score, whole.Verdict, whole.Gates, whole.Hits, whole.Misses
	result.Ungraded, result.Reasons = whole.Ungraded, append([]string{}, whole.Reasons...) // encoded as [], not null
	return result, nil
}

// VerdictFlip is another grade of a criterion, or of a grader without criteria, that changes the
// case's verdict.
type VerdictFlip struct {
	Grader    string        `json:"grader"`
	ID        string        `json:"id"` // of the criterion; "" for the whole grader
	Satisfied *bool         `json:"satisfied,omitempty"`
	Score     *float64      `json:"score,omitempty"` // of a criterion 0–10, of a grader 0–1
	CaseScore *float64      `json:"case_score"`      // 0–1, with that grade
	Verdict   score.Verdict `json:"verdict"`
}

// FindFlips returns for each manual grade the nearest other grades that change the case's verdict:
// one for each possible verdict, the nearest first.
func FindFlips(c *rubric.Case, grades []ManualGrade) (flips []VerdictFlip, err error) {
	now, err := ScoreManually(c, grades)
	if err != nil {
		return nil, err
	}
	for i, t := range grades {
		if g, criterion := findTarget(GradersOf(c), t); g != nil {
			flips = append(flips, flipsForGrade(c, g, criterion, grades, i, now.Verdict)...)
		}
	}
	return flips, nil
}

// findTarget returns the first grader that a grade is about, and its criterion unless the grade is
// about a grader without criteria. It returns nil if the grade is empty.
func findTarget(graders []*rubric.Grader, t ManualGrade) (*rubric.Grader, *rubric.Criterion) {
	for _, g := range graders {
		if !t.isAbout(g) {
			continue
		}
		if t.ID == "" && len(g.Criteria) == 0 {
			return g, nil
		}
		for _, criterion := range g.Criteria {
			if criterion.ID == t.ID {
				return g, criterion
			}
		}
	}
	return nil, nil
}

func (t ManualGrade) isAbout(g *rubric.Grader) bool {
	return (t.Grader == "" || t.Grader == g.Name) && (t.Satisfied != nil || t.Score != nil)
}

// graderSteps is the number of steps tried between 0 and 1 for a whole grader.
const graderSteps = 20

// flipsForGrade tries other levels for the grade at i, the nearest first: those of its criterion
// or, if that is nil, scores of a whole grader.
func flipsForGrade(c *rubric.Case, g *rubric.Grader, criterion *rubric.Criterion, grades []ManualGrade, i int, now score.Verdict) (flips []VerdictFlip) {
	has := float64(rubric.LowestScore)
	switch t := grades[i]; {
	case t.Score != nil:
		has = *t.Score
	case *t.Satisfied:
		has = rubric.HighestScore
	}
	var levels []float64
	switch {
	case criterion != nil:
		levels = score.Levels(criterion)
	case IsYesNo(g):
		levels = []float64{0, 1}
	default:
		for step := range graderSteps + 1 {
			levels = append(levels, float64(step)/graderSteps)
		}
	}
	generic.SortStable(levels, func(a, b float64) int { return cmp.Compare(math.Abs(a-has), math.Abs(b-has)) })
	changed, seen := slices.Clone(grades), map[score.Verdict]bool{now: true}
	for _, level := range levels {
		f := VerdictFlip{Grader: g.Name, ID: grades[i].ID}
		if criterion == nil || criterion.HasBands() {
			f.Score = &level
		} else {
			f.Satisfied = new(level > rubric.LowestScore)
		}
		changed[i].Satisfied, changed[i].Score = f.Satisfied, f.Score
		if r, _ := ScoreManually(c, changed); !seen[r.Verdict] { // its targets are those of grades
			seen[r.Verdict] = true
			f.CaseScore, f.Verdict = r.Score, r.Verdict
			flips = append(flips, f)
		}
	}
	return flips
}

func gradeManually(c *rubric.Case, g *rubric.Grader, grades []ManualGrade) score.Result {
	result := score.UngradedResult("no score was given")
	if len(g.Criteria) == 0 {
		if i := slices.IndexFunc(grades, func(t ManualGrade) bool { return t.Grader == g.Name && t.Score != nil }); i >= 0 {
			result = score.PlainResult(*grades[i].Score, nil, nil, "")
		}
	} else {
		all := ungradedGrades(g.Criteria, "no grade was given")
		for i, criterion := range g.Criteria {
			for _, t := range grades {
				if t.ID == criterion.ID && t.isAbout(g) {
					all[i] = score.Grade{ID: criterion.ID, Satisfied: t.Satisfied, Score: t.Score}
				}
			}
		}
		result = score.Rubric(score.Spec, g.Criteria, all)
	}
	return termsOf(c, g, score.Spec).Apply(score.Spec, g.Name, result)
}

func checkTargets(c *rubric.Case, graders []*rubric.Grader, grades []ManualGrade) error {
	var names, ids []string
	for _, g := range graders {
		names = append(names, g.Name)
		for _, criterion := range g.Criteria {
			ids = append(ids, criterion.ID)
		}
	}
	for _, t := range grades {
		isTarget := func(g *rubric.Grader) bool {
			hasID := slices.ContainsFunc(g.Criteria, func(criterion *rubric.Criterion) bool { return criterion.ID == t.ID })
			return t.Grader == g.Name && t.ID == "" || (t.Grader == g.Name || t.Grader == "") && hasID
		}
		switch {
		case slices.ContainsFunc(graders, isTarget):
		case t.ID != "":
			return fmt.Errorf("the case `%s` has no criterion `%s`%s", c.ID, t.ID, spell.DidYouMean(t.ID, ids))
		default:
			return fmt.Errorf("the case `%s` has no grader `%s`%s", c.ID, t.Grader, spell.DidYouMean(t.Grader, names))
		}
	}
	return nil
}
