package lsp

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Setting is one of a client's settings for us, under `rubric`.
type Setting struct {
	Name        string
	Description string // what it is for, in Markdown
	// Default is a string, an int or a bool, and what a setting that is not there
	// means.
	Default  any
	Min, Max int      // of a number
	Values   []string // some of the texts that there are
	// NeedsTrust says that by it something may be run or asked, so that a folder that
	// nobody trusts must not set it.
	NeedsTrust bool
}

// DefaultText is the default as a page shows it, in Markdown.
func (s Setting) DefaultText() string {
	if s.Default == "" {
		return "none"
	}
	return fmt.Sprintf("`%v`", s.Default)
}

// The bounds of what a settings file can ask for, and what it need not ask for.
const (
	defaultWorkers, maxWorkers = 3, 32
	defaultSamples, maxSamples = 1, 25
)

// Settings are those of [Running], in the order in which people meet them. The
// severities of rules, under `rules`, are the other one; of them the rules know.
func Settings() []Setting {
	return []Setting{
		{Name: "judge", Default: offline.Name, Values: []string{offline.Name, editorJudgeName}, NeedsTrust: true,
			Description: "Who judges: `offline` needs no model, `editor` is the editor's own model, and otherwise what `rubric run --judge` takes, as `openai:MODEL`, `cli:COMMAND`, `replay:FILE` or the name of a target in `targets.yaml`."},
		{Name: "target", Default: selfTargetName, Values: []string{selfTargetName}, NeedsTrust: true,
			Description: "Who answers the cases: `self` is the file's own expected output, and otherwise what `rubric run --target` takes, as `cli:COMMAND`, a recording or the name of a target in `targets.yaml`."},
		{Name: "recorded", Default: "",
			Description: "What was said in the conversations of ADK's evalsets: an `.evalset_result.json`, or an evalset that a run has written, by its path from the evalset's folder or one above it; a `*` stands for the evalset's name, as in `runs/*.evalset_result.json`. Without it the expected conversations are judged themselves, and what compares with them is not evaluated."},
		{Name: "moderation", Default: "", NeedsTrust: true,
			Description: "Who is asked whether answers of ADK's conversations are safe, in the judge's place: what `rubric run --moderation` takes, `openai` or `openai:MODEL`. Without it `safety_v1` asks the judge."},
		{Name: "workers", Default: defaultWorkers, Min: 1, Max: maxWorkers,
			Description: "How many cases are run at a time."},
		{Name: "samples", Default: defaultSamples, Min: 1, Max: maxSamples,
			Description: "How often the judge is asked for each judgement; the majority counts. For ADK's evalsets 1 is as often as their configuration says."},
		{Name: "allowExec", Default: false, NeedsTrust: true,
			Description: "Let the programs run that files name as graders."},
		{Name: "sandboxedGraders", Default: false, NeedsTrust: true,
			Description: "Let cases be run in a folder that is not trusted, too: by the offline judge, against their own expected output, and with those graders that are WebAssembly modules, which are shut in and reach nothing. Where the folder is trusted they always run."},
	}
}
