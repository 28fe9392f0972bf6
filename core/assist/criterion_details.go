package assist

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// details returns what the criterion is worth, as a Markdown list.
func (cr criterionRef) details(results Results) string {
	lines := []string{cr.weightText(), cr.gateText()}
	if cr.criterion().HasBands() {
		lines = append(lines, cr.thresholdText(), describeCoverage(cr.criterion().Bands))
	} else {
		missed := cr.resultAtLevel(bestGrades(cr.grader.Criteria), rubric.LowestScore)
		lines = append(lines, "not satisfied, with all else at its best: "+cr.outcomeText(missed))
	}
	lines = append(lines, cr.influenceText(), convert.CriterionInADK(cr.criterion(), len(cr.grader.Criteria)))
	if o, ran := results[cr.testCase.ID]; ran {
		lines = append(lines, cr.lastRunLines(o)...)
	}
	return bulletList(lines)
}

func bulletList(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}

// weightText describes the criterion's share of the score.
func (cr criterionRef) weightText() string {
	c := cr.criterion()
	weight := "weight " + formatNumber(c.Weight)
	if c.WeightSpan.Empty() {
		weight += " (by default)"
	}
	ofRubric, ofCase, ok := cr.weightShares()
	if !ok {
		return weight + ": the rubric's weights do not give a score"
	}
	line := fmt.Sprintf("%s: **%s** of the rubric's score", weight, formatPercent(ofRubric))
	if len(cr.testCase.Graders) > 1 && !cr.isMember {
		line += ", " + formatPercent(ofCase) + " of the case's"
	}
	return line
}

// gateText describes the criterion's gate. Criteria of a negated rubric have none.
func (cr criterionRef) gateText() string {
	if cr.grader.Negate {
		return "no gate (the rubric is negated)"
	}
	return describeGate(cr.criterion())
}

// describeGate describes what c must reach to avoid the verdict fail.
func describeGate(c *rubric.Criterion) string {
	source := "by default"
	switch {
	case c.HasBands() && c.MinScore != nil, c.Required != nil:
		source = "as written"
	}
	switch minimum := score.Minimum(c); {
	case c.HasBands() && minimum != nil:
		return fmt.Sprintf("gate: at least **%s of 10**, else the verdict is fail (%s)", formatNumber(*minimum), source)
	case !c.HasBands() && c.IsRequired():
		return "gate: **required**, else the verdict is fail (" + source + ")"
	}
	return "no gate (" + source + ")"
}

// outcomeText describes the result of the rubric, and of the case if it has other graders.
func (cr criterionRef) outcomeText(r score.Result) string {
	if r.Ungraded != "" {
		return r.Ungraded
	}
	line := fmt.Sprintf("score %s, **%s**", formatScore(r.Score), r.Verdict)
	if c, ok := cr.caseResult(r); ok && c.Score != nil {
		line += fmt.Sprintf("; the case %s, **%s**", formatScore(*c.Score), c.Verdict)
	}
	return line
}

// thresholdText lists the scores from which each verdict is reached, with all other criteria at
// their best.
func (cr criterionRef) thresholdText() string {
	grades := bestGrades(cr.grader.Criteria)
	var parts []string
	before := score.Verdict("")
	for _, level := range score.Levels(cr.criterion()) {
		r := cr.resultAtLevel(grades, level)
		if r.Ungraded != "" {
			return r.Ungraded
		}
		if r.Verdict != before {
			parts = append(parts, fmt.Sprintf("**%s** from %s", r.Verdict, formatNumber(level)))
			before = r.Verdict
		}
	}
	return "with all else at its best: " + strings.Join(parts, ", ")
}

// describeCoverage lists the bands, and scores that no band or several bands cover.
func describeCoverage(bands []rubric.Band) string {
	var all []string
	for _, b := range bands {
		all = append(all, b.String())
	}
	line := "bands: " + strings.Join(all, ", ")
	if fault := bandFault(bands); fault != "" {
		line += " (" + fault + ")"
	}
	return line
}

// bandFault describes why bands do not cover 0–10 exactly once, or returns "".
func bandFault(bands []rubric.Band) string {
	var faults []string
	if missing := rubric.UncoveredScores(bands); len(missing) > 0 {
		var scores []string
		for _, m := range missing {
			scores = append(scores, strconv.Itoa(m))
		}
		faults = append(faults, "no band covers "+diag.JoinList(scores, "or"))
	}
	if len(rubric.OverlappingBands(bands)) > 0 {
		faults = append(faults, "some bands overlap")
	}
	return strings.Join(faults, ", ")
}

// formatPercent formats a share of 0–1.
func formatPercent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "< 0.1 %"
	}
	return strconv.FormatFloat(math.Round(share*1000)/10, 'f', -1, 64) + " %"
}

// formatNumber formats a number from the file with all digits.
func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// formatScore formats a score with four significant digits, or all of them if rounding would change
// the verdict.
func formatScore(f float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 4, 64), 64)
	if err != nil || score.VerdictOf(short) != score.VerdictOf(f) {
		return formatNumber(f)
	}
	return formatNumber(short)
}

// influenceText says if the criterion decides the verdict alone, or never.
func (cr criterionRef) influenceText() string {
	attainable := explore(cr.testCase, cr.grader)
	switch {
	case !attainable.Known:
		return ""
	case attainable.SoleDecider == cr.index:
		return "it alone decides whether the verdict is fail"
	case len(attainable.Witnesses) == 1:
		for verdict := range attainable.Witnesses {
			return fmt.Sprintf("the rubric's verdict is %s whatever the grades are", verdict)
		}
	case slices.Contains(attainable.NeverDecisive, cr.index):
		return "its grade never changes the verdict"
	}
	return ""
}

// lastRunLines describes the criterion's last grade and what would have flipped the rubric's
// verdict.
func (cr criterionRef) lastRunLines(o Outcome) []string {
	g := o.grade(cr.grader.Name, cr.criterion().ID)
	if g == nil {
		return nil
	}
	line := "last run: **" + describeGrade(g.Grade) + "**" + staleSuffix(g.Stale)
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

// lastGrades returns the last grades of the whole rubric. It is nil if a grade is missing or no
// longer fits its criterion.
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

// flipText says which grade of this criterion would have flipped the verdict; else which grade of
// another one; else what a pass needs.
func (cr criterionRef) flipText(grades []score.Grade) string {
	now := cr.rubricResult(grades)
	if now.Ungraded != "" {
		return ""
	}
	if change := cr.flippingGrade(grades, now.Verdict); change != "" {
		return "what would flip it: " + change
	}
	line := fmt.Sprintf("no other grade of this criterion would change the rubric's %s", now.Verdict)
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
		line += "; a pass needs for example " + describeGrades(witness)
	}
	return line
}

// flippingGrades lists the first single grades that would have flipped a rubric's last verdict, or
// "".
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

// flippingGrade returns the grade of this criterion, nearest to its last one, that gives another
// verdict; "" if none does.
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

func describeGrades(grades []score.Grade) string {
	var all []string
	for _, g := range grades {
		all = append(all, inlineCode(g.ID)+" "+describeGrade(g))
	}
	return diag.JoinList(limitList(all, 6), "and")
}
