// Package facts describes criteria, cases and outcomes in words that several features show.
package facts

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// WeightText describes the criterion's share of the score.
func (cr CriterionRef) WeightText() string {
	c := cr.Criterion()
	weight := "weight " + score.FormatNumber(c.Weight)
	if c.WeightSpan.Empty() {
		weight += " (by default)"
	}
	ofRubric, ofCase, ok := cr.WeightShares()
	if !ok {
		return weight + ": the rubric's weights do not give a score"
	}
	line := fmt.Sprintf("%s: **%s** of the rubric's score", weight, FormatPercent(ofRubric))
	if len(cr.TestCase.Graders) > 1 && !cr.isMember {
		line += ", " + FormatPercent(ofCase) + " of the case's"
	}
	return line
}

// GateText describes the criterion's gate. Criteria of a negated rubric have none.
func (cr CriterionRef) GateText() string {
	if cr.Grader.Negate {
		return "no gate (the rubric is negated)"
	}
	return describeGate(cr.Criterion())
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
		return fmt.Sprintf("gate: at least **%s of 10**, else the verdict is fail (%s)", score.FormatNumber(*minimum), source)
	case !c.HasBands() && c.IsRequired():
		return "gate: **required**, else the verdict is fail (" + source + ")"
	}
	return "no gate (" + source + ")"
}

// DescribeCoverage lists the bands, and scores that no band or several bands cover.
func DescribeCoverage(bands []rubric.Band) string {
	line := "bands: " + strings.Join(generic.Map(bands, rubric.Band.String), ", ")
	if fault := BandFault(bands); fault != "" {
		line += " (" + fault + ")"
	}
	return line
}

// BandFault describes why bands do not cover 0–10 exactly once, or returns "".
func BandFault(bands []rubric.Band) string {
	var faults []string
	if missing := rubric.UncoveredScores(bands); len(missing) > 0 {
		faults = append(faults, "no band covers "+diag.JoinList(generic.Map(missing, strconv.Itoa), "or"))
	}
	if len(rubric.OverlappingBands(bands)) > 0 {
		faults = append(faults, "some bands overlap")
	}
	return strings.Join(faults, ", ")
}

// DescribeGrade describes a grade in Markdown.
func DescribeGrade(g score.Grade) string {
	switch {
	case g.Ungraded != "":
		return "ungraded: " + EscapeMarkdown(g.Ungraded)
	case g.Score != nil:
		return score.FormatNumber(*g.Score) + " of 10"
	case g.Satisfied != nil && *g.Satisfied:
		return "satisfied"
	}
	return "not satisfied"
}

// TurnMeasurements returns the metrics of one turn as lines. It returns none if the case ran several
// times or has changed, because results then cannot be matched to turns.
func TurnMeasurements(results ide.Results, c adk.Case, turn int) (lines []string) {
	o := results[c.ID]
	for _, m := range o.Metrics {
		if len(m.Invocations) == len(c.Turns) && !o.Stale {
			t := m.Invocations[turn]
			lines = append(lines, InlineCode(m.Metric)+": "+DescribeMeasurement(t.Status, t.Score, m.Threshold, t.Reason))
		}
	}
	if took := o.Informational; took != nil && len(took.Turns) == len(c.Turns) && !o.Stale {
		lines = append(lines, "took "+took.Turns[turn].String())
	}
	return lines
}

// DescribeMeasurement compares a score with its threshold.
func DescribeMeasurement(status metric.Status, value *float64, threshold float64, reason string) string {
	if status == metric.NotEvaluated || value == nil {
		return "**not evaluated**: " + EscapeMarkdown(reason)
	}
	line := fmt.Sprintf("**passed**: %s, from %s", report.FormatScore(*value), score.FormatNumber(threshold))
	if status == metric.Failed {
		line = fmt.Sprintf("**failed**: %s, below %s", report.FormatScore(*value), score.FormatNumber(threshold))
	}
	if reason != "" {
		line += "; " + EscapeMarkdown(reason)
	}
	return line
}

// BulletList formats the non-empty lines as a Markdown list.
func BulletList(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}

// FormatPercent formats a share of 0–1.
func FormatPercent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "< 0.1 %"
	}
	return strconv.FormatFloat(math.Round(share*1000)/10, 'f', -1, 64) + " %"
}

// StaleSuffix returns the note after an outdated result.
func StaleSuffix(stale bool) string {
	if stale {
		return " (stale)"
	}
	return ""
}

// Summarise describes the outcome in a few words.
func Summarise(o ide.Outcome) string {
	line := string(o.Verdict)
	if o.Score != nil {
		line += ", score " + report.FormatScore(*o.Score)
	}
	if o.Ungraded > 0 {
		line += fmt.Sprintf(", %d %s missing", o.Ungraded, diag.Plural(o.Ungraded, "grade", "grades"))
	}
	return line + StaleSuffix(o.Stale)
}

// markdownEscaper escapes the special characters of Markdown.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "!", `\!`, "&", `\&`)

// EscapeMarkdown returns text by a judge or program as one line of literal Markdown, shortened. Words between
// backticks stay code.
func EscapeMarkdown(text string) string {
	var b strings.Builder
	text = oneLine(text)
	for {
		before, rest, _ := strings.Cut(text, "`")
		code, after, isCode := strings.Cut(rest, "`")
		if !isCode || code == "" || strings.HasPrefix(after, "`") {
			return b.String() + markdownEscaper.Replace(text)
		}
		b.WriteString(markdownEscaper.Replace(before) + "`" + code + "`")
		text = after
	}
}

// InlineCode returns a name from the file as Markdown code.
func InlineCode(name string) string { return "`" + strings.ReplaceAll(oneLine(name), "`", "'") + "`" }

func oneLine(text string) string { return excerpt.Shorten(text, 400) }

// ShortLine shortens text for outlines and messages.
func ShortLine(words string) string { return excerpt.Shorten(words, 80) }
