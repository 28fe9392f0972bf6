package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// StoredRun sums up a stored run.
type StoredRun struct {
	Path     string   `json:"path"`
	Modified string   `json:"modified"` // of the file, RFC 3339
	Datasets []string `json:"datasets"`
	Target   string   `json:"target,omitempty"`
	Judge    string   `json:"judge,omitempty"`
	Totals   Totals   `json:"totals"`

	File string `json:"-"` // that holds it; Path names its target or judge, too

	targets  []string
	recorded string             // the latest time of a record; "" without any
	latency  mean               // of the target's answers, in milliseconds
	measures map[measured]*mean // 0–1
	order    []measured
}

// measured is what a trend shows: all cases of a series, those with a tag, or a criterion.
type measured struct {
	series
	kind, name string
}

// A series is what runs are comparable in: a dataset, and who answered and judged.
type series struct {
	dataset string
	run.Variant
}

// The kinds of [measured].
const (
	ofAll       = "pass rate"
	ofTag       = "pass rate of tag"
	ofCriterion = "mean of"
)

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(value float64) { m.sum, m.n = m.sum+value, m.n+1 }

func (m *mean) value() *float64 {
	if m == nil || m.n == 0 {
		return nil
	}
	return new(m.sum / float64(m.n))
}

// Add counts a record.
func (r *StoredRun) Add(rec run.Record) {
	r.Totals.Add(rec)
	r.recorded = max(r.recorded, rec.Timestamp)
	r.Judge = cmp.Or(r.Judge, rec.Judge)
	if asked := rec.Asked(); asked != "" && !slices.Contains(r.targets, asked) {
		r.targets = append(r.targets, asked)
		r.Target = strings.Join(r.targets, ", ")
	}
	if rec.Dataset != "" && !slices.Contains(r.Datasets, rec.Dataset) {
		r.Datasets = append(r.Datasets, rec.Dataset)
	}
	if ms := latencyOf(rec); ms != nil {
		r.latency.add(*ms)
	}
	if rec.Verdict != score.Ungraded {
		passed := 0.0
		if rec.Verdict == score.Pass {
			passed = 1
		}
		r.measure(rec, ofAll, "").add(passed)
		for _, tag := range rec.Tags {
			r.measure(rec, ofTag, tag).add(passed)
		}
	}
	rec.EachGrade(func(c run.CriterionRecord, g score.Grade) {
		if g.Ungraded == "" {
			r.measure(rec, ofCriterion, c.Label()).add(g.Value())
		}
	})
	for _, g := range rec.Graders {
		if g.Metric != nil && g.Metric.Score != nil {
			r.measure(rec, ofCriterion, g.Name).add(*g.Metric.Score)
		}
	}
}

// Date returns when the last case ran or, as most results have no times, when the file changed.
func (r *StoredRun) Date() string { return cmp.Or(r.recorded, r.Modified) }

// Title names the run, with its date.
func (r *StoredRun) Title() string { return r.Path + ", " + formatTime(r.Date()) }

// minute returns the date to the minute.
func (r *StoredRun) minute() string {
	return strings.Replace(r.Date(), "T", " ", 1)[:min(16, len(r.Date()))]
}

func (r *StoredRun) measure(rec run.Record, kind, name string) *mean {
	key := measured{series{rec.Dataset, rec.Variant()}, kind, name}
	if r.measures == nil {
		r.measures = map[measured]*mean{}
	}
	if r.measures[key] == nil {
		r.measures[key], r.order = &mean{}, append(r.order, key)
	}
	return r.measures[key]
}

// runsStyle is the style of pages of several runs.
//
//go:embed runs.css
var runsStyle string

// History is a page that lists stored runs, and shows their trends.
type History struct {
	Runs     []*StoredRun // the oldest first
	Problems []string     // files that cannot be read
	Live     *Live        // nil for a file
}

// Write writes the page.
func (h History) Write(to io.Writer) error {
	return writePage(to, "Runs", runsStyle, h.Live, func(w *htmlWriter) {
		for _, problem := range h.Problems {
			w.proseElement(`<p class="notice">`, problem, "</p>\n")
		}
		h.writeRuns(w)
		h.writeTrends(w)
	})
}

// WriteProblem writes a page that says why there is no other. It leads to the runs if their server gives it.
func WriteProblem(to io.Writer, problem string, live *Live) error {
	return writePage(to, "Nothing to show", "", live, func(w *htmlWriter) {
		w.proseElement(`<p class="notice" role="alert">This page cannot be shown: `, problem, ".</p>\n")
	})
}

// writePage writes a page whose heading is its title. style is of this page alone.
func writePage(to io.Writer, title, style string, live *Live, content func(*htmlWriter)) error {
	w := newHTMLWriter(to)
	w.style = style
	w.head(title, "", live)
	w.markup("<header class=\"top\">\n<p class=\"eyebrow\">Rubric</p>\n<h1>%s</h1>\n</header>\n<main>\n", title)
	content(w)
	w.markup("</main>\n</body>\n</html>\n")
	return w.Flush()
}

// writeRuns lists the runs, the newest first. On a server, they lead to their pages and are selected to be
// compared.
func (h History) writeRuns(w *htmlWriter) {
	if len(h.Runs) == 0 {
		w.prose("No results here. `rubric run FILE --out NAME.jsonl` writes some.")
		return
	}
	if h.Live != nil {
		w.markup("<form action=\"compare\">\n")
	}
	w.markup("<div class=\"scroll runs\" tabindex=\"0\" role=\"region\" aria-label=\"Stored runs\"><table class=\"wide overview\">\n")
	w.tableHead("Run", "Passed (95 % interval)", "Date (UTC)", "Target", "Judge", "Mean", "Cost", "Latency")
	for _, r := range slices.Backward(h.Runs) {
		w.markup(`<tr><th scope="row">`)
		if h.Live != nil {
			w.markup(`<input type="checkbox" name="run" value="%s" aria-label="Compare %s"> <a href="run?run=%s">%s</a>`, r.Path, r.Path, url.QueryEscape(r.Path), r.Path)
		} else {
			w.markup("%s", r.Path)
		}
		w.markup("</th>")
		cost := r.Totals.Targets
		cost.Add(r.Totals.Judges)
		day, minute, _ := strings.Cut(r.minute(), " ")
		rate, ungraded := passRateText(r.Totals)
		w.markup(`<td data-label="passed"><span class="num">%s</span>%s</td><td data-label="date"><span class="num">%s</span> %s</td>`, rate, ungraded, day, minute)
		w.markup(`<td data-label="target">%s</td><td data-label="judge">%s</td>`, cmp.Or(r.Target, "–"), cmp.Or(r.Judge, "–"))
		for _, figure := range [][2]string{{"mean", ScoreOf(r.Totals.MeanScore)}, {"cost", costText(cost)}, {"latency", latencyText(r.latency.value())}} {
			w.markup(`<td class="num" data-label="%s">%s</td>`, figure[0], figure[1])
		}
		w.markup("</tr>\n")
	}
	w.markup("</tbody></table></div>\n")
	if h.Live != nil {
		w.markup("<p><button>Compare the selected runs</button> <span class=\"soft\">Tick two or more. The others are compared with the oldest.</span></p>\n</form>\n")
	}
}

// fewestCases is how many graded cases an interval needs; that of fewer says little.
const fewestCases = 5

// passRateText returns how many of the graded cases pass, with an interval of the rate, and how many others there are.
func passRateText(t Totals) (rate, ungraded string) {
	if t.Scored() == 0 {
		return fmt.Sprintf("none of %d graded", t.Cases), ""
	}
	if t.Ungraded > 0 {
		ungraded = fmt.Sprintf(", %d ungraded", t.Ungraded)
	}
	rate = fmt.Sprintf("%d of %d", t.Pass, t.Scored())
	if t.Scored() < fewestCases {
		return rate, ungraded
	}
	interval := calibrate.Wilson(float64(t.Pass)/float64(t.Scored()), t.Scored())
	return fmt.Sprintf("%s (%.0f–%.0f %%)", rate, 100*interval.Low, 100*interval.High), ungraded
}

// shownRuns is how many runs a trend's table has; its line has all.
const shownRuns = 8

// writeTrends writes the trends of each series of which several runs are stored.
func (h History) writeTrends(w *htmlWriter) {
	done := map[series]bool{}
	for _, r := range h.Runs {
		for _, key := range r.order {
			if !done[key.series] {
				done[key.series] = true
				h.writeTrend(w, key.series)
			}
		}
	}
}

func (h History) writeTrend(w *htmlWriter, of series) {
	var runs []*StoredRun
	for _, r := range h.Runs {
		if r.measures[measured{of, ofAll, ""}] != nil {
			runs = append(runs, r)
		}
	}
	if len(runs) < 2 {
		return
	}
	head, shown := []string{"Measure", "Trend"}, runs[max(0, len(runs)-shownRuns):]
	for _, r := range shown {
		head = append(head, r.minute()+" "+cmp.Or(r.File, r.Path))
	}
	title := cmp.Or(of.dataset, "All cases") + " over time"
	if who := of.Variant.String(); who != "" {
		title += ": " + who
	}
	w.scrollSection(title, func() {
		w.markup("<table class=\"wide\">\n")
		w.tableHead(head...)
		done := map[measured]bool{}
		for _, kind := range []string{ofAll, ofTag, ofCriterion} {
			for _, r := range runs {
				for _, key := range r.order {
					if key.series == of && key.kind == kind && !done[key] {
						done[key] = true
						writeMeasure(w, key, runs, shown)
					}
				}
			}
		}
		w.markup("</tbody></table>")
	})
}

func writeMeasure(w *htmlWriter, key measured, runs, shown []*StoredRun) {
	w.markup(`<tr><th scope="row">%s</th><td>`, strings.TrimSpace(key.kind+" "+key.name))
	writeLine(w, runs, key)
	w.markup("</td>")
	for _, r := range shown {
		w.markup(`<td class="num">%s</td>`, percentText(r.measures[key].value()))
	}
	w.markup("</tr>\n")
}

// writeLine draws what each run has of a measure, from 0 to 1. The line is broken where a run has nothing.
func writeLine(w *htmlWriter, runs []*StoredRun, key measured) {
	const width, height = 120, 32
	w.markup(`<svg class="trend" viewBox="-4 -4 %d %d" aria-hidden="true">`, width+8, height+8)
	var line, dots strings.Builder
	step := "M"
	for i, r := range runs {
		value := r.measures[key].value()
		if value == nil {
			step = "M"
			continue
		}
		x, y := float64(width*i)/float64(len(runs)-1), height*(1-score.Clamp(*value))
		fmt.Fprintf(&line, "%s%.1f %.1f", step, x, y)
		fmt.Fprintf(&dots, `<circle cx="%.1f" cy="%.1f" r="3"/>`, x, y)
		step = "L"
	}
	w.markup(`<path d="%s"/>`, line.String())
	w.WriteString(dots.String())
	w.markup("</svg>")
}
