package lsp

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Running is how cases are run, as the client's settings have it.
type Running struct {
	// Judge is `offline` by default; `editor` is the editor's own model, and what
	// else there is the host knows.
	Judge string `json:"judge"`
	// Target is `self` by default: the file's own expected output.
	Target string `json:"target"`
	// Workers is how many cases are run at a time, 3 by default.
	Workers int `json:"workers"`
	// Samples is how often the judge is asked for each judgement, once by default.
	Samples int `json:"samples"`
	// AllowExec lets the programs run that files name as graders.
	AllowExec bool `json:"allowExec"`
}

// most are bounds on what a settings file can ask for.
const (
	mostWorkers = 32
	mostSamples = 25
)

// settled is r with its defaults, and of its own memory: what was decoded is a
// part of the message.
func (r Running) settled() Running {
	r.Judge = strings.Clone(cmp.Or(r.Judge, offline.Name))
	r.Target = strings.Clone(cmp.Or(r.Target, selfName))
	r.Workers = min(max(cmp.Or(r.Workers, 3), 1), mostWorkers)
	r.Samples = min(max(r.Samples, 1), mostSamples)
	return r
}

// way is who answers and who judges.
func (r Running) way() way { return way{r.Target, r.Judge} }
