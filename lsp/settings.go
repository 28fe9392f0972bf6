package lsp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Setting describes one client setting in the section `rubric`.
type Setting struct {
	Name        string
	Description string // Markdown
	// Default is a string, an int or a bool.
	Default  any
	Min, Max int      // of a number
	Values   []string // some of the valid strings
	// NeedsTrust says that the setting can run programs or reach the network. An untrusted folder
	// must not set it.
	NeedsTrust bool
}

// DefaultText returns the default in Markdown.
func (s Setting) DefaultText() string {
	if s.Default == "" {
		return "none"
	}
	return fmt.Sprintf("`%v`", s.Default)
}

// Limits and defaults.
const (
	defaultWorkers, maxWorkers = 3, 32
	defaultSamples, maxSamples = 1, 25
)

// Settings lists the settings of [RunSettings] in display order. It leaves out `rules`, whose keys
// are the rule ids.
func Settings() []Setting {
	return []Setting{
		{Name: "judge", Default: offline.Name, Values: []string{offline.Name, editorJudgeName}, NeedsTrust: true,
			Description: "The judge: `offline` needs no model, `editor` is the editor's own model. All values of `rubric run --judge` work too: `openai:MODEL`, `cli:COMMAND`, `replay:FILE`, or the name of a target in `targets.yaml`."},
		{Name: "target", Default: selfTargetName, Values: []string{selfTargetName}, NeedsTrust: true,
			Description: "The target that answers the cases: `self` is the file's own expected output. All values of `rubric run --target` work too: `cli:COMMAND`, a recording, or the name of a target in `targets.yaml`."},
		{Name: "recorded", Default: "",
			Description: "The recorded conversations of ADK evalsets: an `.evalset_result.json`, or an evalset that a run has written. The path is relative to the evalset's folder or to a parent folder. A `*` stands for the evalset's name, as in `runs/*.evalset_result.json`. Without a recording, the expected conversations are judged, and metrics that compare with them are not evaluated."},
		{Name: "moderation", Default: "", NeedsTrust: true,
			Description: "The moderation endpoint that decides whether answers in ADK conversations are safe: `openai` or `openai:MODEL`, as for `rubric run --moderation`. Without it, `safety_v1` asks the judge."},
		{Name: "workers", Default: defaultWorkers, Min: 1, Max: maxWorkers,
			Description: "How many cases run at the same time."},
		{Name: "samples", Default: defaultSamples, Min: 1, Max: maxSamples,
			Description: "How often the judge is asked for each judgement; the majority counts. For ADK evalsets, 1 means as often as their configuration says."},
		{Name: "allowExec", Default: false, NeedsTrust: true,
			Description: "Run the programs that files name as graders."},
		{Name: "sandboxedGraders", Default: false, NeedsTrust: true,
			Description: "Run cases in an untrusted folder too: with the offline judge, against their own expected output, and with graders that are WebAssembly modules. Modules run in a sandbox without access to files or the network. In a trusted folder they always run."},
	}
}

// RunSettings says how cases run. The client sets it; see [Settings].
type RunSettings struct {
	Judge    string `json:"judge"`
	Target   string `json:"target"`
	Recorded string `json:"recorded"` // recorded conversations for ADK evalsets
	// Moderation names the endpoint that judges the safety of ADK answers; "" means the judge.
	Moderation string `json:"moderation"`
	Workers    int    `json:"workers"`
	Samples    int    `json:"samples"`
	AllowExec  bool   `json:"allowExec"`
	// SandboxedGraders allows runs in untrusted workspaces.
	SandboxedGraders bool `json:"sandboxedGraders"`
}

// withDefaults fills in the defaults and clones the strings, because decoded strings are parts of
// the message.
func (rs RunSettings) withDefaults() RunSettings {
	rs.Judge = strings.Clone(cmp.Or(rs.Judge, offline.Name))
	rs.Target = strings.Clone(cmp.Or(rs.Target, selfTargetName))
	rs.Recorded = strings.Clone(rs.Recorded)
	rs.Moderation = strings.Clone(rs.Moderation)
	rs.Workers = min(max(cmp.Or(rs.Workers, defaultWorkers), 1), maxWorkers)
	rs.Samples = min(max(rs.Samples, defaultSamples), maxSamples)
	return rs
}

// restricted removes everything that starts a program or opens a connection.
func (rs RunSettings) restricted() RunSettings {
	rs.Judge, rs.Target, rs.AllowExec = offline.Name, selfTargetName, false
	rs.Moderation = ""
	return rs
}

// config returns who answers and who judges a document's cases. An ADK evalset has no target,
// because the conversations are part of it.
func (rs RunSettings) config(d *document) runConfig {
	if d.ADK() != adk.None {
		return runConfig{selfTargetName, rs.Judge, rs.Moderation}
	}
	return runConfig{rs.Target, rs.Judge, ""}
}
