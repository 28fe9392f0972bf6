package lsp

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// RunSettings is how cases are run, as the client's [Settings] have it.
type RunSettings struct {
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

// withDefaults is r with its defaults, and of its own memory: what was decoded is a
// part of the message.
func (rs RunSettings) withDefaults() RunSettings {
	rs.Judge = strings.Clone(cmp.Or(rs.Judge, offline.Name))
	rs.Target = strings.Clone(cmp.Or(rs.Target, selfTargetName))
	rs.Recorded = strings.Clone(rs.Recorded)
	rs.Moderation = strings.Clone(rs.Moderation)
	rs.Workers = min(max(cmp.Or(rs.Workers, defaultWorkers), 1), maxWorkers)
	rs.Samples = min(max(rs.Samples, defaultSamples), maxSamples)
	return rs
}

// restricted is r without whatever starts or reaches something.
func (rs RunSettings) restricted() RunSettings {
	rs.Judge, rs.Target, rs.AllowExec = offline.Name, selfTargetName, false
	rs.Moderation = ""
	return rs
}

// config is who answers a document's cases and who judges. Nobody answers those of ADK:
// what was said is a part of what the case means.
func (rs RunSettings) config(d *document) runConfig {
	if d.ADK() != adk.None {
		return runConfig{selfTargetName, rs.Judge, rs.Moderation}
	}
	return runConfig{rs.Target, rs.Judge, ""}
}
