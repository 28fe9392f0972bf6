package api

import (
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
)

// actionsParams are a stretch of a file, and the kinds of actions that are asked
// for; none for any.
type actionsParams struct {
	rangeParams
	Only []string `json:"only,omitempty"`
}

// CodeAction is something that can be done. Data is for `resolve`, which gives
// the edit.
type CodeAction struct {
	Title       string      `json:"title"`
	Kind        string      `json:"kind"`
	Diagnostics []Finding   `json:"diagnostics,omitempty"`
	IsPreferred bool        `json:"isPreferred,omitempty"`
	Disabled    *Disabled   `json:"disabled,omitempty"`
	Data        *actionData `json:"data,omitempty"`
}

// Disabled says why an action cannot be had.
type Disabled struct {
	Reason string `json:"reason"`
}

// actionData is what an action does to one version of a document.
type actionData struct {
	URI     string `json:"uri"`
	Version int32  `json:"version"`
	assist.ActionData
}

func actions(p actionsParams) ([]CodeAction, error) {
	d, span, err := p.findRange()
	if err != nil {
		return nil, err
	}
	var diagnostics []diag.Diagnostic
	for _, f := range d.FindingsIn(span, nil) {
		diagnostics = append(diagnostics, f.DiagnosticInFile())
	}
	all := []CodeAction{}
	for _, a := range assist.Actions(d.Analysis, span, p.Only, diagnostics) {
		out := CodeAction{Title: a.Title, Kind: a.Kind, IsPreferred: a.IsPreferred}
		if a.Diagnostic != nil {
			out.Diagnostics = []Finding{toFinding(d, analysis.Finding{Diagnostic: a.Diagnostic})}
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

// versionOrZero is the document's version, 0 without one.
func (d document) versionOrZero() int32 {
	if d.version == nil {
		return 0
	}
	return *d.version
}

// resolveParams are the data of a completion's item or of an action, and the file
// that it is of, which may be left out for one that is open.
type resolveParams struct {
	fileParams
	Data json.RawMessage `json:"data"`
}

// Resolved is what an item or an action was offered without. Note is what a
// person is to be told of what the edit does not do.
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
		return Resolved{}, failf(BadParams, "`data` is that of an item or of an action")
	}
	if p.Text == nil && p.Document == "" {
		p.Document = data.URI
	}
	d, err := p.findDocument()
	if err != nil {
		return Resolved{}, err
	}
	if data.Topic != "" {
		if page := assist.ResolveDoc(d.ChunkAt(0).Table, data.Topic); page != "" {
			return Resolved{Documentation: markdown(page)}, nil
		}
		return Resolved{}, nil
	}
	if data.Version != d.versionOrZero() {
		return Resolved{}, failf(Changed, "the document has changed since the action was offered")
	}
	edits, err := data.Edits(d.Analysis)
	if errors.Is(err, assist.ErrSpan) {
		return Resolved{}, failf(BadParams, "%s", err)
	}
	if err != nil {
		return Resolved{}, failf(Refused, "%s", err)
	}
	resolved := Resolved{Edit: &WorkspaceEdit{[]DocumentEdit{d.toDocumentEdit(edits)}}}
	if data.ToVersion != "" {
		resolved.Note = assist.ManualChangesNote(d.Analysis, data.ToVersion)
	}
	return resolved, nil
}
