package report

import (
	_ "embed"

	"github.com/rubric-ls/rubric/core/run"
)

// Live says that a server has a page: the page leads to the others there and to the playground, and reloads when
// its results change. The evaluator makes none, so that its module lacks what is in this file.
type Live struct {
	Open func(rec run.Record) string // address that opens a case in the playground; nil for a page without cases

	actions, style, script, head, body string // of the page: its policy, what is added, and the start of its body
}

//go:embed live.css
var liveStyle string

// liveScript reloads the page when the server has other results, and gives it the playground's theme.
const liveScript = `setInterval(() => document.hidden || fetch("version").then(async r => { if (r.ok && await r.text() !== document.body.dataset.version) location.reload() }, () => {}), 2000)
document.documentElement.dataset.theme = localStorage.getItem("rubric-theme") ?? "auto"`

// NewLive returns what a server adds to a page. It has the newest version of the results at `version`. file is the
// address of the page as one file for itself, or "".
func NewLive(version, file string) *Live {
	w := &htmlWriter{}
	w.markup(`<body data-version="%s">`+"\n"+`<nav aria-label="Rubric"><b><img src="/icon.svg" alt="" width="24" height="24"> Rubric</b> <a href=".">Runs</a> <a href="open">Playground</a>`, version)
	w.element(` <a href="`, file, `" download>Save as one file</a>`)
	w.markup("</nav>\n")
	return &Live{actions: "form-action 'self'; connect-src 'self'; img-src 'self'", style: liveStyle, script: liveScript, head: `<link rel="icon" href="/icon.svg">`, body: w.String()}
}
