package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// wideMatrix has many columns with long names, and cases of several scripts.
func wideMatrix(columns int) *corereport.Matrix {
	var m corereport.Matrix
	for i := range columns {
		for _, id := range []string{"refund-window", "東京の天気はどうですか", "a-case-id-that-is-much-longer-than-the-screen-of-a-telephone"} {
			value := float64(i%2) * 0.5
			rec := run.Record{EvalID: id, Score: &value, Verdict: score.Fail}
			m.AddRun(fmt.Sprintf("provider:a-model-with-a-long-name-%d", i), rec, 0)
		}
	}
	return m.Finish()
}

// matrixText returns the text of a matrix for a screen.
func matrixText(m *corereport.Matrix, style report.Style) string {
	var out strings.Builder
	_ = report.Summary{Title: "runs", Matrix: m}.Text(&out, style) // a strings.Builder has no errors
	return out.String()
}

// TestMatrixFits checks that tables are no wider than the screen, that nothing is cut, and that the
// columns are straight where characters are wide.
func TestMatrixFits(t *testing.T) {
	for _, width := range []int{60, 80, 120, 200} {
		for _, columns := range []int{2, 3, 28} {
			text := matrixText(wideMatrix(columns), report.Style{Width: width})
			for line := range strings.Lines(text) {
				if w := runewidth.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
					t.Errorf("%d columns on %d: %d wide: %s", columns, width, w, line)
				}
			}
			if n := strings.Count(text, "✗ 0.5") + strings.Count(text, "✗ 0 ") + strings.Count(text, "✗ 0\n"); n != 3*columns {
				t.Errorf("%d columns on %d: %d cells\n%s", columns, width, n, text)
			}
			joined := strings.Join(strings.Fields(text), "")
			for _, want := range []string{"東京の天気はどうですか", fmt.Sprintf("name-%d", columns-1)} {
				if !strings.Contains(joined, want) && width > 60 {
					t.Errorf("%d columns on %d: no %s\n%s", columns, width, want, text)
				}
			}
		}
	}
	text := matrixText(wideMatrix(28), report.Style{Width: 80})
	if !strings.Contains(text, "\nAB  provider:") || !strings.Contains(text, "  Z ") {
		t.Errorf("letters name columns that do not fit:\n%s", text)
	}
	column := -1
	for line := range strings.Lines(matrixText(wideMatrix(2), report.Style{Width: 200})) {
		if at := strings.Index(line, "✗ 0"); at >= 0 {
			if w := runewidth.StringWidth(line[:at]); column >= 0 && w != column {
				t.Errorf("a column begins at %d, and before at %d: %s", w, column, line)
			} else {
				column = w
			}
		}
	}
}

// TestMatrixRank ranks columns by the cases that all of them have graded.
func TestMatrixRank(t *testing.T) {
	var m corereport.Matrix
	add := func(column, id string, value float64) {
		m.AddRun(column, run.Record{EvalID: id, Score: &value, Verdict: score.Pass}, 0)
	}
	add("a", "x", 0.9)
	add("a", "y", 0.1) // only a has it
	add("b", "x", 0.8)
	add("c", "x", 0.9)
	m.AddRun("b", run.Record{EvalID: "z", Verdict: score.Ungraded}, 0)
	got := m.Finish()
	if got.Columns[0].Rank != "best" || got.Columns[1].Rank != "worst" || got.Columns[2].Rank != "best" {
		t.Errorf("%+v", got.Columns)
	}
	if cell := got.Rows[2].Cells[0].String() + got.Rows[2].Cells[1].String(); cell != "–?" {
		t.Errorf("a case that is absent, and one that is ungraded: %s", cell)
	}
	if *got.Columns[1].PassRate != 1 {
		t.Errorf("an ungraded case has no part in the pass rate: %v", *got.Columns[1].PassRate)
	}
	if one := (&corereport.Matrix{Columns: got.Columns[:1]}).Finish(); one != nil {
		t.Error("one column is no matrix")
	}
}
