package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// article is one case.
func article(w *writer, id string, rec run.Record) {
	w.raw(`<article class="case" aria-labelledby="%s">`+"\n"+`<header><h3 id="%s">%s</h3>`, id, id, cmp.Or(rec.EvalID, "no id"))
	chip(w, string(rec.Verdict))
	w.raw(`<span class="score">%s`, Score(rec.Score))
	bar(w, rec)
	w.raw("</span></header>\n")
	w.element(`<p class="expected">`, rec.ExpectedOutcome, "</p>\n")
	w.sentence(`<p class="error"><strong>Not run to its end.</strong> `, rec.Error, "</p>\n")
	if reasons := Why(rec); len(reasons) > 0 {
		w.raw(`<ul class="reasons">`)
		for _, reason := range reasons {
			w.sentence("<li>", reason, "</li>")
		}
		w.raw("</ul>\n")
	}
	w.raw(`<details class="body"`)
	if rec.Verdict != score.Pass {
		w.raw(" open")
	}
	w.raw(">\n<summary>Question, answer and grades</summary>\n<dl class=\"texts\">\n")
	w.element("<div><dt>Question</dt><dd>", rec.Question, "</dd></div>\n")
	w.raw(`<div><dt>Answer</dt><dd class="answer">`)
	w.raw("%s", rec.CandidateAnswer)
	if rec.CandidateAnswer == "" {
		w.raw("<em>none</em>")
	}
	w.raw("</dd></div>\n")
	took(w, facts(rec))
	w.raw("</dl>\n")
	for _, g := range rec.Graders {
		grader(w, rec.Profile, g, "h4")
	}
	if len(rec.Graders) == 0 {
		w.raw("<p class=\"soft\">Nothing graded it.</p>\n")
	}
	w.raw("</details>\n</article>\n")
}

func took(w *writer, facts []string) {
	for i, fact := range facts {
		if i == 0 {
			w.raw(`<div><dt>Took</dt><dd class="took">`)
		} else {
			w.raw(" · ")
		}
		w.raw("%s", fact)
	}
	if len(facts) > 0 {
		w.raw("</dd></div>\n")
	}
}

// facts are what a case took, as far as it is known.
func facts(rec run.Record) (list []string) {
	if rec.DurationMS != nil {
		list = append(list, fmt.Sprintf("%.1f s", *rec.DurationMS/1000))
	}
	if t := rec.TraceSummary; t != nil {
		if t.EventCount != nil {
			list = append(list, fmt.Sprintf("tool calls: %d", *t.EventCount))
		}
		if t.TokenUsage != nil {
			list = append(list, fmt.Sprintf("tokens: %s in, %s out", Number(t.TokenUsage.Input), Number(t.TokenUsage.Output)))
		}
		if t.CostUSD != nil {
			list = append(list, fmt.Sprintf("cost: $%.4f", *t.CostUSD))
		}
	}
	return list
}

// grader is one grader below a heading of a level, and its members below that.
func grader(w *writer, profile score.Profile, g run.GraderRecord, heading string) {
	held := Held(g)
	w.raw("<section class=\"grader\">\n<header><"+heading+">%s</"+heading+`> <span class="soft">%s`, g.Name, KindOf(g))
	if held == "" && KindOf(g) != "turn" {
		w.raw(", weight %s", Number(g.Weight))
	}
	w.element(", combined by ", plain(g.Aggregator), "")
	w.raw("</span> ")
	if g.Ungraded != "" {
		chip(w, "ungraded")
	} else {
		chip(w, string(g.Verdict))
	}
	w.raw(` <span class="score">%s</span>`, Score(g.Score))
	w.element(` <span class="soft">`, held, "</span>")
	w.raw("</header>\n")
	w.sentence(`<p class="error"><strong>Ungraded.</strong> `, g.Ungraded, "</p>\n")
	for _, problem := range g.Problems {
		w.raw(`<p class="error">`)
		if g.Type != "turn" {
			w.raw("<strong>In its settings.</strong> ")
		}
		w.words(problem)
		w.raw("</p>\n")
	}
	rows, itself := Rows(profile, g), FindsItself(g)
	criteria(w, rows)
	if itself {
		findings(w, g)
	}
	if itself || len(rows) > 0 {
		w.element(`<p class="reasoning">`, g.Reasoning, "</p>\n")
	}
	for _, m := range MembersOf(g) {
		grader(w, profile, m, "h5")
	}
	replies(w, g)
	w.raw("</section>\n")
}

func criteria(w *writer, rows []Row) {
	if len(rows) == 0 {
		return
	}
	w.raw("<table class=\"criteria\">\n<thead><tr><th scope=\"col\">Grade</th><th scope=\"col\">Criterion</th><th scope=\"col\">Weight</th><th scope=\"col\">Gate</th></tr></thead>\n<tbody>\n")
	for _, r := range rows {
		mark := r.Mark()
		if r.Grade.Ungraded != "" {
			mark = "? ungraded"
		}
		w.raw(`<tr><td><span class="mark %s">%s</span></td>`+"\n", r.Class(), mark)
		w.raw(`<th scope="row"><span class="label">%s</span>`, r.Label())
		if r.Text != "" {
			w.element(` <code class="id">`, r.ID, "</code>")
		}
		bands(w, r)
		w.element("\n"+`<p class="reasoning">`, r.Reason(), "</p>")
		opinions(w, r.Grade)
		w.raw("</th>\n"+`<td class="num" data-label="weight">%s</td>`+"\n"+`<td data-label="gate">`, Number(r.Weight))
		gate(w, r)
		w.raw("</td></tr>\n")
	}
	w.raw("</tbody></table>\n")
}

func bands(w *writer, r Row) {
	if len(r.Bands) == 0 {
		return
	}
	order := make([]int, len(r.Bands))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Bands[a].Range[0], r.Bands[b].Range[0]) })
	w.raw("\n<ol class=\"bands\">")
	for _, i := range order {
		b, reached := r.Bands[i], i == r.reached()
		w.raw("<li")
		if reached {
			w.raw(` class="reached"`)
		}
		w.raw(`><span class="num">%s`, Number(b.Range[0]))
		if b.Range[0] != b.Range[1] {
			w.raw("–%s", Number(b.Range[1]))
		}
		w.raw("</span> <span>%s", b.Text)
		if reached {
			w.raw(" <b>reached</b>")
		}
		w.raw("</span></li>")
	}
	w.raw("</ol>")
}

func opinions(w *writer, g score.Grade) {
	if !g.Contested() {
		return
	}
	w.raw(`<ul class="opinions">`)
	for _, o := range g.Opinions {
		w.raw(`<li><span class="mark">%s</span> `, Mark(score.Grade{Satisfied: o.Satisfied, Score: o.Score, Ungraded: o.Ungraded}))
		w.element("<code>", o.Judge, "</code> ")
		w.raw("%s</li>", cmp.Or(o.Reasoning, o.Ungraded))
	}
	w.raw("</ul>")
}

func gate(w *writer, r Row) {
	if name := r.GateName(); name != "" {
		w.raw("%s", name)
	} else {
		w.raw(`<span class="soft">none</span>`)
	}
	switch {
	case r.Gate == nil:
	case r.Gate.Met:
		w.raw(` <span class="mark good">✓ met</span>`)
	default:
		w.raw(` <span class="mark bad">✗ not met</span>`)
	}
}

func findings(w *writer, g run.GraderRecord) {
	if len(g.Hits)+len(g.Misses) == 0 {
		return
	}
	w.raw(`<ul class="findings">`)
	for _, hit := range g.Hits {
		w.raw(`<li><span class="mark good">✓ hit</span> <span>%s</span></li>`, hit)
	}
	for _, miss := range g.Misses {
		w.raw(`<li><span class="mark bad">✗ miss</span> <span>%s</span></li>`, miss)
	}
	w.raw("</ul>\n")
}

// replies are what the judge said and was asked, to be opened by who wants to know.
func replies(w *writer, g run.GraderRecord) {
	if n := len(g.Replies); n > 0 {
		w.raw(`<details class="raw"><summary>What the judge replied`)
		if n > 1 {
			w.raw(", %d times", n)
		}
		w.raw("</summary>")
		for _, r := range g.Replies {
			w.raw(`<p class="soft">sample %d, attempt %d`, r.Sample+1, r.Attempt+1) // records count from 0, people from 1
			w.element(", ", r.Model, "")
			w.raw("</p><pre>%s</pre>", r.Text)
			for _, problem := range r.Problems {
				w.sentence(`<p class="error"><strong>Not usable.</strong> `, problem, "</p>")
			}
		}
		w.raw("</details>\n")
	}
	if q := g.Request; q != nil {
		w.raw(`<details class="raw"><summary>What the judge was asked</summary><p class="soft">system</p><pre>%s</pre><p class="soft">user</p><pre>%s</pre></details>`+"\n", q.System, q.User)
	}
}
