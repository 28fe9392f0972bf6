package cache

import (
	"maps"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
)

// recordingsOf returns the result files of an evalset in its own folder.
func (s *Snapshot) recordingsOf(d *Document) (all []ide.RecordingFile) {
	in := d.deps.input
	if d.ADK() != adk.EvalSet || in.FolderNames == nil || in.ReadFile == nil {
		return nil
	}
	id := `"` + ide.Evalset(d.Analysis).ID + `"`
	for _, name := range in.FolderNames() {
		if !adk.IsResultsName(name) {
			continue
		}
		if body, found := in.ReadFile(name); found && strings.Contains(body, id) {
			all = append(all, ide.RecordingFile{Name: name, Measured: name == s.recordedFor(d)})
		}
	}
	return all
}

// recordedFor returns the recording that a document is measured on, as the user has chosen it or as the
// settings say.
func (s *Snapshot) recordedFor(d *Document) string {
	if chosen := s.recordings[d.URI]; chosen != "" {
		return chosen
	}
	return strings.Join(s.RunSettings.Recorded, "")
}

// ChooseRecording sets the recording that a document is measured on until the session ends; "" means that of the
// settings.
func (w *Workspace) ChooseRecording(u uri.URI, name string) {
	w.Update(func(next *Snapshot) {
		next.recordings = maps.Clone(next.recordings)
		next.recordings[u] = name
	})
	w.invalidate(change{event: resultsChanged})
}
