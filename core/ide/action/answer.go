package action

import (
	"errors"
	"strings"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the actions for a span of a file: ours, those of the host, and comments that
// ignore rules. If kinds is not empty, only these kinds and their subkinds are returned.
func InRange(f *ide.File, span text.Span, kinds []string) []ide.CodeAction {
	all, ignores := []ide.CodeAction{}, []ide.CodeAction{}
	for _, offer := range Actions(f.Analysis, span, kinds, f.Host.DiagnosticsIn(span)) {
		a, ok := offer.answer(f)
		switch {
		case !ok:
		case offer.Ignore:
			ignores = append(ignores, a)
		default:
			all = append(all, a)
		}
	}
	if f.Host.MoreActions != nil {
		wanted := actionCollector{kinds: kinds}
		for _, a := range f.Host.MoreActions(span) {
			if wanted.wantsKind(a.Kind) {
				all = append(all, a)
			}
		}
	}
	return append(all, ignores...)
}

// answer converts an action. It includes the edit if the client does not resolve edits. It returns
// false for an unavailable action that the client would not show.
func (a Action) answer(f *ide.File) (out ide.CodeAction, ok bool) {
	out = ide.CodeAction{Title: a.Title, Kind: a.Kind, IsPreferred: a.IsPreferred && f.Client.HasPreferredActions}
	if a.Diagnostic != nil {
		out.Diagnostics = []ide.Finding{diagnostic.New(f, *a.Diagnostic, f.SpanRange(a.Diagnostic.Span))}
	}
	switch {
	case a.DisabledReason != "":
		out.Disabled = &ide.Disabled{Reason: a.DisabledReason}
		return out, f.Client.HasDisabledActions
	case f.Client.CanResolveEdits:
		out.Data = NewData(f)
		out.Data.EditChoice = a.EditChoice
		return out, true
	}
	edits, err := Edits(f.Analysis, a.EditChoice)
	out.Edit = workspaceEdit(f, a.EditChoice, edits)
	return out, err == nil
}

// NewData returns data for an action on this version of a file.
func NewData(f *ide.File) *ide.ActionData {
	data := &ide.ActionData{URI: f.URI}
	if f.Version != nil {
		data.Version = *f.Version
	}
	return data
}

// workspaceEdit returns the edit of an action. If the client supports snippets, the reason of an
// ignore comment becomes a placeholder.
func workspaceEdit(f *ide.File, choice ide.EditChoice, edits []text.Edit) *ide.WorkspaceEdit {
	edit := &ide.WorkspaceEdit{}
	if choice.Ignore && f.Client.HasSnippetEdits && f.Client.HasDocumentChanges && len(edits) == 1 {
		reason := strings.LastIndex(edits[0].New, ReasonPlaceholder)
		f.AddSnippet(edit, edits[0], text.Span{Start: reason, End: reason + len(ReasonPlaceholder)})
	} else {
		f.AddEdits(edit, edits)
	}
	return edit
}

// Resolve returns the edit of a chosen action, and a note for the user or "". It refuses an action
// of an earlier version of the file, because its spans are out of date.
func Resolve(f *ide.File, data ide.ActionData) (edit *ide.WorkspaceEdit, note string, err error) {
	if f == nil || NewData(f).Version != data.Version {
		return nil, "", &ide.Error{Code: ide.Changed, Message: "the document has changed since the action was offered"}
	}
	if data.Convert && f.Host.Convert != nil {
		if edit, err = f.Host.Convert(); err != nil {
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
