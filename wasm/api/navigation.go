package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// DocumentHighlight is a place that belongs to another: 1 the same words, 2 what
// refers to it, 3 what is referred to.
type DocumentHighlight struct {
	Range text.Range `json:"range"`
	Kind  int        `json:"kind"`
}

func highlight(p positionParams) ([]DocumentHighlight, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	all := []DocumentHighlight{}
	for _, h := range assist.Highlights(d.Analysis, offset) {
		all = append(all, DocumentHighlight{toRange(d.Analysis, h.Span), int(h.Kind)}) // numbered as in the protocol
	}
	return all, nil
}

// LinkedRanges are places that change together while one is typed in.
type LinkedRanges struct {
	Ranges      []text.Range `json:"ranges"`
	WordPattern string       `json:"wordPattern"`
}

func linked(p positionParams) (*LinkedRanges, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	spans := assist.LinkedSpans(d.Analysis, offset)
	if spans == nil {
		return nil, nil
	}
	out := &LinkedRanges{WordPattern: assist.LinkedPattern}
	for _, span := range spans {
		out.Ranges = append(out.Ranges, toRange(d.Analysis, span))
	}
	return out, nil
}

func locations(documents map[*analysis.Analysis]document, found []assist.Location) []Location {
	all := []Location{}
	for _, l := range found {
		all = append(all, Location{documents[l.File].name, toRange(l.File, l.Span)})
	}
	return all
}

func definition(p positionParams) ([]Location, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	others, documents := d.otherDocuments()
	return locations(documents, assist.Definitions(d.Analysis, offset, others)), nil
}

// referencesParams are a place in a file. Declared says that where its name is
// declared is asked for too.
type referencesParams struct {
	positionParams
	Declared bool `json:"declared,omitempty"`
}

func references(p referencesParams) ([]Location, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return nil, err
	}
	others, documents := d.otherDocuments()
	return locations(documents, assist.References(d.Analysis, offset, others, p.Declared)), nil
}

// Renameable is a name that can be given another spelling.
type Renameable struct {
	Range       text.Range `json:"range"`
	Placeholder string     `json:"placeholder"`
}

func renameable(p positionParams) (Renameable, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return Renameable{}, err
	}
	span, name, err := assist.PrepareRename(d.Analysis, offset)
	if err != nil {
		return Renameable{}, failf(Refused, "%s", err)
	}
	return Renameable{toRange(d.Analysis, span), name}, nil
}

// renameParams are a place in a file, and the name that what is there gets.
type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

func rename(p renameParams) (WorkspaceEdit, error) {
	d, offset, err := p.findPosition()
	if err != nil {
		return WorkspaceEdit{}, err
	}
	others, documents := d.otherDocuments()
	changes, err := assist.Rename(d.Analysis, offset, p.NewName, others)
	if err != nil {
		return WorkspaceEdit{}, failf(Refused, "%s", err)
	}
	all := WorkspaceEdit{}
	for _, c := range changes {
		all.DocumentChanges = append(all.DocumentChanges, documents[c.File].toDocumentEdit(c.Edits))
	}
	return all, nil
}
