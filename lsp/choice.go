package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/text"
)

// choice is what an action does, to be worked out when it is chosen: a fix of a
// finding in one version of a document or, without a rule, all of them.
type choice struct {
	URI     uri.URI   `json:"uri"`
	Version int32     `json:"version"`
	Rule    string    `json:"rule,omitzero"`
	Span    text.Span `json:"span,omitzero"`
	Fix     int       `json:"fix,omitzero"`
}

// action is an action that does what was chosen, with its edit where the client
// would not ask for that.
func (at *Snapshot) action(d *Document, what choice) *protocol.CodeAction {
	a := &protocol.CodeAction{}
	if !at.client.lazyEdits {
		a.Edit = at.toWorkspaceEdit(d, what.edits(d))
		return a
	}
	encoded, err := codec{}.Marshal(what)
	if err != nil { // a struct of strings and numbers
		panic(err)
	}
	a.Data = encoded
	return a
}

// edits are what was chosen, as edits of the document.
func (what choice) edits(d *Document) []text.Edit {
	if what.Rule == "" {
		fixed, _ := d.Fixed()
		return between(d.body(), fixed.Slice(text.Span{End: fixed.Length()}))
	}
	for _, found := range d.Diagnostics() {
		if found.Code == what.Rule && found.Span == what.Span && what.Fix >= 0 && what.Fix < len(found.Fixes) {
			return found.Fixes[what.Fix].Edits
		}
	}
	return nil
}
