package lsp

import (
	"errors"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
)

// choice is what an action does to one version of a document, to be worked out
// when it is chosen: a fix of a finding, a refactoring at a place, the names of
// another version or, with none of these, all safe fixes.
type choice struct {
	URI      uri.URI   `json:"uri"`
	Version  int32     `json:"version"`
	Rule     string    `json:"rule,omitzero"`
	Fix      int       `json:"fix,omitzero"`
	Refactor string    `json:"refactor,omitzero"`
	Span     text.Span `json:"span,omitzero"`
	// Into is the version of AgentV whose names are to be written.
	Into agentv.Version `json:"into,omitzero"`
}

// edits are what was chosen, as edits of the document; an error says why there
// are none.
func (what choice) edits(d *Document) ([]text.Edit, error) {
	switch {
	case what.Refactor != "":
		return assist.Refactor(d.Analysis, what.Span.Start, what.Refactor)
	case what.Into != "":
		edits, _, err := assist.Migrate(d.Analysis, what.Into)
		return edits, err
	case what.Rule == "":
		fixed, _ := d.Fixed()
		return between(d.body(), fixed.Slice(text.Span{End: fixed.Length()})), nil
	}
	for _, found := range d.Diagnostics() {
		if found.Code == what.Rule && found.Span == what.Span && what.Fix >= 0 && what.Fix < len(found.Fixes) {
			return found.Fixes[what.Fix].Edits, nil
		}
	}
	return nil, errors.New("what the action mends is not there any more")
}
