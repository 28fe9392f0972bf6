package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

//go:embed page.css
var css string

// Page is a report for people.
type Page struct {
	Suites []Suite
	Notice string // what has to stand beside every verdict; "" if nothing has
}

// Suite is one file's records, which are asked for several times.
type Suite struct {
	Name, Path string
	Records    iter.Seq[run.Record]
}

// Write writes the report as one page of HTML that loads nothing, runs nothing and
// reads well without JavaScript, on paper too.
func (p Page) Write(to io.Writer) error {
	w := &writer{to: to}
	p.head(w)
	p.top(w)
	w.raw("<main>\n")
	for n, s := range p.Suites {
		s.write(w, n, len(p.Suites) > 1)
	}
	w.raw("</main>\n<footer>\n")
	for _, name := range p.profiles() {
		profile(w, name)
	}
	w.raw("</footer>\n</body>\n</html>\n")
	w.flush()
	return w.err
}

func (p Page) totals() (t Totals) {
	for _, s := range p.Suites {
		for rec := range s.Records {
			t.Add(rec)
		}
	}
	return t
}

// head has a policy that lets the page have its own style and nothing else: what
// slipped into it could not even be drawn, let alone be run or sent.
func (p Page) head(w *writer) {
	sum, t := sha256.Sum256([]byte(css)), p.totals()
	w.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	w.raw(`<meta http-equiv="Content-Security-Policy" content="%s">`+"\n",
		"default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action 'none'")
	w.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	w.raw("<title>%d of %d passed", t.Pass, t.Cases)
	for _, s := range p.Suites {
		w.raw(" · %s", s.Name)
	}
	w.raw("</title>\n<style>")
	w.WriteString(css)
	w.raw("</style>\n</head>\n<body>\n")
}

func (p Page) top(w *writer) {
	t := p.totals()
	w.raw("<header class=\"top\">\n<p class=\"eyebrow\">Rubric report</p>\n<h1>%d of %d passed</h1>\n", t.Pass, t.Cases)
	if t.Cases > 0 {
		w.raw(`<svg class="share" viewBox="0 0 %d 1" preserveAspectRatio="none" aria-hidden="true"><rect class="pass" width="%d" height="1"/>`+
			`<rect class="borderline" x="%d" width="%d" height="1"/><rect class="fail" x="%d" width="%d" height="1"/></svg>`,
			t.Cases, t.Pass, t.Pass, t.Borderline, t.NotFail(), t.Fail)
	}
	w.raw("\n<dl class=\"tiles\">\n<div class=\"pass\"><dt>pass</dt><dd>%d</dd></div>\n<div class=\"borderline\"><dt>borderline</dt><dd>%d</dd></div>\n", t.Pass, t.Borderline)
	w.raw(`<div class="fail"><dt>fail</dt><dd>%d`, t.Fail)
	if t.Errors > 0 {
		w.raw(" <small>%d could not be run</small>", t.Errors)
	}
	w.raw("</dd></div>\n")
	if t.Ungraded > 0 {
		w.raw(`<div class="ungraded"><dt>ungraded</dt><dd>%d <small>not judged</small></dd></div>`, t.Ungraded)
	}
	w.raw("\n<div><dt>mean score</dt><dd>%s</dd></div>\n</dl>\n", Score(t.MeanScore))
	for _, line := range t.Spent() {
		w.raw("<p class=\"soft\">%s</p>\n", line)
	}
	w.sentence(`<p class="notice"><strong>Note.</strong> Every verdict here was `, p.Notice, ".</p>\n")
	w.raw("</header>\n")
}

func (s Suite) write(w *writer, n int, several bool) {
	w.raw(`<section class="suite" aria-labelledby="s%d">`+"\n"+`<h2 id="s%d">%s</h2>`+"\n", n, n, cmp.Or(s.Name, s.Path, "suite"))
	w.raw("<dl class=\"facts\">\n")
	w.element("<div><dt>file</dt><dd><code>", s.Path, "</code></dd></div>\n")
	for first := range s.Records {
		w.raw("<div><dt>target</dt><dd>%s</dd></div>\n<div><dt>judge</dt><dd>%s</dd></div>\n<div><dt>profile</dt><dd>%s</dd></div>\n",
			cmp.Or(first.Target, "none"), cmp.Or(first.Judge, "none"), first.Profile)
		if first.Timestamp != "" {
			w.raw("<div><dt>started</dt><dd><time datetime=\"%s\">%s</time></dd></div>\n", first.Timestamp, moment(first.Timestamp))
		}
		break
	}
	if several {
		w.raw("<div><dt>result</dt><dd>%s</dd></div>\n", TotalsOf(s.Records))
	}
	w.raw("</dl>\n")
	s.overview(w, n)
	agreement(w, run.AgreementOf(s.Records))
	i := 0
	for rec := range s.Records {
		article(w, fmt.Sprintf("c%d-%d", n, i), rec)
		w.spill()
		i++
	}
	w.raw("</section>\n")
}

func (s Suite) overview(w *writer, n int) {
	i := 0
	for rec := range s.Records {
		if i == 0 {
			w.raw("<table class=\"overview\">\n<caption class=\"unseen\">The cases of %s</caption>\n", s.Name)
			w.raw("<thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">Score</th><th scope=\"col\">Case</th><th scope=\"col\">What keeps it from passing</th></tr></thead>\n<tbody>\n")
		}
		w.raw("<tr><td>")
		chip(w, string(rec.Verdict))
		w.raw(`</td><td class="num">%s`, Score(rec.Score))
		bar(w, rec)
		w.raw(`</td><th scope="row"><a href="#c%d-%d">%s</a></th><td class="why">`, n, i, cmp.Or(rec.EvalID, "no id"))
		w.sentence("<strong>Error:</strong> ", rec.Error, " ")
		for j, reason := range Why(rec) {
			if j > 0 {
				w.raw("; ")
			}
			w.words(reason)
		}
		w.raw("</td></tr>\n")
		w.spill()
		i++
	}
	if i == 0 {
		w.raw("<p>No case was run.</p>\n")
		return
	}
	w.raw("</tbody>\n</table>\n")
}

func agreement(w *writer, all []run.Agreement) {
	if len(all) == 0 {
		return
	}
	w.raw("<table class=\"overview agreement\">\n<caption>Agreement of the samples</caption>\n")
	w.raw("<thead><tr><th scope=\"col\">Agreement</th><th scope=\"col\">Flip rate</th><th scope=\"col\">Criterion</th><th scope=\"col\">Contested</th></tr></thead>\n<tbody>\n")
	round := func(share float64) string { return fmt.Sprintf("%.0f", share*100) }
	for _, a := range all {
		w.raw(`<tr><td class="num">%s%%</td><td class="num">%s%%</td><th scope="row">%s</th><td>`, round(a.Agreement), round(a.FlipRate), a.Words())
		if a.Contested > 0 {
			w.raw(`<span class="mark fair">in %d of %d</span>`, a.Contested, a.Cases)
		} else {
			w.raw(`<span class="soft">never</span>`)
		}
		w.raw("</td></tr>\n")
	}
	w.raw("</tbody></table>\n")
}

func chip(w *writer, verdict string) { w.raw(`<span class="chip %s">%s</span>`, verdict, verdict) }

func bar(w *writer, rec run.Record) {
	percent := func(share float64) string { return Number(score.Clamp(share) * 100) }
	w.raw(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/>`+
		`<rect class="%s" width="%s" height="8"/>`, rec.Verdict, percent(rec.Score))
	for _, at := range []float64{score.PassAt, score.BorderlineAt} {
		w.raw(`<rect class="tick" x="%s" width="1" height="8"/>`, percent(at))
	}
	w.raw("</svg>")
}

// moment is a record's timestamp for people.
func moment(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}

// profiles are those of the report's verdicts, in order.
func (p Page) profiles() (list []score.Profile) {
	for _, s := range p.Suites {
		for rec := range s.Records {
			if !slices.Contains(list, rec.Profile) {
				list = append(list, rec.Profile)
			}
		}
	}
	slices.Sort(list)
	return list
}

// profile says how a profile's verdicts come about.
func profile(w *writer, name score.Profile) {
	w.raw("<p>Profile <b>%s</b>: ", cmp.Or(name, score.Spec))
	switch {
	case strings.HasPrefix(string(name), "adk-"):
		w.raw("a case passes if each of its metrics reaches its threshold; one that is not evaluated fails it. Its score is the mean of theirs.</p>")
		return
	case name == score.AgentV:
		w.raw("a case’s verdict follows from its score alone. ")
	default:
		w.raw("a criterion is a gate if it is required or has a minimum; if one is not met, the case fails, whatever its score. What is ungraded fails the case, and counts as nothing in its score. ")
	}
	w.raw("A score of %s and more passes, %s and more is borderline.</p>", score.PassAt, score.BorderlineAt)
}
