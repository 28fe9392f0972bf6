package run

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

// Option describes one field of [Settings], which has its name as a tag, for all hosts: the flag
// --max-calls, the key max_calls of a project's settings and the editor setting rubric.maxCalls are
// the option max-calls.
type Option struct {
	Name       string   // in kebab-case
	Hosts      Hosts    // who offers it
	Help       string   // imperative and without a full stop, as in the help of a command; it quotes the word for the value
	Doc        string   // Markdown for editors, if more is to be said than in Help
	Min, Max   float64  // of a number; Max 0 means no upper limit
	Values     []string // the valid values, or some of them if Open
	ValueDocs  []string // says what each of Values means; nil if they need no words
	Open       bool     // other values are valid too
	Expects    string   // describes the valid values, if Values do not
	PerTag     bool     // its values are numbers from 0 to 1, or TAG=NUMBER
	NoDefault  bool     // 0 is a value like others; without one there is no limit
	Zero       string   // says what 0 means in an editor, which has no other way to unset it; a flag and a project refuse it. "": 0 is a value like others
	OnlyADK    bool     // it has no meaning for other files
	NeedsTrust bool     // it can run programs or reach the network, so an untrusted project must not set it
}

// Hosts says who offers an option.
type Hosts uint8

const (
	CommandLine Hosts = 1 << iota
	Editor
	Project // .rubric.yaml
	Page
)

// Options lists the options that a host offers, in display order.
func Options(host Hosts) []Option {
	return slices.DeleteFunc(slices.Clone(options), func(o Option) bool { return o.Hosts&host == 0 })
}

// FindOption returns the option called name. It panics if there is none: names are constants.
func FindOption(name string) Option { return options[indexOf(name)] }

var options = []Option{
	{Name: "target", Hosts: CommandLine | Editor | Project, Values: []string{SelfTargetName}, Open: true, NeedsTrust: true,
		ValueDocs: []string{"the file's own expected answers"},
		Help:      "ask `TARGET` for answers (repeatable)",
		Doc:       "The target that answers the cases. If empty, it is the one that the eval file names, or else `.rubric.yaml`, or else `self`. `self` is the file's own expected output. All values of `rubric run --target` work too: `cli:COMMAND`, `openai:MODEL`, `adk:http://localhost:8000` for a running ADK agent, a recording, or the name of a target in `targets.yaml`. ADK evalsets ask an agent only, and otherwise their recorded conversations are measured."},
	{Name: "targets", Hosts: CommandLine,
		Help: "read targets from `FILE`, not the nearest targets.yaml"},
	{Name: "prompt", Hosts: CommandLine,
		Help: "ask with the template `FILE`, or with a text (repeatable)"},
	{Name: "judge", Hosts: CommandLine | Editor | Project, Values: []string{offline.Name, EditorJudgeName}, Open: true, NeedsTrust: true,
		ValueDocs: []string{"no model: only quoted text, numbers, lengths, JSON and patterns", "the editor's own model"},
		Help:      "ask `JUDGE` for grades; several form a panel",
		Doc:       "The judge. If empty, it is the one that ADK's metrics name, or else the target's definition, or else `.rubric.yaml`, or else `offline`. `offline` needs no model, `editor` is the editor's own model. All values of `rubric run --judge` work too: `openai:MODEL`, `cli:COMMAND`, `replay:FILE`, or the name of a target in `targets.yaml`. A list of judges is a panel."},
	{Name: "replay", Hosts: CommandLine,
		Help: "take the judge's answers from the recording `FILE`"},
	{Name: "record", Hosts: CommandLine,
		Help: "record the judge's answers, or conversations with an agent, to `FILE`"},
	{Name: "max-calls", Hosts: CommandLine | Editor | Project,
		Help: "ask judges at most `N` questions; leave the rest ungraded",
		Doc:  "Limit the questions to models and commands that judge; the rest is ungraded.", Zero: "0 means no limit."},
	{Name: "max-cost", Hosts: CommandLine | Editor | Project,
		Help: "spend at most `USD`; leave the rest ungraded",
		Doc:  "Limit the cost of models in US dollars; the rest is ungraded.", Zero: "0 means no limit."},
	{Name: "prices", Hosts: CommandLine,
		Help: "read prices from `FILE`; they override all others"},
	{Name: "no-cache", Hosts: CommandLine,
		Help: "ask models again, and cache nothing"},
	{Name: "cache", Hosts: CommandLine,
		Help: "share cached answers in `FOLDER` or s3://BUCKET/PREFIX"},
	{Name: "profile", Hosts: CommandLine | Editor | Page | Project, Values: toStrings(score.Profiles), Expects: score.ProfileNames,
		Help: "score as `NAME`: spec (documented), or as " + strings.Join(references, ", ") + " do",
		Doc:  "The scoring profile: spec follows the rules of the documents; " + diag.JoinList(references, "and") + " give that runner's numbers."},
	{Name: "threshold", Hosts: CommandLine | Editor | Project, Max: 1,
		Help: "pass cases from `SCORE` on, 0 to 1, if their gates hold",
		Doc:  "Pass cases with at least this score, 0 to 1, if their gates hold.", Zero: "With 0, the verdict counts."},
	{Name: "trials", Hosts: CommandLine | Editor | Project, Max: 1000,
		Help: "run each case `N` times; the score is the mean",
		Doc:  "How often each case is run. Its score is the mean, and results say how many runs pass (pass@k).", Zero: "With 0, it runs as often as its file says, or once."},
	{Name: "samples", Hosts: CommandLine | Editor | Page | Project, Min: 1, Max: 1000,
		Help: "ask each judge `N` times for each judgement",
		Doc:  "How often the judge is asked for each judgement; the majority counts. For ADK evalsets, the default is what their configuration says."},
	{Name: "workers", Hosts: CommandLine | Editor | Page | Project, Min: 1, Max: 10_000,
		Help: "run `N` cases in parallel; overrides the target's setting",
		Doc:  "Run this many cases in parallel; overrides the target's own setting."},
	{Name: "timeout", Hosts: CommandLine | Editor,
		Help: "wait `TIME` for an answer; overrides the target's setting",
		Doc:  "The time limit for one answer; overrides the target's own setting."},
	{Name: "rpm", Hosts: CommandLine | Editor | Project,
		Help: "send a provider at most `N` requests per minute",
		Doc:  "Limit the requests per minute to a provider. 0 means no limit."},
	{Name: "tpm", Hosts: CommandLine | Editor | Project,
		Help: "send a provider at most `N` tokens per minute",
		Doc:  "Limit the tokens per minute to a provider. 0 means no limit."},
	// Editors show verdicts and end with no status, so they do not offer the next three.
	{Name: minPassRate, Hosts: CommandLine | Project, PerTag: true,
		Help: "require the pass rate `RATE`, or TAG=RATE for a tag",
		Doc:  "The lowest share of graded cases that must pass, 0 to 1. `TAG=RATE` is for the cases with a tag. Cases to which no minimum applies must pass. With several targets, each must reach it."},
	{Name: minMean, Hosts: CommandLine | Project, PerTag: true,
		Help: "require the mean `SCORE`, or TAG=SCORE for a tag",
		Doc:  "The lowest mean score of graded cases, 0 to 1. `TAG=SCORE` is for the cases with a tag. Cases to which no minimum applies must pass. With several targets, each must reach it."},
	{Name: "max-warnings", Hosts: CommandLine | Project, NoDefault: true,
		Help: "fail if there are more than `N` warnings",
		Doc:  "`rubric check` fails if files have more warnings, and `rubric run` runs nothing."},
	{Name: "allow-exec", Hosts: CommandLine | Editor, NeedsTrust: true,
		Help: "run the code graders that the files name"},
	{Name: "sandboxed-graders", Hosts: Editor, NeedsTrust: true,
		Doc: "Run cases in an untrusted folder too: with the offline judge, against their own expected output, and with graders that are WebAssembly modules. Modules run in a sandbox without access to files or the network. In a trusted folder they always run."},
	{Name: "config", Hosts: CommandLine, OnlyADK: true,
		Help: "take metrics from `FILE`, not from test_config.json"},
	{Name: "recorded", Hosts: CommandLine | Editor, OnlyADK: true,
		Help: "measure the conversations of `FILE` (repeatable)",
		Doc:  "The recorded conversations of ADK evalsets: an `.evalset_result.json`, or an evalset that a run has written. The path is relative to the evalset's folder or to a parent folder. A `*` stands for the evalset's name, as in `runs/*.evalset_result.json`. Without a recording, the expected conversations are judged, and metrics that compare with them are not evaluated."},
	{Name: "metric", Hosts: CommandLine, OnlyADK: true,
		Help: "use only the metric `NAME` (repeatable)"},
	{Name: "adk", Hosts: CommandLine | Project, Values: toStrings(metric.Profiles), OnlyADK: true,
		Help: "follow the ADK version `NAME`: latest or 2.0"},
	{Name: "moderation", Hosts: CommandLine | Editor, NeedsTrust: true, OnlyADK: true,
		Help: "ask `ENDPOINT` for safety_v1: openai or openai:MODEL",
		Doc:  "The moderation endpoint that decides whether answers in ADK conversations are safe: `openai` or `openai:MODEL`. Without it, `safety_v1` asks the judge."},
}

// references are the profiles that repeat a runner.
var references = toStrings(score.Profiles[1:])

func toStrings[T ~string](values []T) []string {
	return generic.Map(values, func(v T) string { return string(v) })
}
