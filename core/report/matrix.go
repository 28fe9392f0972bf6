package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// A Matrix shows each case by target, prompt and judge, or by run.
type Matrix struct {
	Varied run.Varied `json:"-"` // what the columns are; runs if nothing

	Columns []MatrixColumn `json:"columns"`
	Rows    []MatrixRow    `json:"rows"` // in order of first appearance

	rows map[rowKey]int
}

// rowKey is the key of a row. file tells apart cases of eval files of one name.
type rowKey struct {
	score.CaseKey
	file string
}

// A MatrixColumn sums up one target, judge or run.
type MatrixColumn struct {
	Name        string   `json:"name"`
	run.Variant          // if there are several
	Totals      Totals   `json:"totals"`
	PassRate    *float64 `json:"pass_rate"`           // of the graded cases; nil without any
	LatencyMS   *float64 `json:"mean_latency_ms"`     // of the target's answers; nil if unknown
	Agreement   *float64 `json:"agreement,omitempty"` // share of the other judges' verdicts on the same target that are the same; nil without any
	Rank        string   `json:"rank,omitempty"`      // best or worst target, by the mean score of the cases that all have graded
	latency     mean     // of the target's answers, in milliseconds
}

// A MatrixRow is one case.
type MatrixRow struct {
	Dataset string       `json:"dataset,omitempty"`
	ID      string       `json:"eval_id"`
	Cells   []MatrixCell `json:"cells"` // by column
}

// A MatrixCell is the result of a case in a column.
type MatrixCell struct {
	Verdict score.Verdict `json:"verdict,omitempty"` // "" if the column does not have the case
	Score   *float64      `json:"score"`
	Flaky   bool          `json:"flaky,omitempty"` // only some of its trials pass, or the samples of a grade differ
}

// Add adds a record to the column of its variant. threshold is that of [run.Record.Passes].
func (m *Matrix) Add(rec run.Record, threshold float64) {
	m.add(m.Varied.Of(rec.Variant()).String(), rec, rec.EvalFile, threshold)
}

// AddRun adds a record to the column called name. Runs may have their eval files in different places.
func (m *Matrix) AddRun(name string, rec run.Record, threshold float64) {
	m.add(name, rec, "", threshold)
}

func (m *Matrix) add(name string, rec run.Record, file string, threshold float64) {
	column := slices.IndexFunc(m.Columns, func(c MatrixColumn) bool { return c.Name == name })
	if column < 0 {
		column = len(m.Columns)
		m.Columns = append(m.Columns, MatrixColumn{Name: name, Variant: m.Varied.Of(rec.Variant())})
	}
	c := &m.Columns[column]
	counted := rec
	counted.Verdict = rec.VerdictFrom(threshold)
	c.Totals.Add(counted)
	if ms := latencyOf(rec); ms != nil {
		c.latency.add(*ms)
	}
	key := rowKey{score.CaseKey{Dataset: rec.Dataset, ID: rec.EvalID}, file}
	if m.rows == nil {
		m.rows = map[rowKey]int{}
	}
	row, known := m.rows[key]
	for n := 2; known && column < len(m.Rows[row].Cells) && m.Rows[row].Cells[column].Verdict != ""; n++ {
		key.ID = NumberedID(rec.EvalID, n)
		row, known = m.rows[key]
	}
	if !known {
		row = len(m.Rows)
		m.rows[key] = row
		m.Rows = append(m.Rows, MatrixRow{Dataset: rec.Dataset, ID: key.ID})
	}
	for len(m.Rows[row].Cells) <= column {
		m.Rows[row].Cells = append(m.Rows[row].Cells, MatrixCell{})
	}
	m.Rows[row].Cells[column] = MatrixCell{Verdict: counted.Verdict, Score: rec.Score, Flaky: isFlaky(rec)}
}

// NumberedID names the nth case with an id.
func NumberedID(id string, n int) string { return fmt.Sprintf("%s (%d)", id, n) }

// isFlaky reports whether another run of the case may well have another verdict.
func isFlaky(rec run.Record) (flaky bool) {
	if t := rec.Trials; t != nil && t.Passed > 0 {
		flaky = slices.ContainsFunc(t.Runs, func(trial run.Trial) bool { return trial.Score != nil && trial.Verdict != score.Pass })
	}
	rec.EachGrade(func(_ run.CriterionRecord, g score.Grade) { flaky = flaky || g.IsContested() })
	return flaky
}

// Finish fills in what follows from all records, and returns m. It returns nil if there are fewer
// than two columns.
func (m *Matrix) Finish() *Matrix {
	if len(m.Columns) < 2 {
		return nil
	}
	for i := range m.Rows {
		for len(m.Rows[i].Cells) < len(m.Columns) {
			m.Rows[i].Cells = append(m.Rows[i].Cells, MatrixCell{})
		}
	}
	files := map[score.CaseKey]int{}
	for key := range m.rows {
		files[key.CaseKey]++
	}
	for key, row := range m.rows {
		if files[key.CaseKey] > 1 {
			m.Rows[row].Dataset = key.file
		}
	}
	for i := range m.Columns {
		c := &m.Columns[i]
		c.LatencyMS = c.latency.value()
		if c.Rank = ""; c.Totals.Scored() > 0 {
			c.PassRate = new(float64(c.Totals.Pass) / float64(c.Totals.Scored()))
		}
		if m.Varied.Judge != "" {
			c.Agreement = m.agreement(i)
		}
	}
	byJudge := map[string][]int{}
	for i, c := range m.Columns {
		byJudge[c.Judge] = append(byJudge[c.Judge], i)
	}
	for _, columns := range byJudge { // a judge may be stricter than another
		m.rank(columns)
	}
	return m
}

// agreement returns how often the other judges of the column's target have its verdict, or nil if no
// case is graded by two.
func (m *Matrix) agreement(column int) *float64 {
	same, pairs := 0, 0
	isGraded := func(c MatrixCell) bool { return c.Verdict != "" && c.Verdict != score.Ungraded }
	for _, row := range m.Rows {
		own := row.Cells[column]
		for i, other := range row.Cells {
			a, b := m.Columns[i].Variant, m.Columns[column].Variant
			if i == column || a.Target != b.Target || a.Prompt != b.Prompt || !isGraded(own) || !isGraded(other) {
				continue
			}
			if pairs++; own.Verdict == other.Verdict {
				same++
			}
		}
	}
	if pairs == 0 {
		return nil
	}
	return new(float64(same) / float64(pairs))
}

// rank marks those of the columns that have the highest and the lowest mean over the cases that all
// of them have graded.
func (m *Matrix) rank(columns []int) {
	sums := make([]float64, len(columns))
	shared := 0
	for _, row := range m.Rows {
		if slices.ContainsFunc(columns, func(i int) bool { return row.Cells[i].Score == nil }) {
			continue
		}
		shared++
		for at, i := range columns {
			sums[at] += *row.Cells[i].Score
		}
	}
	const rounding = 1e-9
	low, high := slices.Min(sums), slices.Max(sums)
	if shared == 0 || high-low < rounding {
		return
	}
	for at, sum := range sums {
		switch {
		case sum > high-rounding:
			m.Columns[columns[at]].Rank = "best"
		case sum < low+rounding:
			m.Columns[columns[at]].Rank = "worst"
		}
	}
}

// Label returns the case's id, with its dataset if several have it.
func (m *Matrix) Label(row MatrixRow) string {
	for _, other := range m.Rows {
		if other.ID == row.ID && other.Dataset != row.Dataset {
			return row.Dataset + "/" + row.ID
		}
	}
	return row.ID
}

// String describes the cell: its verdict and score, with ~ if it is flaky.
func (c MatrixCell) String() string {
	if c.Verdict == "" {
		return "–"
	}
	text := map[score.Verdict]string{score.Pass: "✓", score.Borderline: "~", score.Fail: "✗"}[c.Verdict]
	if c.Score == nil || text == "" {
		text = "?"
	}
	if c.Score != nil {
		text += " " + FormatScore(*c.Score)
	}
	if c.Flaky {
		text += " flaky"
	}
	return text
}

// Summary returns a row for each column, after a head: quality, cost and latency. Judges have their
// agreement and their own cost.
func (m *Matrix) Summary() [][]string {
	head := []string{cmp.Or(m.Varied.String(), "run"), "pass", "mean"}
	if m.Varied.Judge != "" {
		head = append(head, "agreement", "judge cost")
	}
	ofTargets := m.Varied.Target+m.Varied.Prompt != "" || m.Varied.Judge == ""
	if ofTargets {
		head = append(head, "cost", "latency", "rank")
	}
	rows := [][]string{head}
	for _, c := range m.Columns {
		pass := "–"
		if c.PassRate != nil {
			pass = fmt.Sprintf("%d of %d", c.Totals.Pass, c.Totals.Scored())
		}
		row := []string{c.Name, pass, ScoreOf(c.Totals.MeanScore)}
		if m.Varied.Judge != "" {
			row = append(row, percentText(c.Agreement), costText(c.Totals.Judges))
		}
		if ofTargets {
			row = append(row, costText(c.Totals.Targets), latencyText(c.LatencyMS), c.Rank)
		}
		rows = append(rows, row)
	}
	return rows
}

func percentText(share *float64) string {
	if share == nil {
		return "–"
	}
	return score.FormatPercent(*share)
}

// costText returns what answers cost, as far as it is known.
func costText(u run.ModelUsage) string {
	switch {
	case u.Calls == 0:
		return "–"
	case u.Unpriced == u.Calls:
		return "unknown"
	case u.Unpriced > 0:
		return fmt.Sprintf("over $%.4f", u.Cost)
	}
	return fmt.Sprintf("$%.4f", u.Cost)
}

func latencyText(ms *float64) string {
	switch {
	case ms == nil:
		return "–"
	case *ms < 1000:
		return fmt.Sprintf("%.0f ms", *ms)
	}
	return fmt.Sprintf("%.1f s", *ms/1000)
}

// Cases returns the cases by column, after a head.
func (m *Matrix) Cases() [][]string {
	rows := [][]string{{"case"}}
	for _, c := range m.Columns {
		rows[0] = append(rows[0], c.Name)
	}
	for _, row := range m.Rows {
		rows = append(rows, append([]string{m.Label(row)}, generic.Map(row.Cells, MatrixCell.String)...))
	}
	return rows
}

// writeMatrix writes the cases by column, and the columns' totals.
func writeMatrix(w *htmlWriter, m *Matrix) {
	if m == nil {
		return
	}
	title := "Runs"
	if varied := m.Varied.String(); varied != "" {
		title = "By " + varied
	}
	w.scrollSection(title, func() {
		writeMatrixTotals(w, m)
		writeMatrixCases(w, m)
	})
}

func writeMatrixTotals(w *htmlWriter, m *Matrix) {
	w.matrixTable(m.Summary(), func(_, _ int, text string) { w.markup(`<td class="num">%s</td>`, text) })
}

// writeMatrixCases writes the cases by column. On a server, whose columns are stored runs, a result leads to its
// case in the page of its run.
func writeMatrixCases(w *htmlWriter, m *Matrix) {
	w.matrixTable(m.Cases(), func(row, column int, text string) {
		r := m.Rows[row]
		verdict := r.Cells[column].Verdict
		w.markup("<td>")
		isLink := w.live != nil && verdict != ""
		if isLink {
			w.markup(`<a href="%s">`, w.live.address(m.Columns[column].Name, r.Dataset, r.ID))
		}
		w.markup(`<span class="mark %s">%s</span>`, verdictClasses[verdict], text)
		if isLink {
			w.markup("</a>")
		}
		w.markup("</td>")
	})
}

// matrixTable writes rows whose first is the head, and whose first cells are heads too. cell writes the others;
// row and column count without the heads.
func (w *htmlWriter) matrixTable(rows [][]string, cell func(row, column int, text string)) {
	w.markup("<table class=\"wide\">\n")
	w.tableHead(rows[0]...)
	for i, row := range rows[1:] {
		w.markup(`<tr><th scope="row">%s</th>`, row[0])
		for j, text := range row[1:] {
			cell(i, j, text)
		}
		w.markup("</tr>\n")
	}
	w.markup("</tbody></table>\n")
}

// tableHead writes the head of a table, and opens its body.
func (w *htmlWriter) tableHead(cells ...string) {
	w.markup("<thead><tr>")
	for _, cell := range cells {
		w.markup(`<th scope="col">%s</th>`, cell)
	}
	w.markup("</tr></thead>\n<tbody>\n")
}
