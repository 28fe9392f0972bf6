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
func (s stake) facts(results Results) string {
	lines := []string{s.worth(), s.gate()}
	if s.criterion().Ranged() {
		lines = append(lines, s.thresholds(), coverage(s.criterion().Bands))
	} else {
		lines = append(lines, s.missed())
	}
	lines = append(lines, s.sway(), convert.InADK(s.criterion(), len(s.grader.Criteria)))
	if o, ran := results[s.of.ID]; ran {
		lines = append(lines, s.last(o)...)
	}
	return bullets(lines)
}

func bullets(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}

// worth is the criterion's share of the score.
func (s stake) worth() string {
	c := s.criterion()
	weight := "weight " + number(c.Weight)
	if c.WeightSpan.Empty() {
		weight += " (by default)"
	}
	ofRubric, ofCase, ok := s.share()
	if !ok {
		return weight + ": the weights of the rubric give no score"
	}
	line := fmt.Sprintf("%s: **%s** of the rubric's score", weight, percent(ofRubric))
	if len(s.of.Graders) > 1 && !s.within {
		line += ", " + percent(ofCase) + " of the case's"
	}
	return line
}

// gate says what has to hold of the criterion; where the opposite of its rubric
// is wanted, nothing has.
func (s stake) gate() string {
	if s.grader.Negate {
		return "no gate (the rubric is negated)"
	}
	return gateWords(s.criterion())
}

// gateWords says what has to hold lest the verdict is fail.
func gateWords(c *rubric.Criterion) string {
	source := "by default"
	switch {
	case c.Ranged() && c.MinScore != nil, c.Required != nil:
		source = "as written"
	}
	switch minimum := score.Minimum(c); {
	case c.Ranged() && minimum != nil:
		return fmt.Sprintf("gate: at least **%s of 10**, else the verdict is fail (%s)", number(*minimum), source)
	case !c.Ranged() && c.Must():
		return "gate: **required**, else the verdict is fail (" + source + ")"
	}
	return "no gate (" + source + ")"
}

// missed is what comes of it when this criterion is not satisfied and all else is.
func (s stake) missed() string {
	r := s.given(best(s.grader.Criteria), rubric.Lowest)
	return "not satisfied, with all else at its best: " + s.outcome(r)
}

// outcome is what the rubric comes to, and the case if it has other graders.
func (s stake) outcome(r score.Result) string {
	if r.Ungraded != "" {
		return r.Ungraded
	}
	said := fmt.Sprintf("score %s, **%s**", rounded(r.Score), r.Verdict)
	if c, ok := s.whole(r); ok {
		said += fmt.Sprintf("; the case %s, **%s**", rounded(c.Score), c.Verdict)
	}
	return said
}

// thresholds says from which of a criterion's scores on which verdict is
// reached, with all else at its best.
func (s stake) thresholds() string {
	grades := best(s.grader.Criteria)
	var said []string
	before := score.Verdict("")
	for _, level := range score.Levels(s.criterion()) {
		r := s.given(grades, level)
		if r.Ungraded != "" {
			return r.Ungraded
		}
		if r.Verdict != before {
			said = append(said, fmt.Sprintf("**%s** from %s", r.Verdict, number(level)))
			before = r.Verdict
		}
	}
	return "with all else at its best: " + strings.Join(said, ", ")
}

// coverage lists the bands and the scores that are in none or in two.
func coverage(bands []rubric.Band) string {
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
	if missing := rubric.Uncovered(bands); len(missing) > 0 {
		var scores []string
		for _, m := range missing {
			scores = append(scores, strconv.Itoa(m))
		}
		faults = append(faults, "none holds "+diag.Listed(scores, "or"))
	}
	if len(rubric.Overlaps(bands)) > 0 {
		faults = append(faults, "some overlap")
	}
	return strings.Join(faults, ", ")
}

// percent is a share, 0–1, in percent.
func percent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "< 0.1 %"
	}
	return strconv.FormatFloat(math.Round(share*1000)/10, 'f', -1, 64) + " %"
}

// number is one that somebody wrote, in full.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// rounded is a score with at most four digits that count, or all of them where
// rounding would show another verdict than that of the score.
func rounded(f float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 4, 64), 64)
	if err != nil || score.VerdictOf(short) != score.VerdictOf(f) {
		return number(f)
	}
	return number(short)
}
