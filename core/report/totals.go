package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Totals counts the cases of a report or a suite.
type Totals struct {
	Cases         int      `json:"cases"`
	Pass          int      `json:"pass"`
	Borderline    int      `json:"borderline"`
	Fail          int      `json:"fail"`
	Ungraded      int      `json:"ungraded"`       // cases that could not be judged in full
	Errors        int      `json:"errors"`         // cases that were not run to their end
	MissingGrades int      `json:"missing_grades"` // graders and criteria without a grade, in all cases
	MeanScore     *float64 `json:"mean_score"`     // of the cases with a score; nil without any

	Judges  run.ModelUsage `json:"judges_spent"`  // used by judges
	Targets run.ModelUsage `json:"targets_spent"` // used by targets
}

// CountTotals counts the cases of records.
func CountTotals(records []run.Record) (t Totals) {
	for _, rec := range records {
		t.Add(rec)
	}
	return t
}

// Add counts one more case.
func (t *Totals) Add(rec run.Record) {
	t.Cases++
	switch rec.Verdict {
	case score.Pass:
		t.Pass++
	case score.Borderline:
		t.Borderline++
	case score.Ungraded:
		t.Ungraded++
	default:
		t.Fail++
	}
	if rec.Error != "" {
		t.Errors++
	}
	t.MissingGrades += rec.Ungraded
	if rec.Score != nil {
		mean := *rec.Score
		if t.MeanScore != nil {
			mean = *t.MeanScore + (*rec.Score-*t.MeanScore)/float64(t.Scored())
		}
		t.MeanScore = &mean
	}
	t.Judges.Add(rec.JudgeUsage())
	t.Targets.Add(rec.TargetUsage())
}

// UsageLines describes what judges and targets used, one line each.
func (t Totals) UsageLines() (lines []string) {
	for _, who := range []struct {
		name string
		took run.ModelUsage
	}{{"judges", t.Judges}, {"targets", t.Targets}} {
		if text := who.took.String(); text != "" {
			lines = append(lines, who.name+": "+text)
		}
	}
	return lines
}

// Scored counts the cases that have a score.
func (t Totals) Scored() int { return t.Cases - t.Ungraded }

// String returns the totals in one line.
func (t Totals) String() string {
	parts := []string{fmt.Sprintf("%d pass", t.Pass)}
	if t.Borderline > 0 {
		parts = append(parts, fmt.Sprintf("%d borderline", t.Borderline))
	}
	parts = append(parts, fmt.Sprintf("%d fail", t.Fail))
	if t.Ungraded > 0 {
		parts = append(parts, fmt.Sprintf("%d ungraded", t.Ungraded))
	}
	text := strings.Join(parts, ", ")
	if t.Errors > 0 {
		text += fmt.Sprintf(" (%d could not be run)", t.Errors)
	}
	text += "; mean score " + ScoreOf(t.MeanScore)
	if t.MeanScore != nil && t.Ungraded > 0 {
		text += fmt.Sprintf(" (of %s)", diag.CountNoun(t.Scored(), "graded case"))
	}
	if t.MissingGrades > 0 {
		text += "; " + diag.CountNoun(t.MissingGrades, "grade") + " missing"
	}
	return text
}

// ScoreOf is [FormatScore], or a dash without a score.
func ScoreOf(f *float64) string {
	if f == nil {
		return "–"
	}
	return FormatScore(*f)
}

// FormatScore formats a score with at most three decimals. It never rounds up to a threshold that
// the score does not reach.
func FormatScore(f float64) string {
	places := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
	text := places(f)
	for _, bar := range []float64{1, score.PassAt, score.BorderlineAt} {
		if f < bar && text == places(bar) {
			text = places(bar - 0.001)
		}
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Causes returns each reason once why something of a case is ungraded, and whether anything is graded.
func Causes(rec run.Record) (causes []string, graded bool) {
	note := func(cause string) { causes = generic.AppendNew(causes, cause) }
	var add func(run.GraderRecord)
	add = func(g run.GraderRecord) {
		hasCause := false
		for _, grade := range g.Grades {
			if grade.Ungraded == "" {
				graded = true
			} else {
				hasCause = true
				note(grade.Ungraded)
			}
		}
		for _, member := range g.Members {
			add(member)
		}
		switch {
		case g.Metric != nil && g.Metric.Status == metric.NotEvaluated:
			note(g.Metric.Reason)
		case g.Ungraded == "":
			graded = true
		case !hasCause && len(g.Members) == 0:
			note(g.Ungraded)
		}
	}
	for _, g := range rec.Graders {
		add(g)
	}
	if len(rec.Graders) == 0 && rec.Error != "" {
		note(rec.Error)
	}
	return causes, graded
}

// UnreachedCases counts the cases for which a judge or a target could not be reached, or refused. The zero
// value is ready to use.
type UnreachedCases struct {
	unreached, total int
	reason           string // of the first of them
}

// Add counts a case.
func (u *UnreachedCases) Add(rec run.Record) {
	u.total++
	if !rec.Unreachable {
		return
	}
	u.unreached++
	u.reason = cmp.Or(u.reason, rec.Error, unreachedReason(rec.Graders))
	for _, trial := range generic.OrZero(rec.Trials).Runs { // the record is that of another one
		u.reason = cmp.Or(u.reason, trial.Error)
	}
}

// String describes the cases in one sentence; it is "" if all were reached.
func (u UnreachedCases) String() string {
	if u.unreached == 0 {
		return ""
	}
	return fmt.Sprintf("a judge or a target gave no answer in %d of %d cases: %s", u.unreached, u.total, u.reason)
}

func unreachedReason(graders []run.GraderRecord) string {
	for _, g := range graders {
		switch {
		case !g.Unreachable:
		case g.Metric != nil:
			reason := g.Metric.Reason
			for _, t := range g.Metric.Invocations {
				if reason == "" && t.Score == nil {
					reason = t.Reason
				}
			}
			return reason
		case len(g.Members) > 0:
			return unreachedReason(g.Members)
		default:
			return g.Ungraded
		}
	}
	return ""
}
