package assist

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// influenceText says so if the criterion decides all or nothing.
func (cr criterionRef) influenceText() string {
	reach := explore(cr.testCase, cr.grader)
	switch {
	case !reach.Known:
		return ""
	case reach.SoleDecider == cr.index:
		return "it decides alone whether the verdict is a fail"
	case len(reach.Witnesses) == 1:
		for verdict := range reach.Witnesses {
			return fmt.Sprintf("the rubric's verdict is %s whatever the grades are", verdict)
		}
	case slices.Contains(reach.NeverDecisive, cr.index):
		return "its grade never changes the verdict"
	}
	return ""
}

// lastRunLines is the criterion's grade in the last run, and what would have changed the
// rubric's verdict.
func (cr criterionRef) lastRunLines(o Outcome) []string {
	g := o.grade(cr.grader.Name, cr.criterion().ID)
	if g == nil {
		return nil
	}
	line := "last run: **" + describeGrade(g.Grade) + "**"
	if g.Stale {
		line += " (stale)"
	}
	if votes := g.Grade.VoteSummary(); votes != "" {
		line += " (" + votes + ")"
	}
	if g.Grade.Reasoning != "" {
		line += "; " + escapeMarkdown(g.Grade.Reasoning)
	}
	lines := []string{line}
	if grades := cr.lastGrades(o); grades != nil {
		lines = append(lines, cr.flipText(grades))
	}
	return lines
}

// lastGrades are the last run's grades of the whole rubric, nil if one is missing
// or does not fit its criterion any more.
func (cr criterionRef) lastGrades(o Outcome) []score.Grade {
	var grades []score.Grade
	for _, c := range cr.grader.Criteria {
		g := o.grade(cr.grader.Name, c.ID)
		if g == nil || (g.Grade.Score == nil) == c.HasBands() || (g.Grade.Satisfied == nil) != c.HasBands() {
			return nil
		}
		grades = append(grades, g.Grade)
	}
	return grades
}

// flipText says which grade of this criterion would have changed the verdict, else
// which of another one, else what a pass takes.
func (cr criterionRef) flipText(grades []score.Grade) string {
	now := cr.rubricResult(grades)
	if now.Ungraded != "" {
		return ""
	}
	if change := cr.flippingGrade(grades, now.Verdict); change != "" {
		return "what would flip it: " + change
	}
	line := fmt.Sprintf("no other grade of it would change the rubric's %s", now.Verdict)
	for i, c := range cr.grader.Criteria {
		other := cr
		other.index = i
		if change := other.flippingGrade(grades, now.Verdict); change != "" {
			return line + "; " + inlineCode(c.ID) + " would: " + change
		}
	}
	if now.Verdict == score.Pass {
		return line
	}
	if witness := explore(cr.testCase, cr.grader).Witnesses[score.Pass]; witness != nil {
		line += "; a pass takes as much as " + describeGrades(witness)
	}
	return line
}

// flippingGrades are single grades that would have changed a rubric's verdict in the last
// run, the first few of them; "" if there are none.
func flippingGrades(c *rubric.Case, g *rubric.Grader, o Outcome) string {
	const most = 3
	var all []string
	for i := range g.Criteria {
		cr := criterionRef{testCase: c, grader: g, index: i}
		grades := cr.lastGrades(o)
		if grades == nil || len(all) == most {
			break
		}
		if change := cr.flippingGrade(grades, cr.rubricResult(grades).Verdict); change != "" {
			all = append(all, inlineCode(cr.criterion().ID)+" "+change)
		}
	}
	if all == nil {
		return ""
	}
	return "what would flip " + inlineCode(g.Name) + ": " + diag.JoinList(all, "or")
}

// flippingGrade is the grade of this criterion that is nearest to the one it has and
// has another verdict; "" if none has.
func (cr criterionRef) flippingGrade(grades []score.Grade, verdict score.Verdict) string {
	has := gradeLevel(grades[cr.index])
	all := score.Levels(cr.criterion())
	slices.SortStableFunc(all, func(a, b float64) int { return cmp.Compare(math.Abs(a-has), math.Abs(b-has)) })
	for _, level := range all {
		if r := cr.resultAtLevel(grades, level); r.Verdict != verdict && r.Ungraded == "" {
			return fmt.Sprintf("%s gives score %s, **%s**", describeGrade(gradeAt(cr.criterion(), level)), formatScore(r.Score), r.Verdict)
		}
	}
	return ""
}

// gradeLevel is a grade on the scale of 0 to 10.
func gradeLevel(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score
	case g.Satisfied != nil && *g.Satisfied:
		return rubric.HighestScore
	}
	return rubric.LowestScore
}

func describeGrade(g score.Grade) string {
	switch {
	case g.Ungraded != "":
		return "ungraded: " + escapeMarkdown(g.Ungraded)
	case g.Score != nil:
		return formatNumber(*g.Score) + " of 10"
	case g.Satisfied != nil && *g.Satisfied:
		return "satisfied"
	}
	return "not satisfied"
}

// describeGrades names grades, of many the first.
func describeGrades(grades []score.Grade) string {
	const named = 6
	var all []string
	for i, g := range grades {
		if i == named && len(grades) > named+1 {
			all = append(all, fmt.Sprintf("%d more", len(grades)-named))
			break
		}
		all = append(all, inlineCode(g.ID)+" "+describeGrade(g))
	}
	return diag.JoinList(all, "and")
}
