package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/report"
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
	timeoutSet, judgesSet, workersSet bool // timeout, judge and workers were given
	targetSet, samplesSet             bool // target and samples were
	allowExec                         bool
	noCache, dryRun                   bool
	needAllCases                      bool // all cases are needed at once
	ignoreErrors, resume              bool
	outputs                           []string
	format                            string
	threshold                         float64
	moderator                         metric.Moderate  // who is asked about safety; nil: the judge
	sandbox                           *sandbox.Sandbox // where graders that are WebAssembly run
}

// What a run is not asked for on purpose: it would not end, or not begin.
const (
	maxSamples = 1000
	maxWorkers = 10_000
)

// validate are misuses that can be told before anything is read.
func (o *runOptions) validate(files []string) error {
	_, known := report.Formats()[o.format]
	switch {
	case len(files) == 0:
		return fmt.Errorf("name an eval file, for example `rubric run my.eval.yaml`")
	case !known:
		return fmt.Errorf("--format is `text`, `json`, `jsonl`, `junit`, `html` or `evalset-result`, not `%s`", o.format)
	case !score.Profile(o.profile).IsKnown():
		return fmt.Errorf("--profile is %s, not `%s`", score.ProfileNames, o.profile)
	case o.dryRun && (o.resume || o.format != "text" && o.format != "json"):
		return fmt.Errorf("--dry-run prints text or json, and does not go with --resume")
	case o.rpm < 0 || o.tpm < 0 || o.maxCalls < 0 || !(o.maxCost >= 0):
		return fmt.Errorf("--rpm, --tpm, --max-calls and --max-cost are not below 0")
	case o.samples < 1 || o.samples > maxSamples:
		return fmt.Errorf("--samples is from 1 to %d, not %d", maxSamples, o.samples)
	case o.workers < 1 || o.workers > maxWorkers:
		return fmt.Errorf("--workers is from 1 to %d, not %d", maxWorkers, o.workers)
	case !(o.threshold >= 0 && o.threshold <= 1):
		return fmt.Errorf("--threshold is a score from 0 to 1, not %v", o.threshold)
	case o.timeout <= 0:
		return fmt.Errorf("--timeout is a time such as `30s`, not `%s`", o.timeout)
	case o.resume && journalPath(o.outputs) == "":
		return fmt.Errorf("--resume needs --out with a .jsonl file, where the interrupted run keeps what it has")
	}
	if err := cmp.Or(o.validateCommands(files[0]), o.validateEvalset()); err != nil {
		return err
	}
	if err := o.checkOverwrites(files); err != nil {
		return err
	}
	for _, path := range o.outputs {
		if formatOf(path) == "" {
			return fmt.Errorf("--out %s: the name has to end in .jsonl, .json, .xml, .html or .evalset_result.json", path)
		}
	}
	return nil
}

// validateCommands are what is wrong with the commands of the options, for an eval file.
func (o *runOptions) validateCommands(evalFile string) error {
	if template, isCommand := strings.CutPrefix(o.target, "cli:"); isCommand {
		if err := (host.CommandTarget{Template: template}).Check(); err != nil {
			return fmt.Errorf("--target: %w", err)
		}
	}
	if strings.TrimSpace(o.target) == "" {
		return errors.New("--target: there is no name")
	}
	for i, judge := range o.judges {
		if strings.TrimSpace(judge) == "" {
			return errors.New("--judge: there is no name")
		}
		if line, isCommand := strings.CutPrefix(judge, "cli:"); isCommand && strings.TrimSpace(line) == "" {
			return errors.New("--judge: there is no command")
		}
		if slices.Contains(o.judges[:i], judge) {
			return fmt.Errorf("--judge: `%s` sits on the panel twice; --samples has a judge asked more than once", host.RedactCommand(judge, evalFile))
		}
	}
	return nil
}

// checkOverwrites finds a file that would be written and is read too, or written twice:
// what a person wrote would be gone.
func (o *runOptions) checkOverwrites(files []string) error {
	inputs := append([]string{o.replay, o.targetsFile, o.prices, strings.TrimPrefix(o.target, "replay:")}, files...)
	inputs = append(inputs, o.inputFiles(files)...)
	outputs := append([]string{o.record}, o.outputs...)
	for i, path := range outputs {
		for _, other := range append(inputs, outputs[:i]...) {
			if path != "" && other != "" && host.SameFile(path, other) {
				return fmt.Errorf("%s would be written, and is a file that this run reads or writes already", path)
			}
		}
	}
	return nil
}
