package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func writeCase(w *htmlWriter, id string, rec run.Record) {
	w.markup(`<article class="case is-%s" aria-labelledby="%s"`, rec.Verdict, id)
	if w.live != nil {
		w.markup(` id="%s"`, w.live.anchor(rec.Dataset, rec.EvalID))
	}
	w.markup(">\n"+`<header><h3 id="%s">%s</h3>`, id, cmp.Or(rec.EvalID, "no id"))
	writeVerdict(w, string(rec.Verdict))
	w.markup(`<span class="score">%s`, ScoreOf(rec.Score))
	writeScoreBar(w, rec)
	w.markup("</span></header>\n")
	w.element(`<p class="expected">`, rec.ExpectedOutcome, "</p>\n")
	w.proseElement(`<p class="error"><strong>Not run to its end.</strong> `, rec.Error, "</p>\n")
	if reasons := FailureReasons(rec); len(reasons) > 0 {
		w.markup(`<ul class="reasons">`)
		for _, reason := range reasons {
			w.proseElement("<li>", reason, "</li>")
		}
		w.markup("</ul>\n")
	}
	if w.live != nil && w.live.Open != nil {
		w.markup(w.live.open, w.live.Open(rec), rec.EvalID)
	}
	w.markup(`<details class="body"`)
	if rec.Verdict != score.Pass {
		w.markup(" open")
	}
	w.markup(">\n<summary>Question, answer and grades</summary>\n<dl class=\"texts\">\n")
	if rec.OwnTarget {
		w.markup("<div><dt>Target</dt><dd>%s, judged by %s</dd></div>\n", rec.Asked(), rec.Judge)
	}
	if t := rec.Trials; t != nil && len(t.Runs) > 0 {
		w.markup("<div><dt>Trials</dt><dd>%s; the best is shown</dd></div>\n", t.String())
	}
	w.element("<div><dt>Answered by the fallback</dt><dd>", rec.AnsweredBy, "</dd></div>\n")
	w.element("<div><dt>Question</dt><dd class=\"question\">", rec.Question, "</dd></div>\n")
	w.markup(`<div><dt>Judged answer</dt><dd class="answer">`)
	w.markup("%s", rec.CandidateAnswer)
	if rec.CandidateAnswer == "" {
		w.markup("<em>none</em>")
	}
	w.markup("</dd></div>\n")
	w.element(`<div><dt>Took</dt><dd class="took">`, strings.Join(usageFacts(rec), " · "), "</dd></div>\n")
	w.markup("</dl>\n")
	for _, g := range rec.Graders {
		writeGrader(w, rec.Profile, g, "h4")
	}
	if len(rec.Graders) == 0 {
		w.markup("<p class=\"soft\">No grader ran.</p>\n")
	}
	w.markup("</details>\n</article>\n")
}

func usageFacts(rec run.Record) (list []string) {
	if rec.DurationMS != nil {
		list = append(list, fmt.Sprintf("%.1f s", *rec.DurationMS/1000))
	}
	if rec.Informational != nil {
		return append(list, rec.Informational.PerTurn())
	}
	if t := rec.TraceSummary; t != nil {
		if t.EventCount != nil {
			list = append(list, fmt.Sprintf("tool calls: %d", *t.EventCount))
		}
		if t.TokenUsage != nil {
			list = append(list, fmt.Sprintf("tokens: %s in, %s out", score.FormatNumber(t.TokenUsage.Input), score.FormatNumber(t.TokenUsage.Output)))
		}
		if t.CostUSD != nil {
			list = append(list, fmt.Sprintf("cost: $%.4f", *t.CostUSD))
		}
	}
	return list
}

// writeGrader writes one grader under a heading element, and its members under h5.
func writeGrader(w *htmlWriter, profile score.Profile, g run.GraderRecord, heading string) {
	threshold, kind := MetricThreshold(g), GraderKind(g)
	facts := kind
	if threshold == "" && kind != "turn" {
		facts += ", weight " + score.FormatNumber(g.Weight)
	}
	if g.Aggregator != "" {
		facts += ", combined by " + spaced(g.Aggregator)
	}
	w.markup("<section class=\"grader\">\n<header><"+heading+">%s</"+heading+`> <span class="soft">%s</span> `, g.Name, strings.TrimPrefix(facts, g.Name+", "))
	switch {
	case IsUnassertedTurn(g):
		w.prose(g.Reasoning)
	case g.Ungraded != "":
		writeVerdict(w, "ungraded")
	default:
		writeVerdict(w, string(g.Verdict))
	}
	if !IsUnassertedTurn(g) {
		w.markup(` <span class="score">%s</span>`, ScoreOf(g.Score))
	}
	w.element(` <span class="soft">`, threshold, "</span>")
	w.markup("</header>\n")
	w.proseElement(`<p class="error"><strong>Ungraded.</strong> `, g.Ungraded, "</p>\n")
	for _, problem := range g.Problems {
		w.markup(`<p class="error">`)
		if g.Type != "turn" {
			w.markup("<strong>In its settings.</strong> ")
		}
		w.prose(problem)
		w.markup("</p>\n")
	}
	if g.Turn != nil {
		w.element("<dl class=\"texts\">\n<div><dt>User</dt><dd>", g.Turn.Question, "</dd></div>\n")
		w.element("<div><dt>Answer</dt><dd>", g.Turn.Answer, "</dd></div>")
		w.markup("</dl>\n")
	}
	rows, ownFindings := Rows(profile, g), HasOwnFindings(g)
	writeCriteria(w, rows)
	if ownFindings {
		writeFindings(w, g)
	}
	if ownFindings || len(rows) > 0 {
		w.element(`<p class="reasoning">`, g.Reasoning, "</p>\n")
	}
	for _, m := range Members(g) {
		writeGrader(w, profile, m, "h5")
	}
	writeReplies(w, g)
	w.markup("</section>\n")
}

func writeCriteria(w *htmlWriter, rows []Row) {
	if len(rows) == 0 {
		return
	}
	w.markup("<table class=\"criteria\">\n")
	w.tableHead("Grade", "Criterion", "Weight", "Gate")
	for _, r := range rows {
		mark := Mark(r.Grade)
		if r.Grade.Ungraded != "" {
			mark = "? ungraded"
		}
		w.markup(`<tr><td><span class="mark %s">%s</span></td>`+"\n", r.Class(), mark)
		w.markup(`<th scope="row"><span class="label">%s</span>`, r.Heading())
		if r.Text != "" {
			w.element(` <code class="id">`, r.ID, "</code>")
		}
		writeBands(w, r)
		w.proseElement("\n"+`<p class="reasoning">`, r.Reason(), "</p>")
		writeOpinions(w, r.Grade)
		w.markup("</th>\n"+`<td class="num" data-label="weight">%s</td>`+"\n"+`<td data-label="gate">`, score.FormatNumber(r.Weight))
		writeGate(w, r)
		w.markup("</td></tr>\n")
	}
	w.markup("</tbody></table>\n")
}

func writeBands(w *htmlWriter, r Row) {
	if len(r.Bands) == 0 {
		return
	}
	order := make([]int, len(r.Bands))
	for i := range order {
		order[i] = i
	}
	generic.SortStable(order, func(a, b int) int { return cmp.Compare(r.Bands[a].Range[0], r.Bands[b].Range[0]) })
	w.markup("\n<ol class=\"bands\">")
	for _, i := range order {
		b, isReached := r.Bands[i], i == r.reachedBand()
		w.markup("<li")
		if isReached {
			w.markup(` class="reached"`)
		}
		w.markup(`><span class="num">%s`, score.FormatNumber(b.Range[0]))
		if b.Range[0] != b.Range[1] {
			w.markup("–%s", score.FormatNumber(b.Range[1]))
		}
		w.markup("</span> <span>%s", b.Text)
		if isReached {
			w.markup(" <b>reached</b>")
		}
		w.markup("</span></li>")
	}
	w.markup("</ol>")
}

func writeOpinions(w *htmlWriter, g score.Grade) {
	if !g.IsContested() {
		return
	}
	w.markup(`<ul class="opinions">`)
	for _, o := range g.Opinions {
		w.markup(`<li><span class="mark">%s</span> `, Mark(score.Grade{Satisfied: o.Satisfied, Score: o.Score, Ungraded: o.Ungraded}))
		w.element("<code>", o.Judge, "</code> ")
		w.markup("%s</li>", cmp.Or(o.Reasoning, o.Ungraded))
	}
	w.markup("</ul>")
}

func writeGate(w *htmlWriter, r Row) {
	if name := r.GateName(); name != "" {
		w.markup("%s", name)
	} else {
		w.markup(`<span class="soft">none</span>`)
	}
	switch {
	case r.Gate == nil:
	case r.Gate.Met:
		w.markup(` <span class="mark good">✓ met</span>`)
	case r.Gate.Ungraded:
		w.markup(` <span class="mark none">? not judged</span>`)
	default:
		w.markup(` <span class="mark bad">✗ not met</span>`)
	}
}

func writeFindings(w *htmlWriter, g run.GraderRecord) {
	if len(g.Hits)+len(g.Misses) == 0 {
		return
	}
	w.markup(`<ul class="findings">`)
	for _, hit := range g.Hits {
		w.markup(`<li><span class="mark good">✓ hit</span> <span>%s</span></li>`, hit)
	}
	for _, miss := range g.Misses {
		w.markup(`<li><span class="mark bad">✗ miss</span> <span>%s</span></li>`, miss)
	}
	w.markup("</ul>\n")
}

func writeReplies(w *htmlWriter, g run.GraderRecord) {
	if n := len(g.Replies); n > 0 {
		w.markup(`<details class="raw"><summary>What the judge replied`)
		if n > 1 {
			w.markup(", %d times", n)
		}
		w.markup("</summary>")
		for _, r := range g.Replies {
			w.markup(`<p class="soft">sample %d, attempt %d`, r.Sample+1, r.Attempt+1) // records count from 0
			w.element(", ", r.Model, "")
			w.markup("</p><pre>%s</pre>", r.Text)
			for _, problem := range r.Problems {
				w.proseElement(`<p class="error"><strong>Not usable.</strong> `, problem, "</p>")
			}
		}
		w.markup("</details>\n")
	}
	if q := g.Request; q != nil {
		w.markup(`<details class="raw"><summary>Prompt to the judge</summary><p class="soft">system</p><pre>%s</pre><p class="soft">user</p><pre>%s</pre></details>`+"\n", q.System, q.User)
	}
}
