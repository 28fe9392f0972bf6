package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/run"
)

// runOptions are the options of commands that run cases.
type runOptions struct {
	run.Settings
	cases                []string
	dryRun, trust        bool
	needAllCases         bool // load all cases at once
	ignoreErrors, resume bool
	maxWarnings          int // -1 for no limit
	warnings             []fileWarnings
	hasLeftOut           bool // cases or settings were left out because of errors
	unanswered           int  // cases without an expected output to answer with
	outputs              []string
	format               string
}

// validate checks the options before any file is read.
func (o *runOptions) validate(files []string) error {
	_, known := report.Formats()[o.format]
	switch {
	case len(files) == 0:
		return fmt.Errorf("name an eval file, for example `rubric run my.eval.yaml`")
	case !known:
		return fmt.Errorf("--format must be `text`, `json`, `jsonl`, `junit`, `html` or `evalset-result`, not `%s`", o.format)
	case o.dryRun && (o.resume || o.format != "text" && o.format != "json"):
		return fmt.Errorf("--dry-run prints text or json, and cannot be combined with --resume")
	case o.resume && journalPath(o.outputs) == "":
		return fmt.Errorf("--resume needs --out with a .jsonl file, which the interrupted run wrote")
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

// wholeRunOptions apply to all files of a run.
var wholeRunOptions = []string{"max-calls", "max-cost", "threshold", "rpm", "tpm"}

// addProjectSettings adds the settings of the files' projects that apply to all files of a run. The
// projects must agree.
func (o *runOptions) addProjectSettings(files []string) error {
	settings := &host.Settings{}
	first, err := settings.Run(files[0])
	if err != nil {
		return err
	}
	for _, path := range files[1:] {
		other, err := settings.Run(path)
		if err != nil {
			return err
		}
		for _, name := range wholeRunOptions {
			option := run.FindOption(name)
			if !o.IsSet(name) && option.Text(first.Settings) != option.Text(other.Settings) {
				return fmt.Errorf("%s and %s have different settings of `%s` in %s; use --%s", files[0], path, option.Key(), host.SettingsFile, name)
			}
		}
	}
	o.Settings = o.Settings.Or(first.Settings.Unset("target", "judge", "profile", "samples", "workers", "adk"))
	return nil
}

// checkOverwrites returns an error if a file would be written that is also read, or
// written twice.
func (o *runOptions) checkOverwrites(files []string) error {
	inputs := append([]string{o.Replay, o.TargetsFile, o.Prices}, files...)
	for _, target := range o.Targets {
		inputs = append(inputs, strings.TrimPrefix(target, "replay:"))
	}
	inputs = append(inputs, evalsetInputs(&o.Settings, files)...)
	outputs := append([]string{o.Record}, o.outputs...)
	for i, path := range outputs {
		for _, other := range append(inputs, outputs[:i]...) {
			if path != "" && other != "" && disk.SameFile(path, other) {
				return fmt.Errorf("%s would be overwritten, but this run also reads or writes it; choose another file", path)
			}
		}
	}
	return nil
}

// Options of several commands, by name.
const (
	judgingOptions = "target targets judge replay record max-calls max-cost prices no-cache profile samples workers timeout rpm tpm"
	evalsetOptions = "config recorded metric adk"
)

// declareOptions declares flags for options of a run, given by name.
func declareOptions(flags *pflag.FlagSet, settings *run.Settings, names string) {
	*settings = settings.WithDefaults()
	for name := range strings.FieldsSeq(names) {
		o := run.FindOption(name)
		flag := flags.VarPF(&optionFlag{Option: o, settings: settings}, name, "", o.Help)
		if o.Type() == "boolean" {
			flag.NoOptDefVal = "true"
		}
	}
}

// optionFlag is the flag of an option. A flag for a list can be repeated.
type optionFlag struct {
	run.Option
	settings *run.Settings
	given    []string
}

func (f *optionFlag) String() string { return f.Text(*f.settings) }

// Type returns the word for the value in the help text.
func (f *optionFlag) Type() string {
	return map[string]string{"array": "stringArray", "boolean": "bool", "integer": "int", "number": "float64"}[f.Option.Type()]
}

func (f *optionFlag) Set(value string) error {
	if f.Option.Type() != "array" {
		return f.Option.Set(f.settings, "--"+f.Name, value)
	}
	f.given = append(f.given, value)
	return f.Option.Set(f.settings, "--"+f.Name, f.given)
}
