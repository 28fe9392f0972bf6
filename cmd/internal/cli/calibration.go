package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rubric-ls/rubric/core/calibrate"
)

// writeCalibration is the report for people: a line for each criterion, and what is
// odd beneath.
func writeCalibration(w io.Writer, r calibrate.Report) error {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CRITERION\tN\tEQUAL\tKAPPA\t95 %\tFOUND IT SATISFIED")
	rows := r.Criteria
	for _, overall := range []*calibrate.Criterion{r.Checks, r.Scores} {
		if overall != nil {
			rows = append(rows, *overall)
		}
	}
	for _, c := range rows {
		if c.N == 0 {
			continue
		}
		kappa, bounds := "-", "-"
		if k := c.Kappa; k != nil {
			kappa = fmt.Sprintf("%.3f", k.Value)
			if k.Interval != nil {
				bounds = fmt.Sprintf("%.2f to %.2f", k.Low, k.High)
			}
		}
		fmt.Fprintf(table, "%s\t%d\t%.0f%%\t%s\t%s\t%s\n", tableCell(c.Label()), c.N, c.Accuracy*100, kappa, bounds, describeGrades(c))
	}
	table.Flush()
	for _, c := range r.Criteria {
		for _, remark := range remarks(c) {
			fmt.Fprintf(&out, "%s: %s\n", tableCell(c.Label()), remark)
		}
	}
	for _, label := range r.Unmatched {
		fmt.Fprintf(&out, "%s: no grade is for this label\n", tableCell(label))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// describeGrades says how the two gave their grades.
func describeGrades(c calibrate.Criterion) string {
	if c.Ranged {
		return fmt.Sprintf("mean absolute error %.2f", *c.Error)
	}
	t := c.Table
	return fmt.Sprintf("both %d, only the judge %d, only people %d, neither %d", t.Both, t.JudgeOnly, t.HumanOnly, t.Neither)
}

// remarks are what a criterion's figures do not tell.
func remarks(c calibrate.Criterion) (remarks []string) {
	if c.N > 0 && c.Kappa == nil {
		remarks = append(remarks, "kappa is not defined, for both gave one grade only")
	}
	if c.Constant != "" {
		remarks = append(remarks, "it tells no case from another: "+c.Constant)
	}
	if c.Texts > 0 {
		remarks = append(remarks, fmt.Sprintf("%d criteria with different texts have this id", c.Texts))
	}
	if c.Ungraded > 0 {
		remarks = append(remarks, fmt.Sprintf("the judge gave no grade for %s", plural(c.Ungraded, "label")))
	}
	return remarks
}
