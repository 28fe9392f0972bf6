package cache

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// environment is what surrounds a file.
type environment struct {
	input      analysis.Input // without Text
	project    ProjectSettings
	projectErr error // why the project's settings cannot be read
	// readUnsaved reads an open sibling of a document that is not on disk; nil for others.
	readUnsaved func(name string) (string, bool)
}

// evalsetInputs holds the metrics and the recorded conversations with which an ADK evalset is
// evaluated. It is immutable.
type evalsetInputs struct {
	recordingSetting string // the setting that named the recording
	criteria         []metric.Criterion
	isConfigured     bool // a configuration names the criteria
	simulator        adk.Simulator
	recordings       []adk.Recording // none: the set's own conversations are evaluated
	targetName       string          // the recorded file's name, or adk.SelfTarget
	err              error           // why it cannot be evaluated
}

func newEvalsetInputs(env *environment, setting string) *evalsetInputs {
	ei := &evalsetInputs{recordingSetting: setting, targetName: adk.SelfTarget, simulator: adk.DefaultSimulator}
	if adk.IsResultsName(env.input.Path) { // a result file is itself a recording
		ei.targetName, setting = path.Base(env.input.Path), ""
	}
	if ei.err = ei.loadCriteria(env); ei.err == nil && setting != "" {
		ei.err = ei.loadRecording(env)
	}
	return ei
}

// loadCriteria reads the configured metrics, if there is a configuration.
func (ei *evalsetInputs) loadCriteria(env *environment) (err error) {
	body, found := env.configFile()
	if !found {
		return nil
	}
	ei.isConfigured = true
	config := adk.LowerConfig(env.project.Run.ADK, adk.Open(adk.ConfigName, body))
	ei.simulator = config.Simulator
	if ei.criteria, err = config.RequestedCriteria(); err != nil {
		return fmt.Errorf("%s: %w", adk.ConfigName, err)
	}
	return nil
}

// configFile returns the ADK configuration in the file's own folder, the only place where ADK
// looks. For a document that is not on disk, it is an open sibling.
func (env *environment) configFile() (body string, found bool) {
	if env.readUnsaved != nil {
		return env.readUnsaved(adk.ConfigName)
	}
	if env.input.FolderNames == nil || env.input.ReadFile == nil || !slices.Contains(env.input.FolderNames(), adk.ConfigName) {
		return "", false
	}
	return env.input.ReadFile(adk.ConfigName)
}

// loadRecording reads the recording that the setting names. A `*` stands for the evalset's name.
func (ei *evalsetInputs) loadRecording(env *environment) error {
	name := strings.ReplaceAll(ei.recordingSetting, "*", convert.Stem(env.input.Path))
	read := env.input.ReadFile
	if env.readUnsaved != nil {
		read = env.readUnsaved
	}
	if read == nil {
		return fmt.Errorf("rubric.recorded: this server cannot read `%s`", name)
	}
	body, found := read(name)
	if !found {
		return fmt.Errorf("rubric.recorded: there is no `%s` next to the evalset or in a parent folder", name)
	}
	recording, err := adk.ReadRecording(env.project.Run.ADK, adk.Open(name, body))
	if err != nil {
		return fmt.Errorf("rubric.recorded: %s: %w", name, err)
	}
	ei.recordings, ei.targetName = []adk.Recording{recording}, path.Base(name)
	return nil
}
