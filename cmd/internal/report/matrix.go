package report

import (
	"io"
	"strings"

	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/text"
)

// drawMatrix draws a line for each column, and then the cases by column. Columns whose names do not
// fit are headed by letters. If there are too many for the screen, the table has several parts.
func (p painter) drawMatrix(w io.StringWriter, m *corereport.Matrix) {
	summary, cases, names := printable(m.Summary()), printable(m.Cases()), 0
	if p.Width > 0 && tableWidth(cases) > p.Width {
		summary[0], names = append([]string{""}, summary[0]...), 1
		for i := range m.Columns {
			letters := columnLetters(i)
			cases[0][i+1] = letters
			summary[i+1] = append([]string{letters}, summary[i+1]...)
		}
	}
	writeLine(w, strings.TrimSuffix(fitTable(summary, p.Width, names, p.paintHead), "\n"))
	for first := 1; first < len(cases[0]); {
		last := first + 1
		for last < len(cases[0]) && (p.Width == 0 || tableWidth(part(cases, first, last+1))-caseOverflow(cases) <= p.Width) {
			last++
		}
		at := first
		writeLine(w, "\n", strings.TrimSuffix(fitTable(part(cases, first, last), p.Width, 0, func(row, column int, cell string) string {
			if row == 0 || column == 0 {
				return p.paintHead(row, column, cell)
			}
			return p.paint(verdictColor[m.Rows[row-1].Cells[at+column-2].Verdict], cell)
		}), "\n"))
		first = last
	}
}

// paintHead paints the cells of a table's head.
func (p painter) paintHead(row, _ int, cell string) string {
	if row == 0 {
		return p.paint(dim, cell)
	}
	return cell
}

// printable returns a table for a screen.
func printable(rows [][]string) [][]string {
	for _, row := range rows {
		for i, cell := range row {
			row[i] = Printable(cell)
		}
	}
	return rows
}

// part returns the first cell of each row, and those from first to before last.
func part(rows [][]string, first, last int) (parts [][]string) {
	return text.Map(rows, func(row []string) []string { return append([]string{row[0]}, row[first:last]...) })
}

// caseOverflow is how much of the first column can be wrapped.
func caseOverflow(rows [][]string) int {
	return max(0, tableWidth(part(rows, 1, 1))-narrowColumn)
}

// columnLetters returns A to Z, AA and so on.
func columnLetters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnLetters(i/26-1) + columnLetters(i%26)
}

// matrixTables returns a matrix as tables for Markdown. It may be nil.
func matrixTables(m *corereport.Matrix) []corereport.Table {
	if m == nil {
		return nil
	}
	summary := m.Summary()
	for _, row := range summary[1:] {
		row[0] = "`" + row[0] + "`"
	}
	return []corereport.Table{{Rows: summary}, {Rows: m.Cases()}}
}
