package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// generateKind is the kind of the action that drafts criteria.
const generateKind = protocol.CodeActionKindRefactorRewrite + ".rubric.generate"

const generateTitle = "Generate rubrics"

var errMovedOn = errors.New("no rubric was inserted: the document has changed meanwhile")

// generation is the action that drafts criteria, where a case without any is.
func (at *Snapshot) generation(d *Document, asked text.Span) *protocol.CodeAction {
	if !d.Ours() {
		return nil
	}
	part := d.At(asked.Start)
	for _, l := range assist.Lenses(part, nil) {
		c := part.Suite.Case(l.Case)
		if l.Command != assist.Generate || c == nil || !part.Place(c.Span).Touches(asked.Start) {
			continue
		}
		a := &protocol.CodeAction{Title: generateTitle, Kind: new(generateKind)}
		a.Command = protocol.Command{Title: generateTitle, Command: assist.Generate, Arguments: []protocol.LSPAny{argument(target{URI: d.URI, Case: c.ID})}}
		if at.client.appliesEdits {
			return a
		}
		// A client that takes no edits but those of actions gets the draft at once.
		drafted, err := draft.Stated(d.Analysis, d.Suite().Case(c.ID))
		if err != nil {
			return nil
		}
		a.Command, a.Edit = protocol.Command{}, at.toWorkspaceEdit(d, drafted.Edits)
		return a
	}
	return nil
}

// generate drafts criteria for a case without any and has them inserted.
func generate(_ context.Context, at *Snapshot, p *target) (*started, error) {
	d := at.about(p.URI)
	switch {
	case d == nil:
		return nil, refuse(fmt.Errorf("`%s` is not open, or is no eval file", p.URI))
	case !at.client.appliesEdits:
		return nil, refuse(errors.New("this editor makes no edits that it did not ask for; the action of the same name has one"))
	}
	cases, err := d.chosen(p.Case, true)
	if err != nil {
		return nil, err
	}
	c := cases[0]
	if err := draft.Declined(d.Analysis, c); err != nil {
		return nil, refuse(err)
	}
	s, way := at.session, at.Running
	j := s.jobs.begin(generateTitle+" for "+c.ID, 0, func(j *job) {
		if err := s.insertDraft(j.ctx, at, d, c, way); err != nil && !j.cancelled() {
			s.show(protocol.MessageTypeWarning, err.Error())
		}
	})
	return &started{j.id}, nil
}

// insertDraft has the drafted criteria of a case inserted, if the document is
// still the one that they were drafted for.
func (s *session) insertDraft(ctx context.Context, at *Snapshot, d *Document, c *rubric.Case, way Running) error {
	drafted, by, err := s.draft(ctx, at, d, c, way)
	if err != nil {
		return err
	}
	by = strings.Join(append([]string{by}, drafted.Notes...), "; ")
	if now := s.now.Load().Documents[d.URI]; now == nil || now.Version != d.Version {
		return errMovedOn
	}
	params := &protocol.ApplyWorkspaceEditParams{Label: new(generateTitle), Edit: *at.toWorkspaceEdit(d, drafted.Edits)}
	if at.client.annotates {
		annotate(&params.Edit, protocol.ChangeAnnotation{Label: "Draft of a rubric", Description: &by, NeedsConfirmation: new(true)})
	}
	go s.offer(at.client, params) // somebody may look at it for as long as they like
	return nil
}

// offer has the client make an edit, and tells why it did not.
func (s *session) offer(c *client, params *protocol.ApplyWorkspaceEditParams) {
	var made protocol.ApplyWorkspaceEditResult
	err := c.call(s.ctx, protocol.MethodWorkspaceApplyEdit, params, &made)
	if err == nil && !made.Applied && made.FailureReason != nil {
		err = errors.New(*made.FailureReason)
	}
	if err != nil && s.ctx.Err() == nil {
		s.show(protocol.MessageTypeWarning, fmt.Sprintf("the editor did not insert the rubric: %v", err))
	}
}

// draft gives criteria for a case, and says whose they are: those of the judge
// in the settings, or else statements of the file's own.
func (s *session) draft(ctx context.Context, at *Snapshot, d *Document, c *rubric.Case, way Running) (drafted draft.Draft, by string, err error) {
	host, err := at.allowed()
	if way.Judge == offline.Name || err != nil {
		drafted, err = draft.Stated(d.Analysis, c)
		return drafted, "made of the expected outcome and the reference answer; no model was asked", err
	}
	asked, closing, err := s.judge(ctx, host, at.client, pathOf(d.URI), way.Judge)
	if err != nil {
		return drafted, "", err
	}
	defer closing()
	drafted, err = draft.For(ctx, asked, d.Analysis, c)
	return drafted, fmt.Sprintf("written by the judge `%s`", way.Judge), err
}

// annotate has every edit say what it is for, and be confirmed.
func annotate(edit *protocol.WorkspaceEdit, with protocol.ChangeAnnotation) {
	const id = "rubric"
	annotated := false
	for _, change := range edit.DocumentChanges {
		edits, ok := change.(*protocol.TextDocumentEdit)
		if !ok {
			continue
		}
		for i, e := range edits.Edits {
			if plain, ok := e.(*protocol.TextEdit); ok {
				edits.Edits[i] = &protocol.AnnotatedTextEdit{TextEdit: *plain, AnnotationID: id}
				annotated = true
			}
		}
	}
	if annotated {
		edit.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{id: with}
	}
}
