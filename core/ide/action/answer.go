package action

import (
	"errors"

	"github.com/rubric-ls/rubric/core/ide"
)

// Resolve returns the edit of a chosen action, and a note for the user or "". It refuses an action
// of an earlier version of the file, because its spans are out of date.
func Resolve(f *ide.File, data ide.ActionData) (edit *ide.WorkspaceEdit, note string, err error) {
	if f == nil || NewData(f).Version != data.Version {
		return nil, "", &ide.Error{Code: ide.Changed, Message: "the document has changed since the action was offered"}
	}
	if data.Convert != "" && f.Host.Convert != nil {
		if edit, err = f.Host.Convert(data.Convert); err != nil {
			return nil, "", ide.Refuse(err)
		}
		return edit, "", nil
	}
	edits, err := Edits(f.Analysis, data.EditChoice)
	if fault := (*ide.Error)(nil); err != nil && !errors.As(err, &fault) {
		err = ide.Refuse(err)
	}
	if err != nil {
		return nil, "", err
	}
	if data.ToVersion != "" {
		note = ManualChangesNote(f.Analysis, data.ToVersion)
	}
	return workspaceEdit(f, data.EditChoice, edits), note, nil
}
