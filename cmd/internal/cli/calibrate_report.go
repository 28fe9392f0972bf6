package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/score"
)

// calibrationSummary has the figures of each criterion. A kappa below the lowest fails.
func calibrationSummary(r calibrate.Report, file string, minKappa float64) report.Summary {
	s := report.Summary{Title: fmt.Sprintf("Agreement of the judge with %s", diag.CountNoun(r.Labels, "label")), Lines: calibrationRemarks(r), Tables: []corereport.Table{{Rows: calibrationRows(r)}}}
	below := r.BelowKappa(minKappa)
	for _, c := range r.Criteria {
		if c.N+c.Ungraded+c.Stale == 0 { // without a label
			continue
		}
		check := report.Check{Group: "calibration", Name: c.Label(), State: report.Passed, File: file}
		isBelow := slices.ContainsFunc(below, func(b calibrate.Criterion) bool { return b.Label() == c.Label() && b.Ranged == c.Ranged })
		switch {
		case minKappa <= -1 || !isBelow:
		case c.N == 0:
			check.State, check.Message = report.NoResult, fmt.Sprintf("there are no grades for the kappa of %v", minKappa)
		default:
			check.State, check.Message = report.Failed, fmt.Sprintf("the kappa is %s; the minimum is %v", describeKappa(c), minKappa)
		}
		s.Checks = append(s.Checks, check)
	}
	return s
}

// calibrationRows has a line for each criterion, after a head.
func calibrationRows(r calibrate.Report) [][]string {
	criteria := r.Criteria
	for _, overall := range []*calibrate.Criterion{r.Checks, r.Scores} {
		if overall != nil {
			criteria = append(criteria, *overall)
		}
	}
	rows := [][]string{{"CRITERION", "N", "EQUAL", "95 %", fmt.Sprintf("FOR ± %v", r.Within), "KAPPA", "95 %", "SATISFIED"}}
	for _, c := range criteria {
		if c.N == 0 {
			continue
		}
		kappa, bounds := "-", "-"
		if k := c.Kappa; k != nil {
			kappa = fmt.Sprintf("%.3f", k.Value)
			if k.Interval != nil {
				bounds = describeInterval(k.Low, k.High)
			}
		}
		rows = append(rows, []string{tableCell(c.Label()), strconv.Itoa(c.N), score.FormatPercent(c.Accuracy),
			describeInterval(c.AccuracyInterval.Low, c.AccuracyInterval.High), fmt.Sprintf("%d more", c.MoreLabels), kappa, bounds, describeGrades(c)})
	}
	return rows
}

func describeInterval(low, high float64) string { return fmt.Sprintf("%.2f to %.2f", low, high) }

// calibrationRemarks returns what the figures do not show, a sentence each.
func calibrationRemarks(r calibrate.Report) (all []string) {
	for _, c := range r.Criteria {
		all = append(all, generic.Map(remarks(c), func(remark string) string { return fmt.Sprintf("%s: %s", tableCell(c.Label()), remark) })...)
	}
	say := func(labels []string, what string) {
		all = append(all, generic.Map(labels, func(label string) string { return tableCell(label) + ": " + what })...)
	}
	say(r.Unmatched, "no grade matches this label")
	say(r.Disputed, "people disagree, and as many found it satisfied as not; it is not counted")
	say(r.Stale, "the label is stale and not counted: the question, the criterion or the answer has changed since")
	return all
}

// describeGrades describes the grades of judge and people.
func describeGrades(c calibrate.Criterion) string {
	if c.Ranged {
		return fmt.Sprintf("mean absolute error %.2f", *c.Error)
	}
	t := c.Table
	return fmt.Sprintf("both %d, only the judge %d, only people %d, neither %d", t.Both, t.JudgeOnly, t.HumanOnly, t.Neither)
}

// remarks returns notes that the figures of a criterion do not show.
func remarks(c calibrate.Criterion) (remarks []string) {
	if c.N > 0 && c.Kappa == nil {
		remarks = append(remarks, "kappa is not defined: people or the judge gave only one grade")
	}
	if len(c.FalsePositives) > 0 {
		remarks = append(remarks, "only the judge found it satisfied in "+listCases(c.FalsePositives))
	}
	if len(c.FalseNegatives) > 0 {
		remarks = append(remarks, "only people found it satisfied in "+listCases(c.FalseNegatives))
	}
	if a := c.People; a != nil {
		line := fmt.Sprintf("people agree on %s with an alpha of %.3f", diag.CountNoun(a.Units, "answer"), a.Value)
		if a.Interval != nil {
			line += ", 95 % " + describeInterval(a.Interval.Low, a.Interval.High)
		}
		remarks = append(remarks, line)
	}
	if d := c.Drift; d != nil {
		kind := "no more than by chance"
		if d.Changed() {
			kind = "more than by chance"
		}
		remarks = append(remarks, fmt.Sprintf("equal grades went from %s of %d to %s of %d: %+.2f, 95 %% %+.2f to %+.2f, %s",
			score.FormatPercent(d.Accuracy), d.N, score.FormatPercent(c.Accuracy), c.N, c.Accuracy-d.Accuracy, d.Interval.Low, d.Interval.High, kind))
	}
	if c.Constant != "" {
		remarks = append(remarks, "it does not distinguish cases: "+c.Constant)
	}
	if c.Texts > 0 && c.N > 0 {
		remarks = append(remarks, fmt.Sprintf("%d criteria with different texts have this id", c.Texts))
	}
	if c.Ungraded > 0 {
		remarks = append(remarks, fmt.Sprintf("the judge did not grade %s", diag.CountNoun(c.Ungraded, "label")))
	}
	return remarks
}

// listCases lists ids of cases, of many the first.
func listCases(ids []string) string {
	const most = 10
	list := strings.Join(generic.Map(ids[:min(most, len(ids))], tableCell), "; ")
	if len(ids) > most {
		list += fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return list
}

// describeKappa returns a criterion's kappa, or why there is none.
func describeKappa(c calibrate.Criterion) string {
	switch {
	case c.Kappa != nil:
		return fmt.Sprintf("%.3f", c.Kappa.Value)
	case c.N > 0:
		return "not defined"
	}
	return "no grades"
}
