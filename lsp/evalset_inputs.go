package lsp

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// evalsetInputs is what an evalset of ADK is measured by and what is measured of it, as far as
// other files have that. It never changes.
type evalsetInputs struct {
	recordingSetting string // the one by which it was looked for
	criteria         []metric.Criterion
	recordings       []adk.Recording // none: the set's own conversations
	targetName       string          // who had the conversations
	notes            []string        // what whoever runs it should know
	err              error           // why nothing can be measured
}

// evalsetInputs is what goes with the evalset: ADK's configuration beside it, and the
// recording that a setting names.
func (dp *dependencies) evalsetInputs(setting string) *evalsetInputs {
	dp.inputsMu.Lock()
	defer dp.inputsMu.Unlock()
	if dp.inputs == nil || dp.inputs.recordingSetting != setting {
		ei := &evalsetInputs{recordingSetting: setting, targetName: adk.SelfTarget}
		if adk.IsResultsName(dp.input.Path) { // a recording itself
			ei.targetName, setting = path.Base(dp.input.Path), ""
		}
		if ei.err = ei.loadCriteria(dp); ei.err == nil && setting != "" {
			ei.err = ei.loadRecording(dp)
		}
		dp.inputs = ei
	}
	return dp.inputs
}

// loadCriteria takes the metrics of the configuration, or those that ADK measures
// without one.
func (ei *evalsetInputs) loadCriteria(b *dependencies) (err error) {
	body, found := b.configFile()
	if !found {
		ei.criteria = adk.DefaultCriteria()
		ei.notes = append(ei.notes, fmt.Sprintf("there is no `%s` beside the evalset; measured is what ADK measures without one", adk.ConfigName))
		return nil
	}
	if ei.criteria, err = adk.LowerConfig(b.profile, adk.Open(adk.ConfigName, body)).RequestedCriteria(); err != nil {
		return fmt.Errorf("%s: %w", adk.ConfigName, err)
	}
	return nil
}

// configFile is the configuration in the file's own folder, where alone ADK looks; of a
// file that is on no disk the one that is open beside it.
func (dp *dependencies) configFile() (body string, found bool) {
	if dp.readUnsaved != nil {
		return dp.readUnsaved(adk.ConfigName)
	}
	if dp.input.FolderNames == nil || dp.input.ReadFile == nil || !slices.Contains(dp.input.FolderNames(), adk.ConfigName) {
		return "", false
	}
	return dp.input.ReadFile(adk.ConfigName)
}

// loadRecording takes the conversations of the file that a setting names; a `*` in it
// stands for the evalset's name.
func (ei *evalsetInputs) loadRecording(b *dependencies) error {
	name := strings.ReplaceAll(ei.recordingSetting, "*", evalsetName(b.input.Path))
	read := b.input.ReadFile
	if b.readUnsaved != nil {
		read = b.readUnsaved
	}
	if read == nil {
		return fmt.Errorf("rubric.recorded: `%s` cannot be read from here", name)
	}
	body, found := read(name)
	if !found {
		return fmt.Errorf("rubric.recorded: there is no `%s` beside the evalset, nor in a folder above", name)
	}
	recording, err := adk.ReadRecording(b.profile, adk.OpenCompact(name, body))
	if err != nil {
		return fmt.Errorf("rubric.recorded: %s: %w", name, err)
	}
	ei.recordings, ei.targetName = []adk.Recording{recording}, path.Base(name)
	return nil
}

// evalsetName is what an evalset is called by its file: bank for bank.evalset.json.
func evalsetName(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	for _, ending := range []string{".evalset.json", ".test.json", path.Ext(name)} {
		if stem, cut := strings.CutSuffix(name, ending); cut {
			return stem
		}
	}
	return name
}
