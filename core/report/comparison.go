package report

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/score"
)

// Comparison is a page that compares runs: their totals, each with the oldest, and their cases side by side.
type Comparison struct {
	Matrix   *Matrix
	Sections []Section
	Live     *Live // nil for a file
}

// Section compares two runs in sentences and tables.
type Section struct {
	Title  string
	New    string // the newer run
	Lines  []string
	Tables []Table
}

// Table is a table with a head.
type Table struct {
	Title string // may be ""
	Rows  [][]string
	Cases []score.CaseKey // of the rows after the head; empty if they are no cases, as an item if the run does not have the case
}

// Write writes the page.
func (c Comparison) Write(to io.Writer) error {
	return writePage(to, "Comparison of runs", runsStyle, c.Live, func(w *htmlWriter) {
		w.scrollSection("Runs", func() { writeMatrixTotals(w, c.Matrix) })
		for _, s := range c.Sections {
			w.markup("<section class=\"suite\"><h2>%s</h2>\n", s.Title)
			for _, line := range s.Lines {
				w.proseElement("<p>", line, "</p>\n")
			}
			for _, t := range s.Tables {
				t.writeHTML(w, s.Title, s.New)
			}
			w.markup("</section>\n")
		}
		w.scrollSection("Cases by run", func() { writeMatrixCases(w, c.Matrix) })
	})
}

// HTML returns the table as markup.
func (t Table) HTML() string {
	return markupOf(func(w *htmlWriter) { t.writeHTML(w, "", "") })
}

// writeHTML writes a table of a section. On a server, cases lead to the page of the run.
func (t Table) writeHTML(w *htmlWriter, section, run string) {
	if len(t.Rows) < 2 { // only its head
		return
	}
	w.markup("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table class=\"wide agreement\">\n", strings.TrimSpace(section+" "+t.Title))
	w.element("<caption>", t.Title, "</caption>\n")
	w.tableHead(t.Rows[0]...)
	for n, row := range t.Rows[1:] {
		for i, cell := range row {
			if i == 0 && w.live != nil && len(t.Cases) > 0 && t.Cases[n] != (score.CaseKey{}) {
				w.markup(`<tr><th scope="row"><a href="%s">`, w.live.address(run, t.Cases[n].Dataset, t.Cases[n].ID))
				w.prose(cell)
				w.markup("</a></th>")
				continue
			} else if i == 0 {
				w.proseElement(`<tr><th scope="row">`, cell, "</th>")
				continue
			}
			w.markup("<td>")
			w.prose(cell)
			w.markup("</td>")
		}
		w.markup("</tr>\n")
	}
	w.markup("</tbody></table></div>\n")
}
