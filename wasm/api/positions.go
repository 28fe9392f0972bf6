package api

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// positionParams are a place in a file.
type positionParams struct {
	fileParams
	Position text.Position `json:"position"`
}

// findPosition gives the document and the offset of the place.
func (p positionParams) findPosition() (document, int, error) {
	d, err := p.fileParams.findDocument()
	if err != nil {
		return d, 0, err
	}
	return d, d.Offset(p.Position, text.UTF16), nil
}

// rangeParams are a stretch of a file, all of it if no range is given.
type rangeParams struct {
	fileParams
	Range *text.Range `json:"range,omitempty"`
}

// findRange gives the document and the span of the stretch.
func (p rangeParams) findRange() (document, text.Span, error) {
	d, err := p.fileParams.findDocument()
	switch {
	case err != nil:
		return d, text.Span{}, err
	case p.Range == nil:
		return d, text.Span{End: d.Length()}, nil
	}
	return d, d.Span(*p.Range, text.UTF16), nil
}

func toRange(a *analysis.Analysis, span text.Span) text.Range { return a.Range(span, text.UTF16) }

// Location is a stretch of a file, by the name of its document.
type Location struct {
	URI   string     `json:"uri"`
	Range text.Range `json:"range"`
}

// TextEdit is the Language Server Protocol's.
type TextEdit struct {
	Range   text.Range `json:"range"`
	NewText string     `json:"newText"`
}

func textEdits(a *analysis.Analysis, edits []text.Edit) []TextEdit {
	out := make([]TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, TextEdit{toRange(a, e.Span), e.New})
	}
	return out
}

// WorkspaceEdit is edits of documents.
type WorkspaceEdit struct {
	DocumentChanges []DocumentEdit `json:"documentChanges"`
}

// DocumentEdit is edits of one document.
type DocumentEdit struct {
	TextDocument VersionedDocument `json:"textDocument"`
	Edits        []TextEdit        `json:"edits"`
}

func (d document) toDocumentEdit(edits []text.Edit) DocumentEdit {
	return DocumentEdit{VersionedDocument{d.name, d.version}, textEdits(d.Analysis, edits)}
}

// VersionedDocument is a version of a document; null for one that is not open.
type VersionedDocument struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// MarkupContent is Markdown.
type MarkupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(page string) *MarkupContent { return &MarkupContent{"markdown", page} }

// Command is what an editor does when it is told to.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}
