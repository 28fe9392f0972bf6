package hover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// details returns what the criterion is worth, as a Markdown list.
func details(cr facts.CriterionRef, results ide.Results) string {
	lines := []string{cr.WeightText(), cr.GateText()}
	if cr.Criterion().HasBands() {
		lines = append(lines, thresholdText(cr), facts.DescribeCoverage(cr.Criterion().Bands))
	} else {
		missed := cr.ResultAtLevel(score.BestGrades(cr.Grader.Criteria), rubric.LowestScore)
		lines = append(lines, "not satisfied, with all else at its best: "+outcomeText(cr, missed))
	}
	lines = append(lines, influenceText(cr))
	if o, ran := results[cr.TestCase.ID]; ran {
		lines = append(lines, lastRunLines(cr, o)...)
	}
	return facts.BulletList(lines)
}

// outcomeText describes the result of the rubric, and of the case if it has other graders.
func outcomeText(cr facts.CriterionRef, r score.Result) string {
	if r.Ungraded != "" {
		return r.Ungraded
	}
	line := fmt.Sprintf("score %s, **%s**", report.FormatScore(*r.Score), r.Verdict)
	if c, ok := cr.CaseResult(r); ok && c.Score != nil {
		line += fmt.Sprintf("; the case %s, **%s**", report.FormatScore(*c.Score), c.Verdict)
	}
	return line
}

// thresholdText lists the scores from which each verdict is reached, with all other criteria at
// their best.
func thresholdText(cr facts.CriterionRef) string {
	grades := score.BestGrades(cr.Grader.Criteria)
	var parts []string
	before := score.Verdict("")
	for _, level := range score.Levels(cr.Criterion()) {
		r := cr.ResultAtLevel(grades, level)
		if r.Ungraded != "" {
			return r.Ungraded
		}
		if r.Verdict != before {
			parts = append(parts, fmt.Sprintf("**%s** from %s", r.Verdict, score.FormatNumber(level)))
			before = r.Verdict
		}
	}
	return "with all else at its best: " + strings.Join(parts, ", ")
}

// influenceText says if the criterion decides the verdict alone, or never.
func influenceText(cr facts.CriterionRef) string {
	attainable := facts.Explore(cr.TestCase, cr.Grader)
	switch {
	case !attainable.Known:
		return ""
	case attainable.SoleDecider == cr.Index:
		return "it alone decides whether the verdict is fail"
	case len(attainable.Witnesses) == 1:
		for verdict := range attainable.Witnesses {
			return fmt.Sprintf("the rubric's verdict is %s whatever the grades are", verdict)
		}
	case slices.Contains(attainable.NeverDecisive, cr.Index):
		return "its grade never changes the verdict"
	}
	return ""
}

// lastRunLines describes the criterion's last grade and what would have flipped the rubric's
// verdict.
func lastRunLines(cr facts.CriterionRef, o ide.Outcome) []string {
	g := o.FindGrade(cr.Grader.Name, cr.Criterion().ID)
	if g == nil {
		return nil
	}
	line := "last run: **" + facts.DescribeGrade(g.Grade) + "**" + facts.StaleSuffix(g.Stale)
	if votes := g.Grade.VoteSummary(); votes != "" {
		line += " (" + votes + ")"
	}
	if g.Grade.Reasoning != "" {
		line += "; " + facts.EscapeMarkdown(g.Grade.Reasoning)
	}
	lines := []string{line}
	if grades := lastGrades(cr, o); grades != nil {
		lines = append(lines, flipText(cr, grades))
	}
	return lines
}

// lastGrades returns the last grades of the whole rubric. It is nil if a grade is missing or no
// longer fits its criterion.
func lastGrades(cr facts.CriterionRef, o ide.Outcome) []score.Grade {
	var grades []score.Grade
	for _, c := range cr.Grader.Criteria {
		g := o.FindGrade(cr.Grader.Name, c.ID)
		if g == nil || (g.Grade.Score == nil) == c.HasBands() || (g.Grade.Satisfied == nil) != c.HasBands() {
			return nil
		}
		grades = append(grades, g.Grade)
	}
	return grades
}

// flipText says which grade of this criterion would have flipped the verdict; else which grade of
// another one; else what a pass needs.
func flipText(cr facts.CriterionRef, grades []score.Grade) string {
	now := cr.RubricResult(grades)
	if now.Ungraded != "" {
		return ""
	}
	if change := flippingGrade(cr, grades, now.Verdict); change != "" {
		return "what would flip it: " + change
	}
	line := fmt.Sprintf("no other grade of this criterion would change the rubric's %s", now.Verdict)
	for i, c := range cr.Grader.Criteria {
		other := cr
		other.Index = i
		if change := flippingGrade(other, grades, now.Verdict); change != "" {
			return line + "; " + facts.InlineCode(c.ID) + " would: " + change
		}
	}
	if now.Verdict == score.Pass {
		return line
	}
	if witness := facts.Explore(cr.TestCase, cr.Grader).Witnesses[score.Pass]; witness != nil {
		line += "; a pass needs for example " + describeGrades(witness)
	}
	return line
}

// FlippingGrades lists the first single grades that would have flipped a rubric's last verdict, or
// "".
func FlippingGrades(c *rubric.Case, g *rubric.Grader, o ide.Outcome) string {
	const most = 3
	var all []string
	for i := range g.Criteria {
		cr := facts.CriterionRef{TestCase: c, Grader: g, Index: i}
		grades := lastGrades(cr, o)
		if grades == nil || len(all) == most {
			break
		}
		if change := flippingGrade(cr, grades, cr.RubricResult(grades).Verdict); change != "" {
			all = append(all, facts.InlineCode(cr.Criterion().ID)+" "+change)
		}
	}
	if all == nil {
		return ""
	}
	return "what would flip " + facts.InlineCode(g.Name) + ": " + diag.JoinList(all, "or")
}

// flippingGrade returns the grade of this criterion, nearest to its last one, that gives another
// verdict; "" if none does.
func flippingGrade(cr facts.CriterionRef, grades []score.Grade, verdict score.Verdict) string {
	has := gradeLevel(grades[cr.Index])
	all := score.Levels(cr.Criterion())
	generic.SortStable(all, func(a, b float64) int { return cmp.Compare(math.Abs(a-has), math.Abs(b-has)) })
	for _, level := range all {
		if r := cr.ResultAtLevel(grades, level); r.Verdict != verdict && r.Ungraded == "" {
			return fmt.Sprintf("%s gives score %s, **%s**", facts.DescribeGrade(score.GradeAt(cr.Criterion(), level)), report.FormatScore(*r.Score), r.Verdict)
		}
	}
	return ""
}

// gradeLevel returns a grade on the scale 0 to 10.
func gradeLevel(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score
	case g.Satisfied != nil && *g.Satisfied:
		return rubric.HighestScore
	}
	return rubric.LowestScore
}

func describeGrades(grades []score.Grade) string {
	all := generic.Map(grades, func(g score.Grade) string { return facts.InlineCode(g.ID) + " " + facts.DescribeGrade(g) })
	return diag.JoinList(limitList(all, 6), "and")
}

// limitList replaces all but the first n texts by their number, if that is shorter.
func limitList(all []string, n int) []string {
	if len(all) <= n+1 {
		return all
	}
	return append(all[:n:n], fmt.Sprintf("%d more", len(all)-n))
}
