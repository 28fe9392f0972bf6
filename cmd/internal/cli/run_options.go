package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// runOptions are the options of commands that run cases.
type runOptions struct {
	run.Settings
	shardOptions
	queue                queue.Options
	wait                 time.Duration // of a worker, for a coordinator
	otlp, metrics, log   string
	observe              func(run.Event) // nil without telemetry
	isWorker             bool            // of a queue
	cases                []string
	tags                 []string
	dryRun, trust        bool
	eachJudge            bool             // judges are compared, and form no panel
	needAllCases         bool             // load all cases at once
	examples             []rubric.Example // to run in place of the cases
	ignoreErrors, resume bool
	givenMinimums        []run.Minimum // by the command line
	warnings             []fileWarnings
	leftOut              []corereport.LeftOut
	unanswered           int // cases without an expected output to answer with
	outputs              []string
	verbose, failed      bool
	quiet                bool
	format               string
	folders              bool // an output without a known ending is a folder of AgentV
}

// validate checks the options before any file is read.
func (o *runOptions) validate(files []string) error {
	if adk.IsResultsName(o.Record) { // conversations, and not a judge's answers
		o.outputs, o.Record = append(o.outputs, o.Record), ""
	}
	if o.format == resultstore.AgentVFormat {
		if len(o.outputs) == 0 {
			return fmt.Errorf("--format agentv needs --out with the folder to write")
		}
		o.format, o.folders = "text", true
	}
	if err := cmp.Or(refuseZeros(o.Settings), o.validateVariants(), o.validateShard(), o.validateQueue(), o.checkDetail()); err != nil {
		return err
	}
	switch {
	case o.NoCache && o.Cache != "":
		return fmt.Errorf("give only one of --cache and --no-cache")
	case o.dryRun && (o.resume || o.format != "text" && o.format != "json"):
		return fmt.Errorf("--dry-run prints text or json, and cannot be combined with --resume")
	case o.resume && journalPath(o.outputs) == "":
		return fmt.Errorf("--resume needs --out with a .jsonl file, which the interrupted run wrote")
	}
	if err := o.checkOverwrites(files); err != nil {
		return err
	}
	for _, path := range o.outputs {
		if formatOf(path) == "" && !o.folders {
			return fmt.Errorf("--out %s: the name must end in .jsonl, .json, .xml, .html, .md or .evalset_result.json; with --format agentv it is a folder", path)
		}
	}
	return nil
}

// refuseZeros returns an error for an explicit 0 of options whose value 0 stands for none.
func refuseZeros(s run.Settings) error {
	for _, option := range run.Options(run.CommandLine) {
		if err := option.RefusesZero(s, "--"+option.Name); err != nil && strings.HasPrefix(option.Name, "max") {
			return fmt.Errorf("%w; --dry-run asks nothing", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// validateVariants checks the options of a run with several results of a case.
func (o *runOptions) validateVariants() error {
	switch {
	case (o.eachJudge || len(o.Prompts) > 1) && (o.folders || o.wantsEvalsetResult()):
		return fmt.Errorf("results of AgentV or ADK have one prompt and judge for each target; they cannot have those of several --prompt or of --each-judge")
	case !o.eachJudge:
	case !o.IsSet("judge") || len(o.Judges) < 2:
		return fmt.Errorf("--each-judge needs two --judge or more")
	case o.Replay != "" || o.Record != "":
		return fmt.Errorf("--each-judge does not work with --replay and --record, because a recording has one judge or panel; name recordings as --judge replay:FILE")
	case o.shardText != "" || o.queue.URL != "":
		return fmt.Errorf("--each-judge does not work with --shard and --queue, because its judges grade the same answers")
	}
	return nil
}

// checkDetail returns an error if more than one option says what is printed.
func (o *runOptions) checkDetail() error {
	if o.verbose && (o.failed || o.quiet) || o.failed && o.quiet {
		return fmt.Errorf("give only one of --verbose, --failed and --quiet")
	}
	return nil
}

// selects returns a filter for the cases that --case and --tag select.
func (o *runOptions) selects() func(*rubric.Case) bool {
	selects := run.MatchIDs(o.cases...)
	return func(c *rubric.Case) bool { return selects(c) && o.hasTags(c) }
}

// hasTags reports whether a case has all tags that --tag asks for, and none that it excludes.
func (o *runOptions) hasTags(c *rubric.Case) bool {
	return !slices.ContainsFunc(o.tags, func(tag string) bool {
		name, excluded := strings.CutPrefix(tag, "!")
		return slices.Contains(c.Tags, name) == excluded
	})
}

// detail is what the text on standard output shows.
func (o *runOptions) detail() report.Detail {
	switch {
	case o.verbose:
		return report.AllCases
	case o.failed:
		return report.OnlyFailed
	case o.quiet:
		return report.OnlyTotals
	}
	return report.Failures
}

// resolveAutoJudge replaces the judge `auto` by the project's, or else by the first model that this
// machine has.
func (s *session) resolveAutoJudge(files []string, o *runOptions) error {
	i := slices.Index(o.Judges, targets.AutoJudgeName)
	if i < 0 {
		return nil
	}
	project, err := host.RunSettings(files[0])
	if err != nil {
		return err
	}
	if len(o.Judges) == 1 && len(project.Judges) > 0 {
		s.printNote(fmt.Sprintf("the judge is %s, because %s names it", strings.Join(project.Judges, " and "), host.SettingsFile))
		o.Settings = o.Settings.Unset("judge")
		return nil
	}
	name, why, err := targets.AutoJudge(s.ctx, !o.dryRun)
	if err != nil {
		return err
	}
	s.printNote(fmt.Sprintf("the judge is %s, because %s", name, why))
	o.Judges = slices.Clone(o.Judges)
	o.Judges[i] = name
	return nil
}

// wholeRunOptions apply to all files of a run.
var wholeRunOptions = []string{"max-calls", "max-cost", "threshold", "rpm", "tpm", "min-pass-rate", "min-mean", "max-warnings"}

// addProjectSettings adds the settings of the files' projects that apply to all files of a run. The
// projects must agree.
func (o *runOptions) addProjectSettings(files []string) error {
	first, err := host.RunSettings(files[0])
	if err != nil {
		return err
	}
	for _, path := range files[1:] {
		other, err := host.RunSettings(path)
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
	o.Settings = o.Settings.Or(first.Settings.Unset("target", "judge", "profile", "trials", "samples", "workers", "adk"))
	return nil
}

// checkMinimumTags returns an error if no case has the tag of a minimum of the command line: the run
// would look successful. It notes such a minimum of a project, whose other files may have the tag.
func (s *session) checkMinimumTags(suites []loadedSuite, o *runOptions) error {
	var tags []string
	for _, suite := range suites {
		if suite.stream != nil {
			tags = append(tags, suite.stream.tags...)
		}
		for _, c := range suite.suite.Cases {
			tags = append(tags, c.Tags...)
		}
	}
	for _, m := range o.Minimums() {
		switch {
		case m.Tag == "" || slices.Contains(tags, m.Tag):
		case slices.Contains(o.givenMinimums, m):
			return fmt.Errorf("--%s: no case has the tag `%s`%s", m.Option, m.Tag, spell.DidYouMean(m.Tag, tags))
		default:
			s.printNote(fmt.Sprintf("no case has the tag `%s`, for which %s has a `%s`", m.Tag, host.SettingsFile, run.FindOption(m.Option).Key()))
		}
	}
	return nil
}

// checkOverwrites returns an error if a file would be written that is also read, or
// written twice.
func (o *runOptions) checkOverwrites(files []string) error {
	answers := generic.Map(o.Targets, func(target string) string { return strings.TrimPrefix(target, "replay:") })
	configs := generic.Map(files, configPathFor) // whether they exist or not
	inputs := slices.Concat([]string{o.Replay, o.TargetsFile, o.Prices, o.Config}, files, answers, o.Recorded, configs)
	outputs := append([]string{o.Record}, o.outputs...)
	for i, path := range outputs {
		for _, other := range append(inputs, outputs[:i]...) {
			if path != "" && other != "" && disk.SameFile(path, other) {
				return fmt.Errorf("%s would be overwritten, but this run also reads or writes it; choose another file", path)
			}
		}
		for _, file := range files {
			if stem, isLines := strings.CutSuffix(path, ".jsonl"); isLines && slices.Contains([]string{filepath.Clean(stem + ".yaml"), filepath.Clean(stem + ".yml")}, filepath.Clean(file)) {
				return fmt.Errorf("%s would be read as the cases of %s, whose name it has; choose another file", path, file)
			}
		}
	}
	return nil
}

// Options of several commands, by name.
const (
	judgingOptions = "target targets judge replay record max-calls max-cost prices no-cache cache profile samples workers timeout rpm tpm"
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
		if o.Type() == "array" {
			flag.DefValue = "" // files can set it
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
	var set any = value
	if f.Option.Type() == "array" {
		f.given = append(f.given, value)
		set = f.given
	}
	if err := f.Option.Set(f.settings, "--"+f.Name, set); err != nil {
		return usageError{err}
	}
	return nil
}
