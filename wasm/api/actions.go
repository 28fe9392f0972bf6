package api

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	ideaction "github.com/rubric-ls/rubric/core/ide/action"
	idecompletion "github.com/rubric-ls/rubric/core/ide/completion"
	ideformat "github.com/rubric-ls/rubric/core/ide/format"
	idenavigation "github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/text"
)

// actionsParams are a range of a file and the kinds of actions that are requested; none means any.
type actionsParams struct {
	rangeParams
	Only []string `json:"only,omitempty"`
}

// CodeAction is an LSP code action. Pass Data to `resolve` to get the edit.
type CodeAction struct {
	Title       string      `json:"title"`
	Kind        string      `json:"kind"`
	Diagnostics []Finding   `json:"diagnostics,omitempty"`
	IsPreferred bool        `json:"isPreferred,omitempty"`
	Disabled    *Disabled   `json:"disabled,omitempty"`
	Data        *actionData `json:"data,omitempty"`
}

// Disabled says why an action is not available.
type Disabled struct {
	Reason string `json:"reason"`
}

// actionData is the data of an action: what it does to one version of a document.
type actionData struct {
	URI     string `json:"uri"`
	Version int32  `json:"version"`
	ideaction.ActionData
}

func actions(p actionsParams) ([]CodeAction, error) {
	d, span, err := p.findRange()
	if err != nil {
		return nil, err
	}
	all := []CodeAction{}
	for _, a := range ideaction.Actions(d.Analysis, span, p.Only, d.DiagnosticsIn(span, nil)) {
		out := CodeAction{Title: a.Title, Kind: a.Kind, IsPreferred: a.IsPreferred}
		if a.Diagnostic != nil {
			out.Diagnostics = []Finding{toFinding(d, *a.Diagnostic)}
		}
		if a.DisabledReason != "" {
			out.Disabled = &Disabled{a.DisabledReason}
		} else {
			out.Data = &actionData{d.name, d.versionOrZero(), a.ActionData}
		}
		all = append(all, out)
	}
	return all, nil
}

// versionOrZero returns the document's version, or 0 without one.
func (d document) versionOrZero() int32 {
	if d.version == nil {
		return 0
	}
	return *d.version
}

// resolveParams are the data of a completion item or of an action, and the file. For an open
// document the file may be left out.
type resolveParams struct {
	fileParams
	Data json.RawMessage `json:"data"`
}

// Resolved holds what an item or an action left out. Note tells the user what the edit does not do.
type Resolved struct {
	Documentation *MarkupContent `json:"documentation,omitempty"`
	Edit          *WorkspaceEdit `json:"edit,omitempty"`
	Note          string         `json:"note,omitempty"`
}

func resolve(p resolveParams) (Resolved, error) {
	var data struct {
		actionData
		Topic string `json:"topic"`
	}
	if err := json.Unmarshal(p.Data, &data); err != nil {
		return Resolved{}, failf(BadParams, "`data` must be that of a completion item or an action")
	}
	if p.Text == nil && p.Document == "" {
		p.Document = data.URI
	}
	d, err := p.findDocument()
	if err != nil {
		return Resolved{}, err
	}
	if data.Topic != "" {
		if page := idecompletion.ResolveDoc(d.ChunkAt(0).Table, data.Topic); page != "" {
			return Resolved{Documentation: toMarkup(page)}, nil
		}
		return Resolved{}, nil
	}
	if data.Version != d.versionOrZero() {
		return Resolved{}, failf(Changed, "the document has changed since the action was offered")
	}
	edits, err := data.Edits(d.Analysis)
	if errors.Is(err, ideaction.ErrSpan) {
		return Resolved{}, failf(BadParams, "%s", err)
	}
	if err != nil {
		return Resolved{}, failf(Refused, "%s", err)
	}
	resolved := Resolved{Edit: &WorkspaceEdit{[]DocumentEdit{d.toDocumentEdit(edits)}}}
	if data.ToVersion != "" {
		resolved.Note = ideaction.ManualChangesNote(d.Analysis, data.ToVersion)
	}
	return resolved, nil
}

func format(p rangeParams) ([]TextEdit, error) {
	d, within, err := p.findRange()
	if err != nil {
		return nil, err
	}
	return textEdits(d.Analysis, ideformat.FormatRange(d.Analysis, within)), nil
}

func enter(p positionParams) ([]TextEdit, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	return textEdits(d.Analysis, ideformat.FormatOnEnter(d.Analysis, offset)), nil
}

// DocumentLink is a link to a web address.
type DocumentLink struct {
	Range  text.Range `json:"range"`
	Target string     `json:"target"`
}

// links returns the links to web addresses. It leaves out links to files, because the evaluator
// cannot tell whether they exist.
func links(p fileParams) ([]DocumentLink, error) {
	d, err := p.findDocument()
	if err != nil {
		return nil, err
	}
	all := []DocumentLink{}
	d.Chunks(func(chunk *analysis.Chunk) bool {
		for _, l := range idenavigation.Links(chunk) {
			if l.URL != "" {
				all = append(all, DocumentLink{spanRange(d.Analysis, chunk.ToFile(l.Span)), l.URL})
			}
		}
		return true
	})
	return all, nil
}

// CompletionList holds the completions at a position, likeliest first.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is an LSP completion item. Pass Data to `resolve` to get the documentation.
type CompletionItem struct {
	Label            string    `json:"label"`
	Kind             int       `json:"kind"`
	Detail           string    `json:"detail,omitempty"`
	SortText         string    `json:"sortText"`
	FilterText       string    `json:"filterText,omitempty"`
	InsertTextFormat int       `json:"insertTextFormat,omitempty"` // 2 for a snippet
	InsertTextMode   int       `json:"insertTextMode"`             // 1: the text is already indented
	TextEdit         *TextEdit `json:"textEdit"`
	Command          *Command  `json:"command,omitempty"`
	Data             *topic    `json:"data,omitempty"`
}

// topic is the data of a completion item: its documentation page.
type topic struct {
	URI   string `json:"uri"`
	Topic string `json:"topic"`
}

func complete(p positionParams) (CompletionList, error) {
	list := CompletionList{Items: []CompletionItem{}}
	d, offset, err := p.findPosition()
	if err != nil {
		return list, err
	}
	chunk := d.ChunkAt(offset)
	items := idecompletion.Complete(chunk, chunk.FromFile(offset), idecompletion.NewHost(d.Analysis, offset))
	list.IsIncomplete = idecompletion.IsIncomplete(items)
	for n, item := range items {
		item.Edit.Span = chunk.ToFile(item.Edit.Span)
		list.Items = append(list.Items, toCompletionItem(d, n, item))
	}
	return list, nil
}

func toCompletionItem(d document, n int, item idecompletion.CompletionItem) CompletionItem {
	out := CompletionItem{
		Label: item.Label, Kind: int(item.Kind), Detail: item.Detail,
		SortText: fmt.Sprintf("%04d", n), FilterText: item.Filter, InsertTextMode: 1,
	}
	edit := item.Edit
	if len(item.Stops) > 0 {
		edit, out.InsertTextFormat = item.Snippet(), 2
	}
	out.TextEdit = &TextEdit{spanRange(d.Analysis, edit.Span), edit.New}
	if item.Retrigger {
		out.Command = &Command{Title: "complete again", Command: "editor.action.triggerSuggest"}
	}
	if item.DocKey != "" {
		out.Data = &topic{d.name, item.DocKey}
	}
	return out
}
