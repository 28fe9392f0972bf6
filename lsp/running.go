package lsp

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Running is how cases are run, as the client's [Settings] have it.
type Running struct {
	Judge    string `json:"judge"`
	Target   string `json:"target"`
	Recorded string `json:"recorded"` // conversations for evalsets of ADK
	// Moderation is who is asked about the safety of ADK's answers; "" for the judge.
	Moderation string `json:"moderation"`
	Workers    int    `json:"workers"`
	Samples    int    `json:"samples"`
	AllowExec  bool   `json:"allowExec"`
	// SandboxedGraders lets cases be run where nothing else may.
	SandboxedGraders bool `json:"sandboxedGraders"`
}

// settled is r with its defaults, and of its own memory: what was decoded is a
// part of the message.
func (r Running) settled() Running {
	r.Judge = strings.Clone(cmp.Or(r.Judge, offline.Name))
	r.Target = strings.Clone(cmp.Or(r.Target, selfName))
	r.Recorded = strings.Clone(r.Recorded)
	r.Moderation = strings.Clone(r.Moderation)
	r.Workers = min(max(cmp.Or(r.Workers, usualWorkers), 1), mostWorkers)
	r.Samples = min(max(r.Samples, usualSamples), mostSamples)
	return r
}

// confined is r without whatever starts or reaches something.
func (r Running) confined() Running {
	r.Judge, r.Target, r.AllowExec = offline.Name, selfName, false
	r.Moderation = ""
	return r
}

// way is who answers a document's cases and who judges. Nobody answers those of ADK:
// what was said is a part of what the case means.
func (r Running) way(d *Document) way {
	if d.ADK() != adk.None {
		return way{selfName, r.Judge, r.Moderation}
	}
	return way{r.Target, r.Judge, ""}
}
