package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
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
		drafted, err := drafted(d, d.Suite().Case(c.ID), draft.Statements(c))
		if err != nil {
			return nil
		}
		a.Command, a.Edit = protocol.Command{}, at.toWorkspaceEdit(d, drafted)
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
	switch {
	case c.ExpectedOutcome == "":
		return nil, refuse(fmt.Errorf("the case `%s` has no expected outcome to draft criteria from", c.ID))
	case c.Rubric() != nil:
		return nil, refuse(fmt.Errorf("the case `%s` has criteria already", c.ID))
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
	criteria, by, err := s.draft(ctx, at, d, c, way)
	if err != nil {
		return err
	}
	edits, err := drafted(d, c, criteria)
	if err != nil {
		return err
	}
	if now := s.now.Load().Documents[d.URI]; now == nil || now.Version != d.Version {
		return errMovedOn
	}
	params := &protocol.ApplyWorkspaceEditParams{Label: new(generateTitle), Edit: *at.toWorkspaceEdit(d, edits)}
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
func (s *session) draft(ctx context.Context, at *Snapshot, d *Document, c *rubric.Case, way Running) (criteria []draft.Criterion, by string, err error) {
	host, err := at.allowed()
	if way.Judge == offline.Name || err != nil {
		return draft.Statements(c), "made of the expected outcome and the reference answer; no model was asked", nil
	}
	asked, closing, err := s.judge(ctx, host, at.client, pathOf(d.URI), way.Judge)
	if err != nil {
		return nil, "", err
	}
	defer closing()
	criteria, err = draft.Generate(ctx, asked, c)
	return criteria, fmt.Sprintf("written by the judge `%s`", way.Judge), err
}

// drafted are the edits that give a case its criteria, without those that a rule
// would have something to say of.
func drafted(d *Document, c *rubric.Case, criteria []draft.Criterion) ([]text.Edit, error) {
	node := d.CaseNode(c)
	if node == nil {
		return nil, fmt.Errorf("the case `%s` does not stand where criteria can be added", c.ID)
	}
	for len(criteria) > 0 {
		edits, err := draft.Insert(d.Tree(), node, "rubrics", criteria)
		if err != nil {
			return nil, err
		}
		after := d.Edit(edits...)
		bad := news(d.Diagnostics(), after.Diagnostics())
		if len(bad) == 0 {
			return edits, nil
		}
		left := mended(criteria, after.Suite().Case(c.ID), bad)
		if slices.Equal(left, criteria) {
			return nil, fmt.Errorf("no rubric was inserted, since the file would have a fault with it: %s", bad[0].Message)
		}
		criteria = left
	}
	return nil, fmt.Errorf("nothing that can be checked was found in the expected outcome of `%s`", c.ID)
}

// news are the findings of kinds of which there are more than before.
func news(before, after []diag.Diagnostic) (more []diag.Diagnostic) {
	count := map[string]int{}
	for _, d := range before {
		count[d.Code]++
	}
	for _, d := range after {
		count[d.Code]--
	}
	for _, d := range after {
		if count[d.Code] < 0 {
			more = append(more, d)
		}
	}
	return more
}

// mended are the criteria without those that findings are about. One that a
// finding only refers to is required for nothing: the score can do without.
func mended(criteria []draft.Criterion, inserted *rubric.Case, bad []diag.Diagnostic) (left []draft.Criterion) {
	if inserted == nil || inserted.Rubric() == nil {
		return criteria
	}
	for _, c := range criteria {
		written := slices.IndexFunc(inserted.Rubric().Criteria, func(k *rubric.Criterion) bool { return k.ID == c.ID })
		if written < 0 {
			return criteria
		}
		within := func(span text.Span) bool {
			all := inserted.Rubric().Criteria[written].Span
			return all.Start <= span.Start && span.End <= all.End
		}
		if slices.ContainsFunc(bad, func(d diag.Diagnostic) bool { return within(d.Span) }) {
			continue
		}
		if slices.ContainsFunc(bad, func(d diag.Diagnostic) bool {
			return slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return within(n.Span) })
		}) {
			c.Required = false
		}
		left = append(left, c)
	}
	return left
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
