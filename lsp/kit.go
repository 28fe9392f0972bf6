package lsp

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// kit is what an evalset of ADK is measured by and what is measured of it, as far as
// other files have that. It never changes.
type kit struct {
	setting  string // the one by which it was looked for
	criteria []metric.Criterion
	recorded []adk.Recording // none: the set's own conversations
	speaker  string          // who had the conversations
	notes    []string        // what whoever runs it should know
	fault    error           // why nothing can be measured
}

// kit is what goes with the evalset: ADK's configuration beside it, and the
// recording that a setting names.
func (b *beside) kit(setting string) *kit {
	b.kitLock.Lock()
	defer b.kitLock.Unlock()
	if b.lastKit == nil || b.lastKit.setting != setting {
		k := &kit{setting: setting, speaker: adk.Self}
		if adk.IsResults(b.input.Path) { // a recording itself
			k.speaker, setting = path.Base(b.input.Path), ""
		}
		if k.fault = k.configure(b); k.fault == nil && setting != "" {
			k.fault = k.record(b)
		}
		b.lastKit = k
	}
	return b.lastKit
}

// configure takes the metrics of the configuration, or those that ADK measures
// without one.
func (k *kit) configure(b *beside) (err error) {
	body, found := b.config()
	if !found {
		k.criteria = adk.Defaults()
		k.notes = append(k.notes, fmt.Sprintf("there is no `%s` beside the evalset; measured is what ADK measures without one", adk.ConfigName))
		return nil
	}
	if k.criteria, err = adk.LowerConfig(b.profile, adk.Open(adk.ConfigName, body)).Asked(); err != nil {
		return fmt.Errorf("%s: %w", adk.ConfigName, err)
	}
	return nil
}

// config is the configuration in the file's own folder, where alone ADK looks; of a
// file that is on no disk the one that is open beside it.
func (b *beside) config() (body string, found bool) {
	if b.unsaved != nil {
		return b.unsaved(adk.ConfigName)
	}
	if b.input.Folder == nil || b.input.Files == nil || !slices.Contains(b.input.Folder(), adk.ConfigName) {
		return "", false
	}
	return b.input.Files(adk.ConfigName)
}

// record takes the conversations of the file that a setting names; a `*` in it
// stands for the evalset's name.
func (k *kit) record(b *beside) error {
	name := strings.ReplaceAll(k.setting, "*", setName(b.input.Path))
	look := b.input.Files
	if b.unsaved != nil {
		look = b.unsaved
	}
	if look == nil {
		return fmt.Errorf("rubric.recorded: `%s` cannot be read from here", name)
	}
	body, found := look(name)
	if !found {
		return fmt.Errorf("rubric.recorded: there is no `%s` beside the evalset, nor in a folder above", name)
	}
	recording, err := adk.ReadRecording(b.profile, adk.Glance(name, body))
	if err != nil {
		return fmt.Errorf("rubric.recorded: %s: %w", name, err)
	}
	k.recorded, k.speaker = []adk.Recording{recording}, path.Base(name)
	return nil
}

// setName is what an evalset is called by its file: bank for bank.evalset.json.
func setName(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	for _, ending := range []string{".evalset.json", ".test.json", path.Ext(name)} {
		if stem, cut := strings.CutSuffix(name, ending); cut {
			return stem
		}
	}
	return name
}
