// Package report computes what every form of a report shows of a run's records: totals, criteria
// as rows, and the wording of both. It also writes the HTML report, which is the same in the
// command line, editors and browsers.
//
// The HTML is written without html/template, which would add a sixth to the size of the
// WebAssembly module. [htmlWriter.markup] escapes every text.
package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Style is the style sheet of the pages. The playground has its colours, too.
var Style = tokens + pageStyle

//go:embed tokens.css
var tokens string

//go:embed page.css
var pageStyle string

// Page is an HTML report.
type Page struct {
	Suites   []Suite
	Run      string              // file and date of a stored run; may be empty
	Notice   string              // shown with every verdict; may be empty
	LeftOut  []LeftOut           // because of errors
	Minimums []run.MinimumResult // that the run had to reach
	Matrix   *Matrix             // of several targets; nil for one
	Live     *Live               // nil for a file
}

// casesScript sorts and searches the tables of cases.
//
//go:embed page.js
var casesScript string

// Suite holds the records of one file.
type Suite struct {
	Name, Path string
	Records    []run.Record
}

// Write writes the report as one page of HTML. The page loads nothing. Its own script sorts and searches the
// cases, and all else works without JavaScript. It also prints well.
func (p Page) Write(to io.Writer) error {
	w := newHTMLWriter(to)
	var t Totals
	title := ""
	if p.Run != "" {
		title = " · " + p.Run
	}
	for _, s := range p.Suites {
		title += " · " + s.Name
		for _, rec := range s.Records {
			t.Add(rec)
		}
	}
	w.head(fmt.Sprintf("%d of %d passed%s", t.Pass, t.Cases, title), casesScript, p.Live)
	p.writeSummary(w, t)
	w.markup("<main>\n")
	writeMatrix(w, p.Matrix)
	for n, s := range p.Suites {
		s.writeHTML(w, n, len(p.Suites) > 1)
	}
	w.markup("</main>\n<footer>\n")
	for _, name := range p.profiles() {
		writeProfile(w, name)
	}
	w.markup("</footer>\n</body>\n</html>\n")
	return w.Flush()
}

// head writes the head, with a script that runs once the page is read. Its content security policy allows
// the page's own style and script and nothing else, so injected content could not be drawn, run or sent.
func (w *htmlWriter) head(title, script string, live *Live) {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	w.live = live
	if live == nil {
		live = &Live{actions: "form-action 'none'", body: "<body>\n"}
	}
	script += live.script
	style, actions := Style+w.style+live.style, live.actions
	if script != "" {
		actions += "; script-src " + hash(script)
	}
	w.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	w.markup(`<meta http-equiv="Content-Security-Policy" content="%s">`+"\n", "default-src 'none'; style-src "+hash(style)+"; base-uri 'none'; "+actions)
	w.markup("<meta name=\"generator\" content=\"rubric\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	w.markup("<title>%s</title>\n<style>", title)
	w.WriteString(style)
	w.markup("</style>\n")
	if script != "" {
		w.markup("<script type=\"module\">")
		w.WriteString(script)
		w.markup("</script>\n")
	}
	w.WriteString(live.head + "</head>\n" + live.body)
}

func (p Page) writeSummary(w *htmlWriter, t Totals) {
	w.markup("<header class=\"top\">\n<p class=\"eyebrow run\">%s</p>\n<h1>%d of %d passed</h1>\n", cmp.Or(p.Run, "Rubric report"), t.Pass, t.Cases)
	if t.Cases > 0 {
		w.markup(`<svg class="share" viewBox="0 0 %d 1" preserveAspectRatio="none" aria-hidden="true"><rect class="pass" width="%d" height="1"/>`+
			`<rect class="borderline" x="%d" width="%d" height="1"/><rect class="fail" x="%d" width="%d" height="1"/></svg>`,
			t.Cases, t.Pass, t.Pass, t.Borderline, t.Pass+t.Borderline, t.Fail)
	}
	w.markup("\n<dl class=\"tiles\">\n<div class=\"pass\"><dt>pass</dt><dd>%d</dd></div>\n<div class=\"borderline\"><dt>borderline</dt><dd>%d</dd></div>\n", t.Pass, t.Borderline)
	w.markup("<div class=\"fail\"><dt>fail</dt><dd>%d</dd></div>\n", t.Fail)
	if t.Ungraded > 0 {
		w.markup(`<div class="ungraded"><dt>ungraded</dt><dd>%d`, t.Ungraded)
		if t.Errors > 0 {
			w.markup(" <small>%d could not be run</small>", t.Errors)
		}
		w.markup("</dd></div>\n")
	}
	w.markup("<div><dt>mean score</dt><dd>%s", ScoreOf(t.MeanScore))
	if t.Ungraded > 0 {
		w.markup(" <small>of %d</small>", t.Scored())
	}
	w.markup("</dd></div>\n</dl>\n")
	for _, line := range t.UsageLines() {
		w.markup("<p class=\"soft\">%s</p>\n", line)
	}
	w.element(`<p><span class="mark bad">`, CountLeftOut(p.LeftOut), "</span></p>\n")
	for _, m := range p.Minimums {
		class := "good"
		if !m.Holds {
			class = "bad"
		}
		w.markup(`<p><span class="mark %s">`, class)
		w.prose(m.String())
		w.markup("</span></p>\n")
	}
	w.proseElement(`<p class="notice"><strong>Note.</strong> Every verdict here was `, p.Notice, ".</p>\n")
	w.markup("</header>\n")
}

func (s Suite) writeHTML(w *htmlWriter, n int, several bool) {
	w.markup(`<section class="suite" aria-labelledby="s%d">`+"\n"+`<h2 id="s%d">%s</h2>`+"\n", n, n, cmp.Or(s.Name, s.Path, "suite"))
	w.markup("<dl class=\"facts\">\n")
	w.element("<div><dt>file</dt><dd><code>", s.Path, "</code></dd></div>\n")
	if len(s.Records) > 0 {
		first := s.Records[0]
		w.markup("<div><dt>target</dt><dd>%s</dd></div>\n<div><dt>judge</dt><dd>%s</dd></div>\n<div><dt>profile</dt><dd>%s</dd></div>\n",
			cmp.Or(first.Asked(), "unknown"), cmp.Or(first.Judge, "unknown"), cmp.Or(first.Profile, score.Spec))
		if first.Timestamp != "" {
			w.markup("<div><dt>started</dt><dd><time datetime=\"%s\">%s</time></dd></div>\n", first.Timestamp, formatTime(first.Timestamp))
		}
	}
	if several {
		w.markup("<div><dt>result</dt><dd>%s</dd></div>\n", CountTotals(s.Records))
	}
	w.markup("</dl>\n")
	s.writeCauses(w)
	s.writeOverview(w, n)
	writeAgreement(w, run.AgreementOf(s.Records))
	w.markup("<div class=\"details\">\n")
	for i, rec := range s.Records {
		writeCase(w, fmt.Sprintf("c%d-%d", n, i), rec)
	}
	w.markup("</div>\n</section>\n")
}

// writeCauses lists why cases are ungraded, the most frequent cause first, if several cases share one.
func (s Suite) writeCauses(w *htmlWriter) {
	counts := map[string]int{}
	for _, rec := range s.Records {
		if rec.Verdict == score.Ungraded {
			all, _ := Causes(rec)
			for _, cause := range all {
				counts[cause]++
			}
		}
	}
	causes := slices.Sorted(maps.Keys(counts))
	generic.SortStable(causes, func(a, b string) int { return counts[b] - counts[a] })
	if len(causes) == 0 || counts[causes[0]] == 1 {
		return
	}
	w.markup("<table class=\"overview\">\n<caption>Why cases are ungraded</caption>\n")
	w.tableHead("Cases", "Cause")
	for _, cause := range causes {
		w.markup(`<tr><td class="num">%d</td><td class="why">`, counts[cause])
		w.prose(cause)
		w.markup("</td></tr>\n")
	}
	w.markup("</tbody>\n</table>\n")
}

// writeOverview lists the cases, those that do not pass first. It has columns only for what is known.
func (s Suite) writeOverview(w *htmlWriter, n int) {
	counts := map[bool]int{} // of the cases that pass, and of the others
	var has measures
	for _, rec := range s.Records {
		counts[rec.Verdict == score.Pass]++
		has.cost = has.cost || usageOf(rec).Calls > 0
		has.latency = has.latency || latencyOf(rec) != nil
	}
	if len(counts) == 0 {
		w.markup("<p>No case was run.</p>\n")
		return
	}
	if len(counts) > 1 {
		w.markup(`<input type="checkbox" class="unpassed" id="u%d"> <label for="u%d">Hide the cases that pass</label>`+"\n", n, n)
	}
	if counts[true]+counts[false] > 1 {
		w.markup("<p class=\"find\" hidden><label>Search ids, questions and reasons <input type=\"search\"></label> <output class=\"soft\"></output></p>\n")
	}
	w.markup("<table class=\"overview cases\">\n<caption class=\"unseen\">The cases of %s</caption>\n", s.Name)
	head := []string{"Verdict", "Score", "Case"}
	if has.cost {
		head = append(head, "Cost")
	}
	if has.latency {
		head = append(head, "Latency")
	}
	w.tableHead(append(head, "Why it did not pass")...)
	for _, passes := range []bool{false, true} {
		for i, rec := range s.Records {
			if passes == (rec.Verdict == score.Pass) {
				writeOverviewRow(w, fmt.Sprintf("c%d-%d", n, i), rec, has)
			}
		}
	}
	w.markup("</tbody>\n</table>\n")
}

// measures says which figures some case of a suite has.
type measures struct{ cost, latency bool }

// usageOf returns what all models of a case used.
func usageOf(rec run.Record) run.ModelUsage {
	used := rec.TargetUsage()
	used.Add(rec.JudgeUsage())
	return used
}

// latencyOf returns how long the target took to answer, in milliseconds, or nil if that is unknown.
func latencyOf(rec run.Record) *float64 {
	if rec.TraceSummary == nil {
		return nil
	}
	return rec.TraceSummary.DurationMS
}

// verdictOrder is the order of verdicts in a sorted table.
var verdictOrder = []score.Verdict{score.Fail, score.Ungraded, score.Borderline, score.Pass}

func writeOverviewRow(w *htmlWriter, id string, rec run.Record, has measures) {
	w.markup(`<tr class="is-%s"><td data-value="%d">`, rec.Verdict, slices.Index(verdictOrder, rec.Verdict))
	writeVerdict(w, string(rec.Verdict))
	w.markup(`</td><td class="num" data-value="%s">%s`, exact(rec.Score), ScoreOf(rec.Score))
	writeScoreBar(w, rec)
	w.markup(`</td><th scope="row"><a href="#%s">%s</a></th>`, id, cmp.Or(rec.EvalID, "no id"))
	if used := usageOf(rec); has.cost {
		var known *float64
		if used.Calls > used.Unpriced {
			known = &used.Cost
		}
		w.markup(`<td class="num" data-label="cost" data-value="%s">%s</td>`, exact(known), costText(used))
	}
	if has.latency {
		w.markup(`<td class="num" data-label="latency" data-value="%s">%s</td>`, exact(latencyOf(rec)), latencyText(latencyOf(rec)))
	}
	w.markup(`<td class="why">`)
	w.proseElement("<strong>Error:</strong> ", rec.Error, " ")
	for j, reason := range FailureReasons(rec) {
		if j > 0 {
			w.markup("; ")
		}
		w.prose(reason)
	}
	w.markup("</td></tr>\n")
}

// exact returns a number to sort by, or "" without one.
func exact(f *float64) string {
	if f == nil {
		return ""
	}
	return score.FormatNumber(*f)
}

func writeAgreement(w *htmlWriter, all []run.Agreement) {
	if len(all) == 0 {
		return
	}
	w.markup("<table class=\"overview agreement\">\n<caption>Agreement of the samples</caption>\n")
	w.tableHead("Agreement", "Flip rate", "Criterion", "Contested")
	for _, a := range all {
		w.markup(`<tr><td class="num">%s</td><td class="num">%s</td><th scope="row">%s</th><td>`, percentText(&a.Agreement), percentText(&a.FlipRate), a.Label())
		if a.Contested > 0 {
			w.markup(`<span class="mark fair">in %d of %d</span>`, a.Contested, a.Cases)
		} else {
			w.markup(`<span class="soft">never</span>`)
		}
		w.markup("</td></tr>\n")
	}
	w.markup("</tbody></table>\n")
}

func writeVerdict(w *htmlWriter, verdict string) {
	w.markup(`<span class="chip %s">%s</span>`, verdict, verdict)
}

func writeScoreBar(w *htmlWriter, rec run.Record) {
	percent := func(share float64) string { return score.FormatNumber(score.Clamp(share) * 100) }
	if rec.Score == nil {
		return
	}
	w.markup(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/>`+
		`<rect class="%s" width="%s" height="8"/>`, rec.Verdict, percent(*rec.Score))
	for _, at := range []float64{score.PassAt, score.BorderlineAt} {
		w.markup(`<rect class="tick" x="%s" width="1" height="8"/>`, percent(at))
	}
	w.markup("</svg>")
}

func formatTime(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}

func (p Page) profiles() (list []score.Profile) {
	for _, s := range p.Suites {
		for _, rec := range s.Records {
			list = generic.AppendNew(list, rec.Profile)
		}
	}
	slices.Sort(list)
	return list
}

// writeProfile explains how a profile derives verdicts.
func writeProfile(w *htmlWriter, name score.Profile) {
	w.markup("<p>Profile <b>%s</b>: ", cmp.Or(name, score.Spec))
	switch {
	case strings.HasPrefix(string(name), "adk-"):
		w.markup("a case passes if each of its metrics reaches its threshold. It is ungraded if one is not evaluated in full and none fails. Its score is the mean of theirs.</p>")
		return
	case name == score.AgentV:
		w.markup("a case’s verdict follows from its score alone. ")
	default:
		w.markup("a criterion is a gate if it is required or has a minimum; if one is not met, the case fails, whatever its score. A case with something ungraded and no failed gate is ungraded: it has no score and no part in the mean. ")
	}
	w.markup("A score of %s and more passes, %s and more is borderline.</p>", score.PassAt, score.BorderlineAt)
}

// htmlWriter writes HTML. Flush returns the first error.
type htmlWriter struct {
	*bufio.Writer
	live  *Live  // nil for a file
	style string // of this page alone
}

func newHTMLWriter(to io.Writer) *htmlWriter { return &htmlWriter{Writer: bufio.NewWriter(to)} }

// markupOf returns what write writes.
func markupOf(write func(*htmlWriter)) string {
	var out strings.Builder
	w := newHTMLWriter(&out)
	write(w)
	_ = w.Flush() // a builder takes everything
	return out.String()
}

// markup writes our own markup, with values formatted into it. It escapes all values but numbers.
func (w *htmlWriter) markup(markup string, values ...any) {
	for i, v := range values {
		if _, number := v.(int); !number {
			values[i] = htmlEscaper.Replace(fmt.Sprint(v))
		}
	}
	if len(values) > 0 {
		markup = fmt.Sprintf(markup, values...)
	}
	w.WriteString(markup)
}

// htmlEscaper escapes texts in elements and in quoted attributes.
var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\ufffd")

// prose writes a sentence; text in backticks becomes code.
func (w *htmlWriter) prose(sentence string) {
	parts := strings.Split(sentence, "`")
	if len(parts)%2 == 0 { // an unpaired backtick is literal
		last := len(parts) - 1
		parts[last-1] += "`" + parts[last]
		parts = parts[:last]
	}
	for i, part := range parts {
		if i%2 == 1 {
			w.markup("<code>%s</code>", part)
		} else {
			w.markup("%s", part)
		}
	}
}

// Prose returns a sentence as HTML; text in backticks is code.
func Prose(sentence string) string {
	return markupOf(func(w *htmlWriter) { w.prose(sentence) })
}

// scrollSection writes a titled section whose tables scroll to the side if they are wide.
func (w *htmlWriter) scrollSection(title string, tables func()) {
	w.markup("<section class=\"suite\"><h2>%s</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">", title, title)
	tables()
	w.markup("</div>\n</section>\n")
}

// element writes text between open and end, or nothing if text is empty.
func (w *htmlWriter) element(open, text, end string) {
	if text != "" {
		w.markup(open)
		w.markup("%s", text)
		w.markup(end)
	}
}

// proseElement is like element for a sentence; see prose.
func (w *htmlWriter) proseElement(open, text, end string) {
	if text != "" {
		w.markup(open)
		w.prose(text)
		w.markup(end)
	}
}
