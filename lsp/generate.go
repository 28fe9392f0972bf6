package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// generateKind is the kind of the action that drafts criteria.
const generateKind = action.RefactorRewrite + ".rubric.generate"

const generateTitle = "Generate rubrics"

// generateAction returns the action that drafts criteria for a case without any.
func (s *snapshot) generateAction(d *cache.Document, selection text.Span) *ide.CodeAction {
	if !d.IsEvalFile() {
		return nil
	}
	chunk := d.ChunkAt(selection.Start)
	for _, c := range draft.CasesIn(chunk) {
		at := c.Span
		if chunk.ADK != nil { // any place of the case offers the draft for its turns
			at = c.SelectionSpan
		}
		if !chunk.ToFile(at).Touches(selection.Start) || draft.CheckDraftableIn(chunk, c) != nil {
			continue
		}
		a := &ide.CodeAction{Title: generateTitle, Kind: generateKind}
		if s.Client.CanApplyEdits {
			a.Command = &ide.Command{Title: generateTitle, Command: lens.GenerateCommand, Arguments: []any{ide.CommandTarget{URI: string(d.URI), Case: c.ID}}}
			return a
		}
		// a client without workspace/applyEdit gets the draft with the action
		cases, err := draft.Draftable(d.Analysis, c.ID)
		if err != nil {
			return nil
		}
		drafted, err := draft.NewForAll(s.session.ctx, nil, d.Analysis, cases)
		if err != nil {
			return nil
		}
		a.Edit = &ide.WorkspaceEdit{}
		s.File(d.URI, d.Analysis).AddEdits(a.Edit, drafted.Edits)
		return a
	}
	return nil
}

// generate drafts criteria for a case without any and asks the client to insert them.
func generate(_ context.Context, s *snapshot, p *commandArgument) (*jobStarted, error) {
	d, err := s.openEvalFile(p.URI)
	if err != nil {
		return nil, err
	}
	if !s.Client.CanApplyEdits {
		return nil, requestFailed(errors.New("this editor does not accept edits from the server; use the code action of the same name"))
	}
	if _, err := selectCases(d, &rubric.Suite{Cases: draft.Cases(d.Analysis)}, p.Case, true); err != nil {
		return nil, err
	}
	cases, err := draft.Draftable(d.Analysis, p.Case)
	if err != nil {
		return nil, requestFailed(err)
	}
	sess, settings := s.session, s.RunSettings
	j := sess.jobs.start(generateTitle+" for "+p.Case, 0, nil, func(j *job) {
		if err := sess.insertDraft(j.ctx, s, d, cases, settings); err != nil && !j.isCancelled() {
			sess.Current().Client.ShowMessage(protocol.MessageTypeWarning, err.Error())
		}
	})
	return &jobStarted{j.id}, nil
}

// insertDraft drafts criteria for a case, or its turns, and asks the client to insert them, unless the document
// changed meanwhile.
func (s *session) insertDraft(ctx context.Context, snap *snapshot, d *cache.Document, cases []*rubric.Case, settings run.Settings) error {
	drafted, origin, err := s.draftCriteria(ctx, snap, d, cases, settings)
	if err != nil {
		return err
	}
	origin = strings.Join(append([]string{origin}, drafted.Notes...), "; ")
	if current := s.snapshot().Documents[d.URI]; current == nil || current.Version != d.Version {
		return errors.New("no rubric was inserted: the document has changed")
	}
	if snap.Client.CanPreview {
		snap.Client.Notify(methodPreview, &previewParams{URI: d.URI, Case: cases[0].ID, Version: d.Version, Origin: origin, Edits: snap.File(d.URI, d.Analysis).TextEdits(drafted.Edits)})
		return nil
	}
	params := &applyEditParams{Label: generateTitle + ": " + origin}
	snap.File(d.URI, d.Analysis).AddEdits(&params.Edit, drafted.Edits)
	go s.applyEdit(snap.Client, params) // the user may take any time to confirm
	return nil
}

// methodPreview gives the client a draft to show. The user keeps, discards or generates it again.
const methodPreview = "rubric/preview"

// previewParams are a draft of criteria for a case, or for all turns of one.
type previewParams struct {
	URI     uri.URI        `json:"uri"`
	Case    string         `json:"case"`
	Version int32          `json:"version"` // of the document
	Origin  string         `json:"origin"`  // who wrote it
	Edits   []ide.TextEdit `json:"edits"`
}

// applyEditParams are those of workspace/applyEdit.
type applyEditParams struct {
	Label string            `json:"label"`
	Edit  ide.WorkspaceEdit `json:"edit"`
}

// applyEdit asks the client to apply an edit and shows the reason if it refuses.
func (s *session) applyEdit(c *cache.Client, params *applyEditParams) {
	var result protocol.ApplyWorkspaceEditResult
	err := c.Call(s.ctx, protocol.MethodWorkspaceApplyEdit, params, &result)
	if err == nil && !result.Applied && result.FailureReason != nil {
		err = errors.New(*result.FailureReason)
	}
	if err != nil && s.ctx.Err() == nil {
		s.Current().Client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("the editor did not insert the rubric: %v", err))
	}
}

// draftCriteria drafts criteria for a case, or its turns, and says who wrote them: the judge of the settings, or,
// without one, the file's own statements.
func (s *session) draftCriteria(ctx context.Context, snap *snapshot, d *cache.Document, cases []*rubric.Case, settings run.Settings) (drafted draft.Draft, origin string, err error) {
	host, err := snap.permittedHost()
	if settings.Judges[0] == offline.Name || err != nil {
		drafted, err = draft.NewForAll(ctx, nil, d.Analysis, cases)
		return drafted, "derived from what the file expects; no model was asked", err
	}
	opened, err := host.withEditor(snap.Client).OpenJudge(withKeyClient(ctx, snap.Client), cache.PathOf(d.URI), settings.Judges[0])
	if err != nil {
		return drafted, "", fmt.Errorf("judge: %w", err)
	}
	if opened.Close != nil {
		defer opened.Close()
	}
	drafted, err = draft.NewForAll(ctx, opened.Judge, d.Analysis, cases)
	return drafted, fmt.Sprintf("written by the judge `%s`", settings.Judges[0]), err
}
