// Package labelpage serves a page on which people label the answers of a run.
package labelpage

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
)

// A Session serves a page on which a person labels the answers of a run. The labels file is its only
// state, so that reloads, further tabs and restarts continue where it ends.
type Session struct {
	Path     string // of the labels file
	By       string
	Disputed bool // only what people disagree about
	Items    []calibrate.Item
	Token    string // the folder of the page's address
	// Agreement returns the figures of the judge as a table with a head, and remarks.
	Agreement func([]rubric.Label) (rows [][]string, remarks []string)

	mu sync.Mutex // guards the labels file
}

// ServeHTTP shows the page, or stores a grade.
func (s *Session) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/"+s.Token+"/":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		s.give(w, r)
	default:
		s.show(w, r)
	}
}

// read returns the labels file's text and labels. A file that is not there has neither.
func (s *Session) read() (body string, labels []rubric.Label, err error) {
	if disk.Exists(s.Path) {
		if body, err = disk.ReadArgument(s.Path); err != nil {
			return "", nil, err
		}
	}
	return body, agentv.ReadLabels(analysis.Of(host.NewInput(s.Path, body)).Tree()), nil
}

// add writes a label at the end of the file's judgements, as a whole or not at all.
func (s *Session) add(label rubric.Label) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 10 { // an editor may save the file at the same time
		body, _, err := s.read()
		if err != nil {
			return err
		}
		text, err := agentv.AddJudgements(analysis.Of(host.NewInput(s.Path, body)).Tree(), []rubric.Label{label})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(agentv.ReadLabels(analysis.Of(host.NewInput(s.Path, text)).Tree()), label.Equal) {
			return errors.New("the file has errors; fix those that `rubric check` reports")
		}
		if err = disk.ReplaceText(s.Path, body, text); err == nil {
			return nil
		} else if now, _, readErr := s.read(); readErr != nil || now == body {
			return err
		}
	}
	return errors.New("the file changes all the time")
}

// given returns the current labels of an item, in the order of the file.
func given(it calibrate.Item, labels []rubric.Label) (given []rubric.Label) {
	for _, label := range labels {
		if label.Case == it.Record.EvalID && label.Criterion == it.Criterion.ID && label.Turn == 0 && (label.Fingerprint == "" || label.Fingerprint == it.Fingerprint) {
			given = append(given, label)
		}
	}
	return given
}

// isOpen reports whether the item waits for this person. What people disagree about waits for all but the
// last who labelled it.
func (s *Session) isOpen(it calibrate.Item, labels []rubric.Label) bool {
	own := given(it, labels)
	if !s.Disputed {
		return !slices.ContainsFunc(own, func(label rubric.Label) bool { return label.By == s.By })
	}
	return slices.ContainsFunc(own, func(label rubric.Label) bool { return label.Grade() != own[0].Grade() }) && own[len(own)-1].By != s.By
}

// give stores the grade of a form and shows the next item.
func (s *Session) give(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	at := s.find(r.PostFormValue("item"))
	if at < 0 {
		http.Error(w, "This answer is not in the run that is labelled. Go back and reload the page.", http.StatusConflict)
		return
	}
	it := s.Items[at]
	label := rubric.Label{
		Case: it.Record.EvalID, Criterion: it.Criterion.ID, Note: strings.ToValidUTF8(r.PostFormValue("note"), "\ufffd"),
		By: s.By, At: time.Now().UTC().Format(time.RFC3339), Fingerprint: it.Fingerprint,
	}
	if err := label.SetGrade(r.PostFormValue("grade")); err != nil || (label.Score != nil) != (len(it.Criterion.Bands) > 0) {
		http.Error(w, "The grade is not one of this criterion.", http.StatusBadRequest)
		return
	}
	if err := s.add(label); err != nil {
		http.Error(w, "Not stored: "+s.Path+": "+err.Error(), http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "?last="+itemID(it), http.StatusSeeOther)
}

// itemID identifies an item in addresses and forms.
func itemID(it calibrate.Item) string {
	return rubric.Digest([]any{it.Record.EvalID, it.Criterion.ID, it.Fingerprint})[:16]
}

func (s *Session) find(id string) int {
	return slices.IndexFunc(s.Items, func(it calibrate.Item) bool { return itemID(it) == id })
}

// labelStyle is what the page has beyond the style of reports.
const labelStyle = `main pre,form{max-width:45rem}h1{font-size:1.4rem}h2{margin-top:1.2rem;font-size:.875rem;color:var(--faint)}pre{font:inherit}` +
	`button{min-width:44px;min-height:44px}textarea{font:inherit;width:100%;min-height:44px;margin-top:.3rem}label{display:block;margin-top:1rem}`

// labelKeys gives a grade by one key: that of a button's data-key. A key that is held grades no further answer.
const labelKeys = `addEventListener("keydown",e=>{if(!e.repeat&&!e.ctrlKey&&!e.altKey&&!e.metaKey&&e.target.tagName!="TEXTAREA")document.querySelector('[data-key="'+CSS.escape(e.key)+'"]')?.click()})`

// show writes the page: what the judge said of the answer that was labelled last, and the next one.
func (s *Session) show(w http.ResponseWriter, r *http.Request) {
	_, labels, err := s.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	next, open := s.find(r.FormValue("item")), 0
	for i, it := range s.Items {
		if s.isOpen(it, labels) {
			if open++; next < 0 {
				next = i
			}
		}
	}
	var out strings.Builder
	nonce := rand.Text()
	fmt.Fprintf(&out, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Label answers</title><style>%s</style><main><h1>Label answers</h1><p>%d of %d left for %s. `, report.Style+labelStyle, open, len(s.Items), template.HTMLEscapeString(s.By))
	if next >= 0 {
		out.WriteString("Grade the answer by the criterion, with a button or its key. You see the judge's grade after yours. ")
	}
	fmt.Fprintf(&out, "Each grade is stored at once, in <code>%s</code>.</p>", template.HTMLEscapeString(filepath.Base(s.Path)))
	if at := s.find(r.FormValue("last")); at >= 0 {
		for _, label := range given(s.Items[at], labels) {
			if label.By == s.By {
				fmt.Fprintf(&out, `<p role="status">Your last grade, of <strong>%s</strong>: %s. The judge: %s <a data-key="u" href="?item=%s">Change your grade (u)</a></p>`,
					template.HTMLEscapeString(itemName(s.Items[at])), inWords(label.Grade()), report.Prose(describeJudge(s.Items[at])), itemID(s.Items[at]))
			}
		}
	}
	if next >= 0 {
		s.writeForm(&out, next)
		if s.Disputed {
			for _, label := range given(s.Items[next], labels) {
				fmt.Fprintf(&out, "<p>%s: %s</p>", template.HTMLEscapeString(label.By), template.HTMLEscapeString(inWords(label.Grade())+" "+label.Note))
			}
		}
	} else {
		s.writeAgreement(&out, labels)
	}
	fmt.Fprintf(&out, `</main><script nonce="%s">%s</script></html>`, nonce, labelKeys)
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-"+nonce+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	fmt.Fprint(w, out.String()) // the client has gone if this fails
}

// writeForm writes the question, the answer and the criterion, without the judge's grade.
func (s *Session) writeForm(out *strings.Builder, at int) {
	it := s.Items[at]
	for _, part := range [][2]string{{"Question", it.Record.Question}, {"Answer", it.Record.CandidateAnswer}, {"Criterion", cmp.Or(it.Criterion.Text, it.Criterion.ID)}} {
		if part[1] != "" {
			fmt.Fprintf(out, "<h2>%s</h2><pre>%s</pre>", part[0], template.HTMLEscapeString(part[1]))
		}
	}
	for _, b := range it.Criterion.Bands {
		fmt.Fprintf(out, "<p><strong>%s</strong> %s</p>", rubric.Band{Lo: b.Range[0], Hi: b.Range[1]}, template.HTMLEscapeString(b.Text))
	}
	fmt.Fprintf(out, `<form method="post" action="./"><input type="hidden" name="item" value="%s"><p>`, itemID(it))
	button := func(grade, key, text string) {
		fmt.Fprintf(out, `<button name="grade" value="%s" data-key="%s">%s</button>`, grade, key, text)
	}
	if len(it.Criterion.Bands) == 0 {
		button("true", "y", "Satisfied (y)")
		button("false", "n", "Not satisfied (n)")
	} else {
		for score := range 10 {
			button(fmt.Sprint(score), fmt.Sprint(score), fmt.Sprint(score))
		}
		button("10", "t", "10 (t)")
	}
	out.WriteString(`</p><p><label>Note, if you like; it is stored with the grade <textarea name="note" rows="2"></textarea></label></p></form>`)
}

// writeAgreement writes how the judge agrees with the labels, and links to the answers that this person grades otherwise.
func (s *Session) writeAgreement(out *strings.Builder, labels []rubric.Label) {
	out.WriteString("<p>All is labelled. <code>rubric calibrate</code> shows the same figures.</p>")
	rows, remarks := s.Agreement(labels)
	out.WriteString(report.Table{Title: "Agreement of the judge with people", Rows: rows}.HTML())
	list := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(out, "<h2>%s</h2><ul><li>%s</ul>", title, strings.Join(items, "<li>"))
		}
	}
	var differing []string
	for _, it := range s.Items {
		for _, label := range given(it, labels) {
			if judged := judgeGrade(it); label.By == s.By && judged != "" && judged != label.Grade() {
				differing = append(differing, fmt.Sprintf(`<a href="?item=%s">%s</a>: you said %s, the judge %s`, itemID(it),
					template.HTMLEscapeString(itemName(it)), inWords(label.Grade()), inWords(judged)))
			}
		}
	}
	list("Where you and the judge differ", differing)
	list("Remarks", generic.Map(remarks, report.Prose))
}

// judgeGrade returns the judge's grade as [rubric.Label.Grade] does, or "".
func judgeGrade(it calibrate.Item) string {
	if it.Grade.Satisfied == nil && it.Grade.Score == nil {
		return ""
	}
	return rubric.Label{Satisfied: it.Grade.Satisfied, Score: it.Grade.Score}.Grade()
}

// inWords says a grade of a check in the words of its buttons.
func inWords(grade string) string {
	switch grade {
	case "true":
		return "satisfied"
	case "false":
		return "not satisfied"
	}
	return grade
}

// itemName names an item by its case and criterion.
func itemName(it calibrate.Item) string { return it.Record.EvalID + "/" + it.Criterion.Label() }

// describeJudge returns the judge's grade with its reason, as sentences.
func describeJudge(it calibrate.Item) string {
	grade, reason := cmp.Or(inWords(judgeGrade(it)), "no grade"), strings.TrimRight(it.Grade.Reasoning+it.Grade.Ungraded, ". ")
	if reason == "" {
		return grade + "."
	}
	return grade + ": " + reason + "."
}
