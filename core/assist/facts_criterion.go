package assist

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// facts are what a criterion is worth, as a Markdown list.
func (cr criterionRef) facts(results Results) string {
	lines := []string{cr.weightText(), cr.gateText()}
	if cr.criterion().HasBands() {
		lines = append(lines, cr.thresholdText(), describeCoverage(cr.criterion().Bands))
	} else {
		lines = append(lines, cr.missedText())
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

// weightText is the criterion's share of the score.
func (cr criterionRef) weightText() string {
	c := cr.criterion()
	weight := "weight " + formatNumber(c.Weight)
	if c.WeightSpan.Empty() {
		weight += " (by default)"
	}
	ofRubric, ofCase, ok := cr.weightShares()
	if !ok {
		return weight + ": the weights of the rubric give no score"
	}
	line := fmt.Sprintf("%s: **%s** of the rubric's score", weight, formatPercent(ofRubric))
	if len(cr.testCase.Graders) > 1 && !cr.isMember {
		line += ", " + formatPercent(ofCase) + " of the case's"
	}
	return line
}

// gateText says what has to hold of the criterion; where the opposite of its rubric
// is wanted, nothing has.
func (cr criterionRef) gateText() string {
	if cr.grader.Negate {
		return "no gate (the rubric is negated)"
	}
	return describeGate(cr.criterion())
}

// describeGate says what has to hold lest the verdict is fail.
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

// missedText is what comes of it when this criterion is not satisfied and all else is.
func (cr criterionRef) missedText() string {
	r := cr.resultAtLevel(bestGrades(cr.grader.Criteria), rubric.LowestScore)
	return "not satisfied, with all else at its best: " + cr.outcomeText(r)
}

// outcomeText is what the rubric comes to, and the case if it has other graders.
func (cr criterionRef) outcomeText(r score.Result) string {
	if r.Ungraded != "" {
		return r.Ungraded
	}
	line := fmt.Sprintf("score %s, **%s**", formatScore(r.Score), r.Verdict)
	if c, ok := cr.caseResult(r); ok {
		line += fmt.Sprintf("; the case %s, **%s**", formatScore(c.Score), c.Verdict)
	}
	return line
}

// thresholdText says from which of a criterion's scores on which verdict is
// reached, with all else at its best.
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

// describeCoverage lists the bands and the scores that are in none or in two.
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

// bandFault is what keeps bands from covering 0–10 once, "" if nothing does.
func bandFault(bands []rubric.Band) string {
	var faults []string
	if missing := rubric.UncoveredScores(bands); len(missing) > 0 {
		var scores []string
		for _, m := range missing {
			scores = append(scores, strconv.Itoa(m))
		}
		faults = append(faults, "none holds "+diag.JoinList(scores, "or"))
	}
	if len(rubric.OverlappingBands(bands)) > 0 {
		faults = append(faults, "some overlap")
	}
	return strings.Join(faults, ", ")
}

// formatPercent is a share, 0–1, in percent.
func formatPercent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "< 0.1 %"
	}
	return strconv.FormatFloat(math.Round(share*1000)/10, 'f', -1, 64) + " %"
}

// formatNumber is one that somebody wrote, in full.
func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// formatScore is a score with at most four digits that count, or all of them where
// rounding would show another verdict than that of the score.
func formatScore(f float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 4, 64), 64)
	if err != nil || score.VerdictOf(short) != score.VerdictOf(f) {
		return formatNumber(f)
	}
	return formatNumber(short)
}
