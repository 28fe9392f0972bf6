package report

import (
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
)

// columns measures text in terminal columns. It does not depend on the machine's locale,
// so that equal runs print equal tables.
var columns = &runewidth.Condition{StrictEmojiNeutral: true}

// Wrap breaks text at spaces into lines of at most width columns. The first line starts at column
// start, and the others are indented by indent. A word that is too long for a line is broken. At
// least 20 columns are used. Width 0 means one line.
func Wrap(text string, start, indent, width int) string {
	if width == 0 || start+columns.StringWidth(text) <= width {
		return text
	}
	return wrapWords(text, start, indent, max(width, indent+20))
}

func wrapWords(text string, start, indent, width int) string {
	var out strings.Builder
	at, isEmpty := start, true // the column, and whether the line has no word
	newLine := func() {
		out.WriteString("\n" + strings.Repeat(" ", indent))
		at, isEmpty = indent, true
	}
	for word := range strings.FieldsSeq(text) {
		if size := columns.StringWidth(word); !isEmpty && at+1+size <= width {
			out.WriteByte(' ')
			at++
		} else if !isEmpty || at+size > width && at > indent {
			newLine()
		}
		for at+columns.StringWidth(word) > width {
			part := columns.Truncate(word, width-at, "")
			out.WriteString(part)
			word = word[len(part):]
			newLine()
		}
		out.WriteString(word)
		at, isEmpty = at+columns.StringWidth(word), false
	}
	return out.String()
}

// endColumn returns the column where a wrapped text ends that starts at column start.
func endColumn(wrapped string, start int) int {
	if i := strings.LastIndexByte(wrapped, '\n'); i >= 0 {
		return columns.StringWidth(wrapped[i+1:])
	}
	return start + columns.StringWidth(wrapped)
}

// FormatTable returns rows in columns that are two blanks apart.
func FormatTable(rows [][]string) string {
	return fitTable(rows, 0, 0, func(_, _ int, cell string) string { return cell })
}

// narrowColumn is the least width of a column that is broken into lines.
const narrowColumn = 12

// fitTable returns rows in columns that are two blanks apart. If they are wider than the screen, the
// cells of one column are broken into lines. paint colours a cell.
func fitTable(rows [][]string, width, breaks int, paint func(row, column int, cell string) string) string {
	widths := columnWidths(rows)
	if excess := tableWidth(rows) - width; width > 0 && excess > 0 {
		widths[breaks] = min(widths[breaks], max(narrowColumn, widths[breaks]-excess))
	}
	var out strings.Builder
	for r, row := range rows {
		var rest []string // of the broken cell
		indent := 0
		for i, cell := range row {
			if i == breaks && columns.StringWidth(cell) > widths[i] {
				rest = strings.Split(wrapWords(cell, 0, 0, widths[i]), "\n")
				cell, rest = rest[0], rest[1:]
			}
			out.WriteString(paint(r, i, cell))
			if i < len(row)-1 && strings.Join(row[i+1:], "") != "" {
				out.WriteString(strings.Repeat(" ", widths[i]+2-columns.StringWidth(cell)))
			}
			if i < breaks {
				indent += widths[i] + 2
			}
		}
		out.WriteByte('\n')
		for _, part := range rest {
			out.WriteString(strings.Repeat(" ", indent) + paint(r, breaks, part) + "\n")
		}
	}
	return out.String()
}

// columnWidths returns the width of the widest cell of each column.
func columnWidths(rows [][]string) (widths []int) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns.StringWidth(cell))
		}
	}
	return widths
}

// tableWidth returns the width of rows in columns that are two blanks apart.
func tableWidth(rows [][]string) (total int) {
	for i, width := range columnWidths(rows) {
		if total += width; i > 0 {
			total += 2
		}
	}
	return total
}

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
	overflow := max(0, tableWidth(part(cases, 1, 1))-narrowColumn) // how much of the first column can be wrapped
	for first := 1; first < len(cases[0]); {
		last := first + 1
		for last < len(cases[0]) && (p.Width == 0 || tableWidth(part(cases, first, last+1))-overflow <= p.Width) {
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
	return generic.Map(rows, func(row []string) []string { return append([]string{row[0]}, row[first:last]...) })
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
