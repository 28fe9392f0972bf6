package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

// evalsetOptions are what only ADK's files have a use for.
type evalsetOptions struct {
	configPath string
	recordings []string
	metrics    []string
	adkVersion string

	moderation string // of runs alone
}

func (o *evalsetOptions) declareEvalsetFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.configPath, "config", "", "the metrics of an ADK evalset, instead of the test_config.json beside it")
	flags.StringArrayVar(&o.recordings, "recorded", nil, "recorded conversations to measure: an .evalset_result.json or an evalset (may be repeated)")
	flags.StringArrayVar(&o.metrics, "metric", nil, "only this metric of the configuration (may be repeated)")
	flags.StringVar(&o.adkVersion, "adk", "", "whose rules for an ADK evalset: latest or 2.0 (default: as .rubric.yaml says, else latest)")
}

// validateEvalset is a misuse that can be told before anything is read.
func (o *evalsetOptions) validateEvalset() error {
	if o.adkVersion != "" && !slices.Contains(metric.Profiles, metric.Profile(o.adkVersion)) {
		return fmt.Errorf("--adk is `latest` or `2.0`, not `%s`", o.adkVersion)
	}
	return nil
}

// evalsetFlag reports whether an option was given that only ADK's files have a use for.
func (o *evalsetOptions) evalsetFlag() string {
	switch {
	case o.configPath != "":
		return "--config"
	case len(o.recordings) > 0:
		return "--recorded"
	case len(o.metrics) > 0:
		return "--metric"
	case o.adkVersion != "":
		return "--adk"
	case o.moderation != "":
		return "--moderation"
	}
	return ""
}

// inputFiles are the files that are read beside evalsets, whether they are there or not.
func (o *evalsetOptions) inputFiles(files []string) []string {
	all := append([]string{o.configPath}, o.recordings...)
	for _, path := range files {
		all = append(all, configPathFor(path))
	}
	return all
}

// openFile reads a file to run. It is an evalset's if set is not nil; one that is
// not there may be named as ADK names it, with the ids of cases after a colon.
func openFile(path string) (set *evalset, body string, err error) {
	if path == "-" {
		return nil, "", errors.New("only `rubric check -` reads an eval file from standard input")
	}
	path, cases := splitCaseIDs(path)
	body, err = host.ReadArgument(path)
	if err != nil || !strings.EqualFold(filepath.Ext(path), ".json") {
		return nil, body, err
	}
	f := adk.OpenCompact(path, body)
	switch f.Role {
	case adk.None:
		return nil, body, nil
	case adk.Config:
		return nil, body, fmt.Errorf("%s is a configuration; name the evalset, and this with --config", path)
	}
	return &evalset{path: path, file: f, cases: cases}, body, nil
}

// evalset is a file of ADK's to be measured.
type evalset struct {
	path       string
	file       adk.File
	profile    metric.Profile
	cases      []string // only these; none means all
	criteria   []metric.Criterion
	configNote string // where the criteria are from, if no file has them

	config, configBody string // the file that has them
}

// loadEvalset makes an evalset ready to be measured, unless there is something
// wrong with it or with its configuration.
func (s *session) loadEvalset(e *evalset, project *projectFiles, o *runOptions) (loadedSuite, int) {
	if o.targetSet {
		return loadedSuite{}, s.commandError("--target has no use for %s: its conversations are recorded, and no agent is run", e.path)
	}
	evaluation, err := e.evaluate(&o.evalsetOptions)
	e.file.Tree = nil // which takes many times the room of its text
	if e.config != "" && (err == nil || adk.Open(e.config, e.configBody).Role == adk.Config) {
		if _, configErr := s.analyseValid(e.configInput(), project, o); configErr != nil {
			return loadedSuite{}, s.commandError("%s", configErr)
		}
	}
	if err == nil {
		_, err = s.analyseValid(host.NewInput(e.path, e.file.Body), project, o)
	}
	if err != nil {
		return loadedSuite{}, s.commandError("%s", err)
	}
	e.printNotes(s.stderr, evaluation.Problems)
	if len(evaluation.Suite.Cases) == 0 {
		return loadedSuite{}, s.commandError("%s has no cases to run", e.path)
	}
	return loadedSuite{path: e.path, suite: evaluation.Suite, evaluation: &evaluation, profile: e.profile, target: namedTarget{name: e.sourceName(&o.evalsetOptions)}}, exitOK
}

// printNotes tells of problems with what was recorded, and where the criteria are from.
func (e *evalset) printNotes(w io.Writer, problems []string) {
	for _, problem := range append(problems, e.configNote) {
		if problem != "" {
			fmt.Fprintf(w, "rubric: %s: %s\n", e.path, problem)
		}
	}
}

// configInput is the configuration as it is held against this evalset, and against no
// other that is beside it.
func (e *evalset) configInput() analysis.Input {
	in := host.NewInput(e.config, e.configBody)
	name := filepath.Base(e.path)
	in.FolderNames = func() []string { return []string{name} }
	in.ReadFile = func(string) (string, bool) {
		body, err := host.ReadArgument(e.path)
		return body, err == nil
	}
	return in
}

// resolveProfile finds whose rules hold: those that the options name, or else the settings.
func (e *evalset) resolveProfile(o *evalsetOptions) error {
	configured, err := (&host.Settings{}).ADKProfile(e.path)
	e.profile = cmp.Or(metric.Profile(o.adkVersion), configured, metric.Latest)
	return err
}

// sourceName is who had the conversations.
func (e *evalset) sourceName(o *evalsetOptions) string {
	switch {
	case len(o.recordings) > 0:
		var names []string
		for _, path := range o.recordings {
			names = append(names, filepath.Base(path))
		}
		return strings.Join(names, ", ")
	case e.file.Role == adk.Results:
		return filepath.Base(e.path)
	}
	return adk.SelfTarget
}

// evaluate puts the conversations together with the metrics to measure them by.
func (e *evalset) evaluate(o *evalsetOptions) (adk.Evaluation, error) {
	if err := e.resolveProfile(o); err != nil {
		return adk.Evaluation{}, err
	}
	if err := e.loadConfig(o); err != nil {
		return adk.Evaluation{}, err
	}
	if e.file.Role == adk.Results {
		if len(o.recordings) > 0 {
			return adk.Evaluation{}, fmt.Errorf("%s is a recording itself; name the evalset beside --recorded", e.path)
		}
		return e.filterRecording(adk.LowerResults(e.profile, e.file)).Evaluation(e.criteria), nil
	}
	set := e.withDefaultID(adk.LowerSet(e.profile, e.file))
	if err := e.checkSelected(set); err != nil {
		return adk.Evaluation{}, err
	}
	set.Cases = slices.DeleteFunc(set.Cases, func(c adk.Case) bool { return !e.selects(c.ID) })
	var recorded []adk.Recording
	for _, path := range o.recordings {
		r, err := readRecording(path, e.profile)
		if err != nil {
			return adk.Evaluation{}, err
		}
		recorded = append(recorded, e.filterRecording(r))
	}
	return set.Evaluation(e.criteria, recorded...), nil
}

// withDefaultID is a set that is called as the file is, if it has no id.
func (e *evalset) withDefaultID(set adk.Set) adk.Set {
	if set.ID == "" {
		set.ID = strings.TrimSuffix(filepath.Base(e.path), filepath.Ext(e.path))
	}
	return set
}

// selects reports whether a case is to be run by its id.
func (e *evalset) selects(id string) bool { return len(e.cases) == 0 || slices.Contains(e.cases, id) }

// checkSelected is an error if one of the chosen cases is not in a set.
func (e *evalset) checkSelected(set adk.Set) error {
	var ids []string
	for _, c := range set.Cases {
		ids = append(ids, c.ID)
	}
	for _, id := range e.cases {
		if !slices.Contains(ids, id) {
			return fmt.Errorf("%s has no case `%s`%s", e.path, id, spell.DidYouMean(id, ids))
		}
	}
	return nil
}

// filterRecording is a recording with the chosen cases alone.
func (e *evalset) filterRecording(r adk.Recording) adk.Recording {
	r.Cases = slices.DeleteFunc(r.Cases, func(c adk.RecordedCase) bool { return !e.selects(c.ID) })
	return r
}

// readRecording reads conversations from a result file, or from an evalset that was
// written by a run.
func readRecording(path string, p metric.Profile) (adk.Recording, error) {
	body, err := host.ReadArgument(path)
	if err != nil {
		return adk.Recording{}, err
	}
	r, err := adk.ReadRecording(p, adk.OpenCompact(path, body))
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
