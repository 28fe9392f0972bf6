package report

import (
	_ "embed"
	"net/url"

	"github.com/rubric-ls/rubric/core/run"
)

// Live says that a server has a page: the page leads to the others there and to the playground, and reloads when
// its results change. The evaluator makes none, so that its module lacks what is in this file.
type Live struct {
	Open func(rec run.Record) string // address that opens a case in the playground; nil for a page without cases

	actions, style, script, head, body string // of the page: its policy, what is added, and the start of its body

	open    string                               // markup of the address that opens a case, and of the case's id
	anchor  func(dataset, id string) string      // names the place of a case in the page of a run
	address func(run, dataset, id string) string // leads to a case in the page of a run
}

//go:embed live.css
var liveStyle string

//go:embed live.js
var liveScript string

// NewLive returns what a server adds to a page. It has the newest version of the results at `version`. file is the
// address of the page as one file for itself, or "".
func NewLive(version, file string) *Live {
	body := markupOf(func(w *htmlWriter) {
		w.markup(`<body data-version="%s">`+"\n"+`<nav aria-label="Rubric"><b><img src="/icon.svg" alt="" width="24" height="24"> Rubric</b> <a href="." aria-current="true">Runs</a> <a href="open">Playground</a>`, version)
		w.element(` <a class="save" href="`, file, `" download>Save as one file</a>`)
		w.markup("</nav>\n")
	})
	return &Live{
		actions: "form-action 'self'; connect-src 'self'; img-src 'self'", style: liveStyle, script: liveScript, head: `<link rel="icon" href="/icon.svg">`, body: body,
		open:   `<p class="open"><a href="%s" aria-label="Open in the playground: %s">Open in the playground</a></p>` + "\n",
		anchor: caseAnchor,
		address: func(run, dataset, id string) string {
			return "run?run=" + url.QueryEscape(run) + "#" + caseAnchor(dataset, id)
		},
	}
}

func caseAnchor(dataset, id string) string {
	return "case-" + url.PathEscape(dataset) + "/" + url.PathEscape(id)
}
