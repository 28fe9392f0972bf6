package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

type runOptions struct {
	evalsetOptions
	cases                             []string
	target, targetsFile               string
	judges                            []string
	replay, record                    string
	profile                           string
	samples, workers                  int
	timeout                           time.Duration
	rpm, tpm, maxCalls                int
	maxCost                           float64
	prices                            string
	timeoutSet, judgesSet, workersSet bool // the flag was given
	targetSet, samplesSet             bool // the flag was given
	allowExec                         bool
	noCache, dryRun                   bool
	needAllCases                      bool // load all cases at once
	ignoreErrors, resume              bool
	outputs                           []string
	format                            string
	threshold                         float64
	moderator                         metric.Moderate  // answers safety questions; nil: the judge does
	sandbox                           *sandbox.Sandbox // runs WebAssembly graders
}

// Limits that keep a run from never starting or never ending.
const (
	maxSamples = 1000
	maxWorkers = 10_000
)

// validate checks the options before any file is read.
func (o *runOptions) validate(files []string) error {
	_, known := report.Formats()[o.format]
	switch {
	case len(files) == 0:
		return fmt.Errorf("name an eval file, for example `rubric run my.eval.yaml`")
	case !known:
		return fmt.Errorf("--format must be `text`, `json`, `jsonl`, `junit`, `html` or `evalset-result`, not `%s`", o.format)
	case !score.Profile(o.profile).IsKnown():
		return fmt.Errorf("--profile must be %s, not `%s`", score.ProfileNames, o.profile)
	case o.dryRun && (o.resume || o.format != "text" && o.format != "json"):
		return fmt.Errorf("--dry-run prints text or json, and cannot be combined with --resume")
	case o.rpm < 0 || o.tpm < 0 || o.maxCalls < 0 || !(o.maxCost >= 0):
		return fmt.Errorf("--rpm, --tpm, --max-calls and --max-cost must not be negative")
	case o.samples < 1 || o.samples > maxSamples:
		return fmt.Errorf("--samples must be from 1 to %d, not %d", maxSamples, o.samples)
	case o.workers < 1 || o.workers > maxWorkers:
		return fmt.Errorf("--workers must be from 1 to %d, not %d", maxWorkers, o.workers)
	case !(o.threshold >= 0 && o.threshold <= 1):
		return fmt.Errorf("--threshold must be a score from 0 to 1, not %v", o.threshold)
	case o.timeout <= 0:
		return fmt.Errorf("--timeout must be a duration such as `30s`, not `%s`", o.timeout)
	case o.resume && journalPath(o.outputs) == "":
		return fmt.Errorf("--resume needs --out with a .jsonl file, which the interrupted run wrote")
	}
	if err := cmp.Or(o.validateCommands(files[0]), o.validateEvalset()); err != nil {
		return err
	}
	if err := o.checkOverwrites(files); err != nil {
		return err
	}
	for _, path := range o.outputs {
		if formatOf(path) == "" {
			return fmt.Errorf("--out %s: the name must end in .jsonl, .json, .xml, .html or .evalset_result.json", path)
		}
	}
	return nil
}

// validateCommands checks the commands and names of --target and --judge.
func (o *runOptions) validateCommands(evalFile string) error {
	if template, isCommand := strings.CutPrefix(o.target, "cli:"); isCommand {
		if err := (host.CommandTarget{Template: template}).Check(); err != nil {
			return fmt.Errorf("--target: %w", err)
		}
	}
	if strings.TrimSpace(o.target) == "" {
		return errors.New("--target: the name is empty")
	}
	for i, judge := range o.judges {
		if strings.TrimSpace(judge) == "" {
			return errors.New("--judge: the name is empty")
		}
		if line, isCommand := strings.CutPrefix(judge, "cli:"); isCommand && strings.TrimSpace(line) == "" {
			return errors.New("--judge: the command is empty")
		}
		if slices.Contains(o.judges[:i], judge) {
			return fmt.Errorf("--judge: `%s` is on the panel twice; use --samples to ask a judge several times", host.RedactCommand(judge, evalFile))
		}
	}
	return nil
}

// checkOverwrites returns an error if a file would be written that is also read, or
// written twice.
func (o *runOptions) checkOverwrites(files []string) error {
	inputs := append([]string{o.replay, o.targetsFile, o.prices, strings.TrimPrefix(o.target, "replay:")}, files...)
	inputs = append(inputs, o.inputFiles(files)...)
	outputs := append([]string{o.record}, o.outputs...)
	for i, path := range outputs {
		for _, other := range append(inputs, outputs[:i]...) {
			if path != "" && other != "" && host.SameFile(path, other) {
				return fmt.Errorf("%s would be overwritten, but this run also reads or writes it; choose another file", path)
			}
		}
	}
	return nil
}

// declareFlags declares the flags that all commands share that ask and judge targets.
func (o *runOptions) declareFlags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&o.cases, "case", nil, "select cases by id or pattern (repeatable)")
	flags.StringVar(&o.target, "target", "self", "the target: self, mock:TEXT, cli:COMMAND, a JSONL file, or a name in targets.yaml")
	flags.StringVar(&o.targetsFile, "targets", "", "the targets file (default: the nearest targets.yaml)")
	flags.StringArrayVar(&o.judges, "judge", []string{offline.Name}, "the judge: offline, cli:COMMAND, PROVIDER:MODEL, or a name in targets.yaml; several form a panel")
	flags.StringVar(&o.replay, "replay", "", "take the judge's answers from this recording")
	flags.StringVar(&o.record, "record", "", "record the judge's answers to this file")
	flags.IntVar(&o.maxCalls, "max-calls", 0, "limit the questions to models and commands that judge; the rest is ungraded (0: no limit)")
	flags.Float64Var(&o.maxCost, "max-cost", 0, "limit the cost of models in US dollars; the rest is ungraded (0: no limit)")
	flags.StringVar(&o.prices, "prices", "", "a file of prices that override the others: {PROVIDER:MODEL: {input, output}} per million tokens")
	flags.BoolVar(&o.noCache, "no-cache", false, "ask models again, and cache nothing")
	flags.StringVar(&o.profile, "profile", string(score.Spec), "the scoring profile: spec, agentv, agentv-4 or agentv-head")
	flags.IntVar(&o.samples, "samples", 1, "ask each judge this often for each judgement")
	flags.IntVar(&o.workers, "workers", 3, "run this many cases in parallel; overrides the target's own setting")
	flags.DurationVar(&o.timeout, "timeout", 2*time.Minute, "the time limit for one answer; overrides the target's own setting")
	flags.IntVar(&o.rpm, "rpm", 0, "limit the requests per minute to a provider (0: no limit)")
	flags.IntVar(&o.tpm, "tpm", 0, "limit the tokens per minute to a provider (0: no limit)")
}

// markSetFlags records which flags were given.
func (o *runOptions) markSetFlags(flags *pflag.FlagSet) {
	o.targetSet, o.samplesSet = flags.Changed("target"), flags.Changed("samples")
	o.timeoutSet, o.judgesSet, o.workersSet = flags.Changed("timeout"), flags.Changed("judge"), flags.Changed("workers")
}
